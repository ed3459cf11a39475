package eval

import (
	"reflect"
	"strconv"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// goroutine runs f beside the cell.
func (w *World) goroutine(run *Run, f func(*thread)) {
	w.beside.Add(1)
	ended := func(th *thread) {
		defer w.beside.Add(-1)
		f(th)
	}
	go w.Within(run, ended, func(r any, trace []Frame) {
		if a, ok := r.(*Abort); ok && (a.Err == ErrGoexit || run.stop.Load() && a.of == nil) {
			return
		}
		w.Stray(r, trace)
	})
}

// Within runs f as code of cells on this goroutine. A panic goes to failed, with where it was.
func (w *World) Within(run *Run, f func(*thread), failed func(value any, trace []Frame)) {
	id := rtype.G()
	th := &thread{w: w, run: run}
	w.mu.Lock()
	w.active[id]++
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		if w.active[id]--; w.active[id] == 0 {
			delete(w.active, id)
		}
		w.mu.Unlock()
		if r := recover(); r != nil {
			w.noteTop(th)
			failed(r, w.takeTrace())
		}
	}()
	f(th)
}

// maxNested is how deep compiled code and code of cells may call each other.
const maxNested = 10_000

// panicNested is how deep they may for a panic to pass: Go's runtime takes long for one that compiled code, as package
// encoding/json, recovers from and makes again at each of many calls.
const panicNested = 200

// attach makes a thread for a call from compiled code. What leave returns stands for the results after a panic that
// nobody on this goroutine waits for.
func (w *World) attach() (th *thread, leave func(r any, cd *code) []reflect.Value) {
	th = &thread{w: w, run: w.run.Load()}
	if w.nested.Add(1) > maxNested {
		w.nested.Add(-1)
		th.overflow(errNested)
	}
	return th, func(r any, cd *code) []reflect.Value {
		deep := w.nested.Add(-1) > panicNested
		if r == nil {
			return nil
		}
		if a, ok := r.(*Abort); ok && deep && a.fatal() { // all that called this ends too
			return zeros(cd)
		}
		ours := w.ours()
		w.noteTop(th)
		if ours {
			panic(r)
		}
		if a, ok := r.(*Abort); !ok || !th.run.stop.Load() || a.of != nil {
			w.Stray(r, w.takeTrace())
		}
		return zeros(cd)
	}
}

// Frame is where a call was.
type Frame struct {
	Cell, Line int
	Func       string
}

func (w *World) note(fr *frame) { w.noteTop(fr.th) }

// noteTop keeps where the panic at hand is, innermost first; calls further out are added as it passes them.
func (w *World) noteTop(th *thread) {
	w.mu.Lock()
	defer w.mu.Unlock()
	const most = 1000
	for fr := th.top; fr != nil; fr = fr.up {
		if !fr.code.unit.std {
			w.trace = append(w.trace, fr.place())
		}
	}
	th.top = nil
	if n := len(w.trace); n > 2*most {
		w.trace = append(w.trace[:most], w.trace[n-most:]...)
	}
}

func (fr *frame) place() Frame {
	f := Frame{Cell: fr.code.unit.cell, Func: fr.code.name}
	if fr.pos.IsValid() {
		p := fr.code.unit.fset.Position(fr.pos)
		f.Line = p.Line
		if n, err := strconv.Atoi(p.Filename); err == nil {
			f.Cell = n
		}
	}
	return f
}

// recovered forgets the panic at hand.
func (w *World) recovered() { w.takeTrace() }

func (w *World) takeTrace() []Frame {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.trace
	w.trace = nil
	return t
}

// SetRun makes run the one that what cells gave away belongs to from now on.
func (w *World) SetRun(run *Run) { w.run.Store(run) }

// Attend runs f, which may call what cells gave away; their panics pass through it.
func (w *World) Attend(f func()) {
	id := rtype.G()
	w.mu.Lock()
	w.active[id]++
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.active[id]--; w.active[id] == 0 {
			delete(w.active, id)
		}
	}()
	f()
}
