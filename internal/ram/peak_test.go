package ram

import (
	"errors"
	"testing"
	"time"
)

// A peak has what is held for a while and given back.
func TestPeakOf(t *testing.T) {
	const size = 200 << 20
	none, err := PeakOf(func() error { return nil })
	if err != nil || none <= 0 {
		t.Fatal(none, err)
	}
	failed := errors.New("failed")
	some, err := PeakOf(func() error {
		x := make([]byte, size)
		for i := 0; i < len(x); i += 1 << 10 {
			x[i] = 1
		}
		time.Sleep(50 * time.Millisecond)
		if x[size/2] != 1 {
			t.Error("not written")
		}
		return failed
	})
	if !errors.Is(err, failed) || some < none+size/2 || some > none+3*size {
		t.Errorf("%d bytes after %d: %v", some, none, err)
	}
}
