package live

import (
	"context"
	"fmt"
	"path"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/live/eval"
	"github.com/ddps-go/ddps/kernelext/live/symbols"
)

const labPath = "github.com/ddps-go/ddps/kernelext/live/lab"

// Grace is how long an interrupted cell may take to end before the session goes on without it.
const Grace = 2 * time.Second

// Session is an interpreter session. Its methods are safe for concurrent use; cells run one at a time.
type Session struct {
	out     *switchboard
	mu      sync.Mutex
	busy    chan struct{} // holds one token while a cell runs
	ctx     context.Context
	end     context.CancelFunc // of ctx
	run     *eval.Run          // of all that cells began since the last interrupt; ends with ctx
	working atomic.Bool        // a cell is at work
	stray   atomic.Pointer[Error]
	views   views
	both    struct{ of, session, ctx context.Context } // what interruptible made last, of which contexts
	state                                              // guarded by busy
}

// state is what Reset makes anew.
type state struct {
	es     *eval.Session
	tables eval.Tables
	key    map[string]string // path of a package → key of tables
	cells  int
}

// New returns a session. What code writes between cells goes to out.
func New(out kernelext.Output) (*Session, error) {
	s := &Session{busy: make(chan struct{}, 1), out: &switchboard{to: out}, end: func() {}}
	s.start()
	return s, nil
}

// Reset forgets all values and definitions. It does not wait for a cell that runs on: interrupt that first.
func (s *Session) Reset() {
	release, free := s.try()
	if !free {
		release = s.abandon()
	}
	defer release()
	s.views.forget()
	s.start()
}

// start makes a fresh evaluator.
func (s *Session) start() {
	tables := eval.Tables(symbols.Tables())
	s.override(tables)
	w := eval.NewWorld(tables)
	w.Stderr, w.Stray, w.Context = s.out.Stderr(), s.strayed, s.interruptible
	st := state{tables: tables, es: eval.NewSession(w, labPath), key: map[string]string{}}
	for k := range tables {
		st.key[path.Dir(k)] = k
	}
	s.state = st
}

// abandon gives up what holds the session, and holds it anew.
func (s *Session) abandon() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	busy := make(chan struct{}, 1)
	busy <- struct{}{}
	s.busy = busy
	s.working.Store(false)
	return func() { <-busy }
}

func (s *Session) token() chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busy
}

// try takes the session if no cell runs.
func (s *Session) try() (release func(), ok bool) {
	busy := s.token()
	select {
	case busy <- struct{}{}:
		return func() { <-busy }, true
	default:
		return func() {}, false
	}
}

// Context returns the context of what cells do, also beside and after them. An interrupt ends it.
func (s *Session) Context() context.Context {
	ctx, _, _ := s.calm()
	return ctx
}

// calm returns the context and run of what cells do, new ones if the last were ended, and what ends them.
func (s *Session) calm() (context.Context, *eval.Run, context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx == nil || (s.ctx.Err() != nil || s.run.Stopped()) && !s.working.Load() {
		run := eval.NewRun()
		s.ctx, s.end = context.WithCancel(context.Background())
		s.run = run
		context.AfterFunc(s.ctx, func() { run.Stop(ErrInterrupted) })
	}
	return s.ctx, s.run, s.end
}

// Eval runs a cell. What it writes and shows goes to out, its last expression too. The error is an *Error, or
// wraps ErrInterrupted if ctx ended it, or is ErrBusy.
func (s *Session) Eval(ctx context.Context, code string, out kernelext.Output) error {
	return s.EvalCell(ctx, 0, code, out)
}

// EvalCell is Eval of a cell that its user knows by a number, from 1, which tracebacks name; 0 numbers it by itself.
func (s *Session) EvalCell(ctx context.Context, number int, code string, out kernelext.Output) error {
	busy := s.token()
	select {
	case busy <- struct{}{}:
	case <-ctx.Done():
		s.Stop()
		return &Error{Name: "interrupted", Message: ErrBusy.Error(), Err: ErrBusy}
	}
	_, run, end := s.calm()
	unhook := context.AfterFunc(ctx, func() {
		run.Stop(ErrInterrupted)
		end()
	})
	defer func() {
		if !unhook() {
			run.Stop(ErrInterrupted) // for certain, before another cell begins
			end()
		}
	}()
	s.out.set(out)
	done := make(chan error, 1)
	go func() {
		err := s.eval(ctx, run, number, code)
		<-busy // first: whoever hears of the end finds the session free
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(Grace):
		s.abandon()()
		return &Error{Name: "interrupted", Message: ErrStuck.Error(), Err: ErrStuck}
	}
}

// eval runs a cell while the session is held.
func (s *Session) eval(ctx context.Context, run *eval.Run, number int, code string) error {
	if s.cells++; number > 0 {
		s.cells = number
	}
	s.stray.Store(nil)
	s.working.Store(true)
	defer s.working.Store(false)
	code, timed, err := s.magic(code)
	if err != nil {
		return err
	}
	if timed == once {
		defer func(begin time.Time) { s.took(time.Since(begin)) }(time.Now())
	}
	cell, err := s.es.Check(s.cells, code)
	if err != nil {
		return fail(err)
	}
	var failed *Error
	fails := func(value any, trace []eval.Frame) { failed = s.panicked(value, trace) }
	var values []any
	silent := true
	if timed == many {
		err = s.measure(ctx, run, cell, fails)
	} else {
		values, silent, err = cell.Run(run, fails)
	}
	switch {
	case err != nil:
		return fail(err)
	case ctx.Err() != nil:
		line := 0
		if failed != nil {
			line = failed.line
		}
		return &Error{Name: "interrupted", Message: "interrupted", Err: fmt.Errorf("%w: %w", ErrInterrupted, ctx.Err()),
			line: line}
	case s.stray.Load() != nil:
		return s.stray.Load()
	case failed != nil && failed.Err == errExit:
		return nil
	case failed != nil:
		return failed
	case silent:
		return nil
	}
	if err := s.show(values, cell.FromCall()); err != nil {
		return &Error{Name: "error", Message: s.text(err.Error), Err: err, line: cell.LastLine(),
			Trace: []Frame{{Cell: s.cells, Line: cell.LastLine()}}}
	}
	return nil
}

// value returns what a dotted name of variables and fields stands for. It calls nothing.
func (s *Session) value(parts []string) reflect.Value {
	v := s.es.Value(parts[0])
	for _, p := range parts[1:] {
		for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) {
			v = v.Elem()
		}
		if !v.IsValid() || v.Kind() != reflect.Struct {
			return reflect.Value{}
		}
		v = v.FieldByName(p)
	}
	if v.IsValid() && v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	return v
}
