package live

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// Grace is how long an interrupted cell may take to end before the session goes on without it.
const Grace = 2 * time.Second

// brake stops what the interpreter runs. Its own way, ExecuteWithContext, counts up the number that each frame is held
// to, and closes a channel with which each operation on channels waits. Both are for good: functions that code keeps
// as values would belong to the old number, and end before they begin, each with zero values. So the brake counts down
// again when what it stopped has ended, and sends on the channel instead of closing it.
type brake struct {
	id     *uint64       // the interpreter's number
	done   chan struct{} // the interpreter's channel
	others atomic.Int64  // goroutines of cells
}

// newBrake returns the brake of an interpreter that has run nothing. The error is that this is another interpreter than
// the one this is written for.
func newBrake(in *interp.Interpreter, nothing *interp.Program) (*brake, error) {
	if _, err := in.ExecuteWithContext(context.Background(), nothing); err != nil { // makes the channel, and has it heeded
		return nil, err
	}
	v := reflect.ValueOf(in).Elem()
	id, done := v.FieldByName("id"), v.FieldByName("done")
	if !id.IsValid() || !done.IsValid() || id.Type() != reflect.TypeFor[uint64]() || done.Type() != reflect.TypeFor[chan struct{}]() {
		return nil, errors.New("the interpreter is not the one that is known")
	}
	b := &brake{id: (*uint64)(unsafe.Pointer(id.UnsafeAddr())), done: *(*chan struct{})(unsafe.Pointer(done.UnsafeAddr()))}
	return b, nil
}

// hold lets what the interpreter runs until release is called end when ctx does. The function stop ends it at once, for
// the reason given.
func (b *brake) hold(ctx context.Context) (inner context.Context, stop func(error), release func()) {
	inner, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	ended, loose := make(chan struct{}), make(chan struct{})
	pull := sync.OnceFunc(func() {
		atomic.AddUint64(b.id, 1)
		go func() {
			defer close(loose)
			b.wake(ended)
			atomic.AddUint64(b.id, ^uint64(0))
		}()
	})
	stop = func(why error) {
		cancel(why)
		pull()
	}
	unhook := context.AfterFunc(ctx, func() { stop(ctx.Err()) })
	return inner, stop, func() {
		unhook()
		close(ended)
		if inner.Err() != nil {
			pull() // by another, at this moment: its end is to be waited for
			<-loose
		}
		cancel(nil)
	}
}

// strays is how long goroutines may take to end that an interrupt stopped, and that are in compiled code.
const strays = 200 * time.Millisecond

// wake ends operations on channels until what was stopped has ended.
func (b *brake) wake(ended <-chan struct{}) {
	for on := true; on; {
		select {
		case b.done <- struct{}{}:
		case <-ended:
			on = false
		}
	}
	for late := time.After(strays); b.others.Load() > 0; {
		select {
		case b.done <- struct{}{}:
		case <-late:
			return
		case <-time.After(time.Millisecond):
		}
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
	inner, stop, release := s.brake.hold(ctx)
	defer release()
	s.stop.Store(&stop)
	defer s.stop.Store(nil)
	if e := s.stray.Load(); e != nil { // that came before there was something to stop
		stop(e)
	}
	_, err := s.in.Execute(p)
	if inner.Err() != nil {
		return context.Cause(inner)
	}
	return err
}

// background runs what a go statement or the like began. A panic does not end the process: it ends the cell at work, as
// it would a program, and is told if there is none.
func (s *Session) background(f func()) {
	brake := s.brake
	brake.others.Add(1)
	defer brake.others.Add(-1)
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		e := panicked(r, 0, s.out.traced())
		e.Message = "panic in a goroutine: " + e.Message
		if !s.working.Load() {
			fmt.Fprintln(s.out.Stderr(), e.Message)
			return
		}
		s.stray.CompareAndSwap(nil, e)
		if stop := s.stop.Load(); stop != nil {
			(*stop)(e)
		}
		_, end := s.calm()
		end() // what waits with the context
	}()
	f()
}

// exclusive runs f between cells, until it ends or Stop is called.
func (s *Session) exclusive(f func()) {
	busy := s.busy
	busy <- struct{}{}
	defer func() { <-busy }()
	ctx, _ := s.calm()
	_, _, release := s.brake.hold(ctx)
	defer release()
	f()
}

// Stop ends what runs between cells: what a page asked for, and goroutines.
func (s *Session) Stop() {
	_, end := s.calm()
	end()
	if release, free := s.try(); free {
		defer release()
		_, stop, let := s.brake.hold(context.Background())
		stop(ErrInterrupted)
		let()
	}
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
