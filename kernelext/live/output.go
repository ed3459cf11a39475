package live

import (
	"io"
	"sync"

	"github.com/ddps-go/ddps/kernelext"
)

// switchboard is the Output that code in a session sees. It passes all on to the Output of the cell at work, or of
// the last one: what a goroutine writes later still goes somewhere.
type switchboard struct {
	mu sync.Mutex
	to kernelext.Output
}

func (b *switchboard) set(out kernelext.Output) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.to = out
}

func (b *switchboard) current() kernelext.Output {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.to
}

// Stdout returns a writer to the current cell's standard output.
func (b *switchboard) Stdout() io.Writer {
	return writer(func(p []byte) (int, error) { return b.current().Stdout().Write(p) })
}

// Stderr returns a writer to the current cell's standard error.
func (b *switchboard) Stderr() io.Writer {
	return writer(func(p []byte) (int, error) { return b.current().Stderr().Write(p) })
}

// Display passes a bundle on.
func (b *switchboard) Display(data, metadata map[string]any, id string, update bool) {
	b.current().Display(data, metadata, id, update)
}

// Result passes the value of the cell on.
func (b *switchboard) Result(data, metadata map[string]any) { b.current().Result(data, metadata) }

// Listen listens where the current cell is shown, if that is a page.
func (b *switchboard) Listen(address string, f func(text string)) (stop func()) {
	if page, ok := b.current().(kernelext.Page); ok {
		return page.Listen(address, f)
	}
	return func() {}
}

type writer func(p []byte) (int, error)

// Write calls w.
func (w writer) Write(p []byte) (int, error) { return w(p) }
