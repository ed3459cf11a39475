package live

import (
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ddps-go/ddps/kernelext"
)

// switchboard is the Output that code in a session sees. It passes all on to the Output of the cell at work, or of
// the last one: what a goroutine writes later still goes somewhere.
type switchboard struct {
	mu    sync.Mutex
	to    kernelext.Output
	trace []Frame // where a panic passed, innermost first
	watch bool    // a cell runs

	functions []function          // by number
	left      atomic.Pointer[int] // where the function stood that ended last; nil once it is known that it panicked
	passing   atomic.Bool         // trace holds something
}

func (b *switchboard) set(out kernelext.Output) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.to, b.trace, b.watch = out, nil, true
	b.left.Store(nil)
	b.passing.Store(false)
}

// traced returns the places that a panic passed beside the cell, and forgets them.
func (b *switchboard) traced() []Frame {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.trace
	b.trace = nil
	b.passing.Store(false)
	return t
}

// end returns the places that a panic passed, and forgets them.
func (b *switchboard) end() []Frame {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.trace
	b.trace, b.watch = nil, false
	b.passing.Store(false)
	return t
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

// interpreter returns the interpreter's own standard error: where a panic passes through a function it writes
// "3/cell.go:5:10: panic: main.f(...)", which becomes the traceback.
func (b *switchboard) interpreter() io.Writer {
	return writer(func(p []byte) (int, error) {
		if f, ok := frameOf(strings.TrimSpace(string(p))); ok {
			b.passed(f)
			return len(p), nil
		}
		return b.current().Stderr().Write(p)
	})
}

// literal is what a function without a name is called.
const literal = "a function literal"

func frameOf(s string) (f Frame, ok bool) {
	m := place.FindStringSubmatchIndex(s)
	if m == nil || m[0] != 0 || !strings.HasPrefix(s[m[1]:], ": panic: ") || !strings.HasSuffix(s, "(...)") {
		return f, false
	}
	f.Cell, _ = strconv.Atoi(s[m[2]:m[3]])
	f.Line, _ = strconv.Atoi(s[m[4]:m[5]])
	name := strings.TrimSuffix(s[m[1]+len(": panic: "):], "(...)")
	_, f.Func, _ = strings.Cut(name, ".")
	if name == "main.func" {
		f.Func = literal
	}
	return f, true
}

type writer func(p []byte) (int, error)

// Write calls w.
func (w writer) Write(p []byte) (int, error) { return w(p) }
