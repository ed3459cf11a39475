package live

import (
	"context"
	"fmt"
	"go/ast"
	"runtime"
	"time"

	"github.com/traefik/yaegi/interp"
)

// Grace is how long an interrupted cell may take to end before the session goes on without it.
const Grace = 2 * time.Second

// guard is what lets a running cell be stopped. The interpreter stops all that runs when the context of an
// ExecuteWithContext ends, but that call returns at once and does not tell when the code has really stopped. So the
// guard has such a call wait inside a program that does nothing, beside the cell, which runs by plain Execute and
// returns when it has ended.
type guard struct {
	in               *interp.Interpreter
	program          *interp.Program
	entered, release chan struct{}
}

// wait is what the guard's program calls.
func (g *guard) wait() {
	g.entered <- struct{}{}
	<-g.release
}

// hold starts the guard: what the interpreter runs until release is called ends when ctx does. The function stop ends
// it at once, for the reason given, and returns when the interpreter knows.
func (g *guard) hold(ctx context.Context) (inner context.Context, stop func(error), release func()) {
	inner, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		g.in.ExecuteWithContext(inner, g.program) // its error is inner's
	}()
	<-g.entered
	unhook := context.AfterFunc(ctx, func() { cancel(ctx.Err()) })
	stop = func(why error) {
		cancel(why)
		<-done
	}
	return inner, stop, func() {
		unhook()
		g.release <- struct{}{}
		<-done
		cancel(nil)
	}
}

// compile compiles one node. The interpreter's own failures on code that it does not understand are errors too.
func (s *Session) compile(n ast.Node) (p *interp.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w (%v)", errUnknown, r)
		}
	}()
	return s.in.CompileAST(n)
}

// execute runs a program until it or ctx ends.
func (s *Session) execute(ctx context.Context, p *interp.Program) error {
	inner, stop, release := s.guard.hold(ctx)
	defer release()
	s.stop.Store(&stop)
	defer s.stop.Store(nil)
	_, err := s.in.Execute(p)
	if inner.Err() != nil {
		return context.Cause(inner)
	}
	return err
}

// background runs what a go statement started. A panic is told, and does not end the process.
func (s *Session) background(f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(s.out.Stderr(), "panic in a goroutine: %s\n", tidy(fmt.Sprint(r)))
		}
	}()
	f()
}

// exclusive runs f between cells, with a context of its own, until it ends or Stop is called.
func (s *Session) exclusive(f func()) {
	busy := s.busy
	busy <- struct{}{}
	defer func() { <-busy }()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.mu.Lock()
	s.ctx, s.between = ctx, cancel
	s.mu.Unlock()
	_, _, release := s.guard.hold(ctx)
	defer release()
	f()
}

// Stop ends what runs between cells: what a page asked for.
func (s *Session) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.between()
}

// sleep is time.Sleep for cells: it ends, as the cell does, when the cell is interrupted.
func (s *Session) sleep(d time.Duration) {
	ctx := s.Context()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// deepest is how many frames of the Go stack code may use: an endless recursion ends there and not
// where Go ends the process.
const deepest = 40_000

// enter is called at the start of each function of a cell. It looks at the depth of the stack now and then, since
// that takes time in proportion.
func (s *Session) enter() {
	if s.calls.Add(1)%512 != 0 {
		return
	}
	var pc [1]uintptr
	if runtime.Callers(deepest, pc[:]) == 0 {
		return
	}
	if stop := s.stop.Load(); stop != nil { // a panic would take time by the square of the depth
		(*stop)(&Error{Name: "panic", Message: "stack overflow: a function calls itself without end"})
		return
	}
	panic("stack overflow: a function calls itself without end")
}
