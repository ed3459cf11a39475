package cli

import (
	"math"
	"testing"
)

// TestCaseM6: a value is rounded to its error, not to digits of its own.
func TestCaseM6(t *testing.T) {
	for got, want := range map[string]string{
		WithError(.6097059, 1.2e-8): "0.609705900 ± 0.000000012", WithError(.5, .0123): "0.500 ± 0.012",
		WithError(1234.5, 21):      "1234 ± 21",
		WithError(3.2e-9, 4.1e-10): "(3.20 ± 0.41)e-09", WithError(.5, 0): "0.500 ± 0",
		WithError(.00349, 1e-18):   "0.00349",
		WithError(2e7, 3e5):        "(2.000 ± 0.030)e+07",
		NLL(13.367, .0213):         "13.3670 ± 0.0213",
		NLL(13.3671234, .000021):   "13.367123 ± 0.000021",
		NLL(827.24511, math.NaN()): "827.2451", NLL(math.NaN(), math.NaN()): "–", NLL(1.6e19, 3.7e18): "(1.60 ± 0.37)e+19",
		WithError(.5, math.NaN()):     "0.500",
		NLL(6.98, 0):                  "6.9800 ± 0.0000",
		NLL(13.3671234567, 1.2345e-9): "13.3671234567 ± 0.0000000012",
	} {
		if got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}
