package pathfile

import (
	"fmt"
	"io"

	"github.com/ddps-go/ddps/internal/atomicfile"
)

// WriteWhole writes a file whole or not at all: to a temporary file beside it, synced to the disk, that then takes its
// name. Its mode is that of the file that it replaces, 0644 less the umask of a new one. The error names the file.
func WriteWhole(path string, write func(io.Writer) error) error {
	if err := atomicfile.Write(path, 0o644, write); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
