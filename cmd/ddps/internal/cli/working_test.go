package cli

import (
	"bytes"
	"testing"
	"time"
)

// Work that takes long is noted, ever more rarely; what has ended is not.
func TestWorking(t *testing.T) {
	notes := make(noted, 100)
	a := &App{Stderr: notes}
	end := a.working("product", time.Millisecond)
	for _, want := range []string{"product: 1ms so far\n", "product: 2ms so far\n", "product: 4ms so far\n"} {
		if got := <-notes; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	end()
	end()
	var none bytes.Buffer
	a.Stderr = &none
	a.Working("short")()
	if none.Len() > 0 {
		t.Errorf("%q", none.String())
	}
}

// noted sends what is written.
type noted chan string

func (n noted) Write(p []byte) (int, error) {
	n <- string(p)
	return len(p), nil
}
