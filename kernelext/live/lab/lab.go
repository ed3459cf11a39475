package lab

import (
	"context"

	"github.com/ddps-go/ddps/kernelext"
)

// Lab is where functions run that take time or show something: they end with a context and write to an Output.
type Lab struct {
	ctx func() context.Context
	out kernelext.Output
	run func(f func())
}

// New returns a Lab. ctx gives the context of what is called next; run, if not nil, calls what answers a page later,
// one at a time with all else that the session runs.
func New(ctx func() context.Context, out kernelext.Output, run func(f func())) *Lab {
	if run == nil {
		run = func(f func()) { f() }
	}
	return &Lab{ctx, out, run}
}

// Notebook returns the Lab of a compiled cell.
func Notebook(ctx context.Context) *Lab {
	return New(func() context.Context { return ctx }, kernelext.Notebook(), nil)
}

// Ctx returns the context that ends when the cell is interrupted.
func (l *Lab) Ctx() context.Context { return l.ctx() }

// Show displays values in their richest forms.
func (l *Lab) Show(values ...any) { kernelext.Show(l.out, values...) }

// NewPlace returns a place whose Show replaces what it showed before.
//
//	p := NewPlace()
//	for i := range 10 { p.Show(i) }
func (l *Lab) NewPlace() *kernelext.Place { return kernelext.NewPlace(l.out) }

// NewProgress returns a bar for total units of work: Set(done, detail), End().
func (l *Lab) NewProgress(name string, total int) *kernelext.Progress {
	return kernelext.NewProgress(l.out, name, total)
}

// NewTable returns a table: Add(cells...) appends a row.
func NewTable(header ...string) *Table { return kernelext.NewTable(header...) }

// Interact shows controls and below them what f makes of their state, anew as they change. In a live cell it returns
// at once and goes on answering the page.
//
//	Interact(func(s State) any { return math.Sqrt(s.Float(0)) }, Slider{Name: "x", Max: 10, Value: 2})
func (l *Lab) Interact(f func(s State) any, controls ...Control) error {
	in, err := kernelext.Start(l.out, func(s State) (x any) { return f(s) }, controls...)
	if err != nil {
		return err
	}
	in.Guard(l.run)
	go func() {
		defer in.Close()
		in.Serve(context.Background(), 0)
	}()
	return nil
}

// watch returns a progress bar as the libraries' callback, and what ends it.
func (l *Lab) watch(name string) (set func(done, total int), end func()) {
	var p *kernelext.Progress
	return func(done, total int) {
			if p == nil {
				p = l.NewProgress(name, total)
			}
			p.Set(done, "")
		}, func() {
			if p != nil {
				p.End()
			}
		}
}
