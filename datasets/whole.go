package datasets

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// WriteWhole writes a file whole or not at all: to a temporary file beside it, synced to the disk, that then takes its
// name. Its mode is that of the file that it replaces, 0644 less the umask of a new one. The error names the file.
func WriteWhole(path string, write func(io.Writer) error) error {
	f, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", path, err), f.Cleanup())
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", path, err), f.Cleanup())
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		dir.Sync() // not all file systems can
		dir.Close()
	}
	return nil
}
