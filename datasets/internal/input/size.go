package input

import (
	"errors"
	"os"
)

// Size returns the size of a file that is read at any place. A pipe or a device has none, which is an error.
func Size(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file, and this format is not read from a pipe or a device: copy it to a file")
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
