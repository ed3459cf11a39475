package atomicfile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// MakeDir makes a directory and those above it that are not there, with permission 0755. The error says which name on
// the way is a symbolic link to nothing; links to directories are followed.
func MakeDir(dir string) error {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		return nil
	}
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if to, bad := os.Readlink(d); bad == nil {
			if _, bad = os.Stat(d); os.IsNotExist(bad) {
				return &fs.PathError{Op: "mkdir", Path: dir, Err: fmt.Errorf("%s is a symbolic link to %s, which is not there: "+
					"make that directory first, or remove the link", d, to)}
			}
		}
		if d == filepath.Dir(d) {
			return err
		}
	}
}
