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

// ReadSummed returns a file, whose SHA-256 sum stands in FILE.sha256. The error of a file with another sum or without
// one names it, and one of a file that is not there wraps fs.ErrNotExist.
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

// checkSum returns an error that names the file, which is there, if it has no sum beside it or another one.
func checkSum(path string) error {
	sums, err := digest.Read(sumsOf(path))
	if err == nil {
		err = sums.Check(filepath.Dir(path), filepath.Base(path))
	}
	switch accept := fmt.Sprintf("'cd %s && sha256sum %s > %s' accepts it as it is", filepath.Dir(path),
		filepath.Base(path), filepath.Base(sumsOf(path))); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %s, its SHA-256 sum, is missing, so that changed rows would not be found: restore it; %s",
			path, filepath.Base(sumsOf(path)), accept)
	case errors.Is(err, digest.ErrChanged):
		return fmt.Errorf("%w; restore it; %s", err, accept)
	}
	return err
}
