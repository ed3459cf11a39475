package ram

import (
	"fmt"
	"io"
	"os"
)

// MaxText is the most bytes of a text that a person writes: settings, names, a script.
const MaxText = 64 << 20

// ReadFile reads a file of at most so many bytes; one that has more, or no end, is an error that names it.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s: more than %s", path, gib(float64(most)))
	}
	return data, err
}
