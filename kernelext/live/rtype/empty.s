// This file lets the package declare functions without bodies on every processor.
