package eval

import (
	"errors"
	"go/token"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// frame is what one call of a function of cells works with.
type frame struct {
	mem      unsafe.Pointer   // parameters, results, locals and temporaries, as code.layout says
	caps     []unsafe.Pointer // addresses of variables of functions around it
	th       *thread
	code     *code
	up       *frame // the caller
	depth    int
	pos      token.Pos
	target   *label // of a break, continue or goto that is under way
	defers   []func(*frame)
	deferrer *frame // the frame whose deferred call this is
	failed   *failure
}

// failure is a panic on its way through a frame that has deferred calls.
type failure struct {
	value     any
	recovered bool
}

// thread is one goroutine that runs code of cells.
type thread struct {
	w    *World
	run  *Run
	top  *frame
	pool []*frame
}

// Run is what an interrupt ends: all that cells began since the last one.
type Run struct {
	stop atomic.Bool
	done chan struct{}
	err  atomic.Pointer[error]
}

// NewRun returns a run that has not ended.
func NewRun() *Run { return &Run{done: make(chan struct{})} }

// Stop ends all that belongs to the run, for the reason given. It reports whether the run had not ended.
func (r *Run) Stop(why error) bool {
	first := r.err.CompareAndSwap(nil, &why)
	if first {
		r.stop.Store(true)
		close(r.done)
	}
	return first
}

// fail ends the run for what would end the program: compiled code may recover from a panic.
func (r *Run) fail(why *Fatal) {
	if r.Stop(why) {
		panic(&Abort{Err: why, of: r})
	}
	panic(&Abort{Err: *r.err.Load()})
}

// Stopped reports whether the run has ended.
func (r *Run) Stopped() bool { return r.stop.Load() }

// Fatal returns why the run has ended if a program would have ended too, else nil.
func (r *Run) Fatal() (why *Fatal) {
	if p := r.err.Load(); p != nil {
		errors.As(*p, &why)
	}
	return why
}

// Abort is what stopped code panics with. No code of cells can recover from it.
type Abort struct {
	Err error
	of  *Run // that this ended, nil if it had ended
}

// Ended returns the run that this panic ended, nil if something else did.
func (a *Abort) Ended() *Run { return a.of }

// Error returns the reason.
func (a *Abort) Error() string { return a.Err.Error() }

func (a *Abort) fatal() bool {
	_, ok := a.Err.(*Fatal)
	return ok
}

// check panics if the run has ended.
func (th *thread) check() {
	if th.run.stop.Load() {
		th.abort()
	}
}

func (th *thread) abort() { panic(&Abort{Err: *th.run.err.Load()}) }

// maxDepth is how deep calls of functions of cells may nest.
const maxDepth = 100_000

// enter returns a frame for a call of cd.
func (th *thread) enter(cd *code) *frame {
	var fr *frame
	if n := len(th.pool); n > 0 {
		fr = th.pool[n-1]
		th.pool = th.pool[:n-1]
	} else {
		fr = &frame{th: th}
	}
	fr.code = cd
	fr.mem = rtype.New(cd.memory)
	return fr
}

// call runs the body of fr's function. Its parameters are set; its results are in fr.mem afterwards.
func (th *thread) call(fr *frame) {
	fr.up = th.top
	if th.top != nil {
		fr.depth = th.top.depth + 1
	} else {
		fr.depth = 0
	}
	if fr.depth > maxDepth {
		th.overflow(errDeep)
	}
	if th.run.stop.Load() {
		th.abort()
	}
	th.top = fr
	cd := fr.code
	for _, b := range cd.boxes {
		b(fr)
	}
	if cd.defers {
		fr.withDefers()
	} else {
		cd.body(fr)
	}
	for _, r := range cd.unbox {
		r(fr)
	}
	th.top = fr.up
	*fr = frame{th: th}
	th.pool = append(th.pool, fr)
}

func (th *thread) overflow(why *Fatal) { th.run.fail(why) }

// withDefers runs the body and then the deferred calls, last first; a panic is handed to them.
func (fr *frame) withDefers() {
	th := fr.th
	fr.guard(func() { fr.code.body(fr) })
	for len(fr.defers) > 0 {
		d := fr.defers[len(fr.defers)-1]
		fr.defers = fr.defers[:len(fr.defers)-1]
		th.top = fr
		fr.guard(func() { d(fr) })
		if fr.failed != nil && fr.failed.recovered {
			fr.failed = nil
			th.w.recovered()
		}
	}
	th.top = fr
	if f := fr.failed; f != nil {
		panic(f.value)
	}
}

// guard runs f and keeps the panic that ends it.
func (fr *frame) guard(f func()) {
	defer func() {
		if r := recover(); r != nil {
			fr.th.w.note(fr)
			fr.failed = &failure{value: r}
		}
	}()
	f()
}

// recover does what the built-in function does in the frame fr.
func (fr *frame) recover() any {
	d := fr.deferrer
	if d == nil && fr.up != nil && fr.up.code.wraps {
		d = fr.up.deferrer
	}
	if d == nil || d.failed == nil || d.failed.recovered {
		return nil
	}
	switch d.failed.value.(type) {
	case *Abort, *Unsupported:
		return nil
	}
	d.failed.recovered = true
	return d.failed.value
}

// code is a function ready to run.
type code struct {
	name   string
	memory rtype.Type // of frame.mem
	layout reflect.Type
	boxes  []func(*frame) // move parameters whose address is taken to variables of their own
	unbox  []func(*frame) // and results back
	body   stmt
	defers bool
	ins    []int // offsets of parameters, the receiver first
	outs   []int // offsets of results
	inT    []reflect.Type
	outT   []reflect.Type
	unit   *unit
	recv   bool
	wraps  bool // it is a method expression: what it calls recovers in its stead
}

// stmt is a compiled statement.
type stmt func(*frame) ctl

// ctl says how a statement ended.
type ctl int

const (
	next ctl = iota
	brk
	cont
	ret
	jump
	fall
)
