package live

import (
	"fmt"
	"io"
	"maps"
	"os"
	"sync"

	"github.com/ddps-go/ddps/kernelext"
)

// switchboard is the Output that code in a session sees. It passes all on to the Output of the cell at work, or of
// the last one: what a goroutine writes later still goes somewhere.
type switchboard struct {
	mu   sync.Mutex
	to   kernelext.Output
	text int      // bytes that the cell has written
	rest *os.File // where what is too much goes
}

// A cell may write so many bytes, and show a drawing of so many.
const (
	maxText = 2 << 20
	maxSVG  = 4 << 20
)

func (b *switchboard) set(out kernelext.Output) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.to, b.text = out, 0
	if b.rest != nil {
		b.rest.Close()
		b.rest = nil
	}
}

// write writes to a stream of the cell; beyond maxText to a file, which is said once.
func (b *switchboard) write(p []byte, stream func(kernelext.Output) io.Writer) (int, error) {
	b.mu.Lock()
	to, over := b.to, b.text+len(p) > maxText
	if over && b.rest == nil {
		f, err := os.CreateTemp("", "ddps-output-*.txt")
		if err != nil {
			b.mu.Unlock()
			return 0, fmt.Errorf("the cell has written %d bytes: %w", b.text, err)
		}
		b.rest = f
		defer fmt.Fprintf(to.Stderr(), "\nmore than %d MB of output: the rest goes to %s\n", maxText>>20, f.Name())
	}
	if over {
		defer b.mu.Unlock()
		b.text = maxText
		return b.rest.Write(p)
	}
	b.text += len(p)
	b.mu.Unlock()
	return stream(to).Write(p)
}

// bounded returns a bundle without a drawing that no browser likes to show, and says so; the picture stays.
func (b *switchboard) bounded(data map[string]any) map[string]any {
	svg, _ := data["image/svg+xml"].(string)
	if len(svg) <= maxSVG || data["image/png"] == nil {
		return data
	}
	data = maps.Clone(data)
	delete(data, "image/svg+xml")
	fmt.Fprintf(b.current().Stderr(), "the drawing has %d MB as SVG: shown as PNG\n", len(svg)>>20)
	return data
}

func (b *switchboard) current() kernelext.Output {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.to
}

// Stdout returns a writer to the current cell's standard output.
func (b *switchboard) Stdout() io.Writer {
	return writer(func(p []byte) (int, error) { return b.write(p, kernelext.Output.Stdout) })
}

// Stderr returns a writer to the current cell's standard error.
func (b *switchboard) Stderr() io.Writer {
	return writer(func(p []byte) (int, error) { return b.write(p, kernelext.Output.Stderr) })
}

// Display passes a bundle on.
func (b *switchboard) Display(data, metadata map[string]any, id string, update bool) {
	b.current().Display(b.bounded(data), metadata, id, update)
}

// Result passes the value of the cell on.
func (b *switchboard) Result(data, metadata map[string]any) {
	b.current().Result(b.bounded(data), metadata)
}

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
