package live

import (
	"context"
	"fmt"
	"time"

	"github.com/ddps-go/ddps/kernelext/live/eval"
)

// strayed is called with a panic in a goroutine. It ends the cell at work, as it would a program, and is written out if
// there is none.
func (s *Session) strayed(value any, trace []eval.Frame) {
	e := s.panicked(value, trace)
	e.Message = "panic in a goroutine: " + e.Message
	a, ended := value.(*eval.Abort)
	s.mu.Lock()
	late := ended && a.Ended() != nil && a.Ended() != s.run // the cell has been told
	working := s.working.Load()
	if working && !late {
		s.stray.CompareAndSwap(nil, e)
	}
	s.mu.Unlock()
	switch {
	case late:
	case !working:
		fmt.Fprintln(s.out.Stderr(), e.Message)
	default:
		_, run, end := s.calm()
		run.Stop(e)
		end() // what waits with the context
	}
}

// interruptible returns a context like ctx that an interrupt ends too.
func (s *Session) interruptible(ctx context.Context) context.Context {
	own := s.Context()
	if ctx.Done() == nil { // as of context.Background
		return valued{own, ctx}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.both.of != ctx || s.both.session != own {
		both, cancel := context.WithCancel(ctx)
		stop := context.AfterFunc(own, cancel)
		context.AfterFunc(both, func() { stop() })
		s.both.of, s.both.session, s.both.ctx = ctx, own, both
	}
	return s.both.ctx
}

// valued is a context with the values of another.
type valued struct {
	context.Context
	values context.Context
}

func (v valued) Value(key any) any {
	if x := v.values.Value(key); x != nil {
		return x
	}
	return v.Context.Value(key)
}

// exclusive runs f between cells, until it ends or Stop is called.
func (s *Session) exclusive(f func()) {
	busy := s.token()
	busy <- struct{}{}
	defer func() { <-busy }()
	_, run, _ := s.calm()
	s.es.SetRun(run)
	s.es.Attend(f)
}

// Stop ends what runs between cells: what a page asked for, and goroutines.
func (s *Session) Stop() {
	_, run, end := s.calm()
	run.Stop(ErrInterrupted)
	end()
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
