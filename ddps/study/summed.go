package study

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ddps-go/ddps/internal/digest"
)

// sumEnding is what the name of the file with another's sum has after that of the other.
const sumEnding = ".sha256"

func sumsOf(path string) string { return path + sumEnding }

// ReadSummed returns a file, whose SHA-256 sum stands in FILE.sha256. The error of a file with another sum names it,
// and one of a file that is not there wraps fs.ErrNotExist. A file that an older program made has no sum, and is read
// as it is.
func ReadSummed(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err == nil {
		err = checkSum(path)
	}
	return data, err
}

// WriteSummed writes a file, whole or not at all, and its SHA-256 sum beside it. A process may be killed at any point.
func WriteSummed(path string, write func(io.Writer) error) error {
	sums, err := sumsBeside(path)
	if err != nil {
		return err
	}
	dir, name := filepath.Split(path)
	return sums.Replace(dir, name, name+sumEnding, write)
}

// RemoveSummed removes a file and its sum, if they are there.
func RemoveSummed(path string) error {
	for _, name := range []string{path, sumsOf(path)} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// sumsBeside returns the sums beside a file; that of the file as it is where there are none.
func sumsBeside(path string) (digest.Sums, error) {
	sums, err := digest.Read(sumsOf(path))
	if !errors.Is(err, fs.ErrNotExist) {
		return sums, err
	}
	sums = digest.Sums{}
	if sum, err := digest.File(path); err == nil {
		sums[filepath.Base(path)] = []string{sum}
	}
	return sums, nil
}

// checkSum returns an error that names the file if it has another sum than that beside it.
func checkSum(path string) error {
	sums, err := digest.Read(sumsOf(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = sums.Check(filepath.Dir(path), filepath.Base(path))
	}
	if errors.Is(err, digest.ErrChanged) {
		err = fmt.Errorf("%w; restore it, or delete %s if that is meant", err, sumsOf(path))
	}
	return err
}
