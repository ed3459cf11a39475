package ddps

import (
	"strings"
	"testing"
)

// zeros is a file without an end.
type zeros struct{ read int }

func (z *zeros) Read(p []byte) (int, error) { clear(p); z.read += len(p); return len(p), nil }

// What does not begin as a graph is refused by its start, however long it is.
func TestReadGraphEndless(t *testing.T) {
	z := &zeros{}
	if _, err := ReadGraph(z); err == nil || !strings.Contains(err.Error(), "line 1") || z.read > 1<<16 {
		t.Errorf("%v after %d bytes", err, z.read)
	}
}
