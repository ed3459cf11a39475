package eval

import (
	"bytes"
	"errors"
	"go/ast"
	"go/constant"
	"go/types"
	"io"
	"reflect"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

var (
	one         = constant.MakeInt64(1)
	errOverflow = errors.New("stack overflow: a function calls itself without end")
	// ErrGoexit ends a goroutine.
	ErrGoexit = errors.New("runtime.Goexit: a live cell ends by itself")
)

// World is what the code of a session's cells works with: types, packages, variables, functions, goroutines.
type World struct {
	Stderr io.Writer
	Stray  func(value any, trace []Frame) // is called with a panic beside the cell

	types   runtypes
	natives *natives
	values  map[types.Object]reflect.Value // of compiled packages
	bridges bridges
	globals map[types.Object]*global
	funcs   map[*types.Func]*source
	run     atomic.Pointer[Run]

	mu      sync.Mutex
	active  map[uint64]int // goroutines that run code of cells
	pending []Frame        // of a panic that passes through compiled code
	trace   []Frame        // of the panic at hand
	nested  atomic.Int64   // calls from compiled code under way
	compile sync.Mutex
}

// global is a variable of the session.
type global struct {
	p       unsafe.Pointer
	rt      reflect.Type
	defined func(types.Object)
}

func (g *global) renew(rt rtype.Type, obj types.Object) { g.set(rtype.New(rt), obj, nil) }

func (g *global) set(p unsafe.Pointer, obj types.Object, _ *World) {
	g.p = p
	if g.defined != nil {
		g.defined(obj)
	}
}

// NewWorld returns a world with compiled packages.
func NewWorld(t Tables) *World {
	w := &World{values: map[types.Object]reflect.Value{}, globals: map[types.Object]*global{}, funcs: map[*types.Func]*source{},
		active: map[uint64]int{}, bridges: newBridges(), Stray: func(any, []Frame) {}, Stderr: io.Discard}
	w.types.w, w.types.owned = w, map[reflect.Type]types.Type{}
	w.natives = newNatives(t, w.types.known)
	w.natives.values = w.values
	w.run.Store(NewRun())
	return w
}

// native returns the value of an object of a compiled package.
func (w *World) native(obj types.Object) reflect.Value { return w.values[obj] }

// source returns where a function of cells comes from.
func (w *World) source(fn *types.Func) *source { return w.funcs[fn.Origin()] }

// globalFor returns the session's variable that a definition at the top of a cell makes.
func (w *World) globalFor(obj types.Object, u *unit) *global { return u.tops[obj] }

// source is a declared function or method: what to compile, and what was compiled of it.
type source struct {
	decl *ast.FuncDecl
	sig  *types.Signature
	name string
	u    *unit
	one  atomic.Pointer[code]
	mu   sync.Mutex
	many map[string]*code
	vals map[string]unsafe.Pointer
}

// code returns the code of a function with the type arguments given.
func (s *source) code(w *World, targs []types.Type) *code {
	if len(targs) == 0 {
		if cd := s.one.Load(); cd != nil {
			return cd
		}
	}
	w.compile.Lock()
	defer w.compile.Unlock()
	return s.build(w, targs)
}

func (s *source) build(w *World, targs []types.Type) *code {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := ""
	sub := subst{}
	params := s.sig.TypeParams()
	if params.Len() == 0 {
		params = s.sig.RecvTypeParams()
	}
	for i, t := range targs {
		key += strconv.FormatUint(uint64(uintptr(unsafe.Pointer(rtype.Of(w.types.rt(t))))), 36) + ","
		sub[params.At(i)] = t
	}
	if cd := s.many[key]; cd != nil {
		return cd
	}
	if s.many == nil {
		s.many = map[string]*code{}
	}
	cd := w.function(s.u, nil, sub, s.name, s.sig, s.decl.Body).cd
	s.many[key] = cd
	if len(targs) == 0 {
		s.one.Store(cd)
	}
	return cd
}

// replace gives the function a new body.
func (s *source) replace(by *source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.decl, s.sig, s.u, s.many = by.decl, by.sig, by.u, nil
	s.one.Store(nil)
}

// value returns the function as a Go value.
func (s *source) value(w *World, targs []types.Type, t reflect.Type) unsafe.Pointer {
	key := t.String()
	for _, a := range targs {
		key += "," + types.TypeString(a, nil)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if p := s.vals[key]; p != nil {
		return p
	}
	if s.vals == nil {
		s.vals = map[string]unsafe.Pointer{}
	}
	f := reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value { return w.enter(s.code(w, targs), nil, nil, args) })
	s.vals[key] = wordOf(f)
	return s.vals[key]
}

// goroutine runs f beside the cell.
func (w *World) goroutine(run *Run, f func(*thread)) {
	go w.Within(run, func(th *thread) { f(th) }, func(r any, trace []Frame) {
		if a, ok := r.(*Abort); ok && (a.Err == ErrGoexit || run.stop.Load() && a.Err != errOverflow) {
			return
		}
		w.Stray(r, trace)
	})
}

// Within runs f as code of cells on this goroutine. A panic goes to failed, with where it was.
func (w *World) Within(run *Run, f func(*thread), failed func(value any, trace []Frame)) {
	id := goid()
	th := &thread{w: w, run: run, id: id}
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

// goid returns the number of this goroutine.
func goid() uint64 {
	var buf [64]byte
	b := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	n, _ := strconv.ParseUint(string(b[:max(0, bytes.IndexByte(b, ' '))]), 10, 64)
	return n
}

// maxNested is how deep compiled code and code of cells may call each other.
const maxNested = 10_000

// attach makes a thread for a call from compiled code. What leave returns stands for the results after a panic that
// nobody on this goroutine waits for.
func (w *World) attach() (th *thread, leave func(r any, cd *code) []reflect.Value) {
	th = &thread{w: w, run: w.run.Load()}
	if w.nested.Add(1) > maxNested {
		w.nested.Add(-1)
		th.run.Stop(errOverflow) // compiled code may recover from a panic
		th.overflow()
	}
	return th, func(r any, cd *code) []reflect.Value {
		w.nested.Add(-1)
		if r == nil {
			return nil
		}
		id := goid()
		w.mu.Lock()
		ours := w.active[id] > 0
		w.mu.Unlock()
		w.noteTop(th)
		if ours {
			panic(r)
		}
		if _, ok := r.(*Abort); !ok || !th.run.stop.Load() {
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

// dispatch is how a method of a type of cells is called through an interface.
type dispatch struct {
	code    func() *code
	receive func(data, dst unsafe.Pointer)
}

// dispatch returns the method of a type that comes from cells, nil if compiled code has it.
func (w *World) dispatch(rt reflect.Type, name string, pkg *types.Package) *dispatch {
	w.types.mu.Lock()
	n, ptr := w.types.owned[rt], false
	if n == nil && rt.Kind() == reflect.Pointer {
		n, ptr = w.types.owned[rt.Elem()], true
	}
	w.types.mu.Unlock()
	if n == nil || types.IsInterface(n) {
		return nil
	}
	obj, index, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, pkg, name)
	fn, ok := obj.(*types.Func)
	if !ok {
		return nil
	}
	src := w.source(fn)
	if src == nil {
		return nil
	}
	walk, final := w.path(n, index[:len(index)-1])
	if types.IsInterface(final) {
		return nil
	}
	direct := !ptr && rtype.Direct(rtype.Of(rt))
	get, put := w.methodCode(src, fn, final)
	return &dispatch{get, func(data, dst unsafe.Pointer) {
		if direct {
			word := data
			data = unsafe.Pointer(&word)
		}
		put(walk(data), dst)
	}}
}

// methodCode returns the code of a method, and what stores its receiver, which stands at p.
func (w *World) methodCode(src *source, fn *types.Func, recv types.Type) (get func() *code, put func(p, dst unsafe.Pointer)) {
	var targs []types.Type
	if n, ok := types.Unalias(recv).(*types.Named); ok {
		for a := range n.TypeArgs().Types() {
			targs = append(targs, a)
		}
	}
	get = func() *code { return src.code(w, targs) }
	if _, ok := fn.Signature().Recv().Type().Underlying().(*types.Pointer); ok {
		return get, func(p, dst unsafe.Pointer) { *(*unsafe.Pointer)(dst) = p }
	}
	rt := rtype.Of(w.types.rt(recv))
	return get, func(p, dst unsafe.Pointer) {
		if p == nil {
			nilPanic()
		}
		move(rt, dst, p)
	}
}

// path returns what walks from a value's address to a part embedded in it, and the type of that.
func (w *World) path(t types.Type, index []int) (walk func(unsafe.Pointer) unsafe.Pointer, final types.Type) {
	type step struct {
		off uintptr
		ptr bool
	}
	var steps []step
	for _, i := range index {
		st := t.Underlying().(*types.Struct)
		s := step{off: w.types.rt(t).Field(i).Offset}
		t = st.Field(i).Type()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			s.ptr, t = true, p.Elem()
		}
		steps = append(steps, s)
	}
	return func(p unsafe.Pointer) unsafe.Pointer {
		for _, s := range steps {
			if p == nil {
				nilPanic()
			}
			p = unsafe.Add(p, s.off)
			if s.ptr {
				p = *(*unsafe.Pointer)(p)
			}
		}
		return p
	}, t
}

// invoker returns how compiled code calls a method of a type of cells. It is looked up at the first call.
func (w *World) invoker(n types.Type, sel *types.Selection) func(unsafe.Pointer, []reflect.Value) []reflect.Value {
	type target struct {
		walk func(unsafe.Pointer) unsafe.Pointer
		get  func() *code
		put  func(p, dst unsafe.Pointer)
		rt   reflect.Type
	}
	find := sync.OnceValue(func() target {
		index := sel.Index()
		fn := sel.Obj().(*types.Func)
		walk, final := w.path(n, index[:len(index)-1])
		tg := target{walk: walk, rt: w.types.rt(final)}
		if src := w.source(fn); src != nil && !types.IsInterface(final) {
			tg.get, tg.put = w.methodCode(src, fn, final)
		}
		return tg
	})
	name, pkg := sel.Obj().Name(), sel.Obj().Pkg()
	sig := sync.OnceValue(func() reflect.Type { return w.types.rt(sel.Type()) })
	return func(recv unsafe.Pointer, args []reflect.Value) []reflect.Value {
		t := find()
		p := t.walk(recv)
		if t.get == nil {
			m := w.bound(reflect.NewAt(t.rt, p).Elem(), name, pkg, sig())
			if m.Type().IsVariadic() {
				return m.CallSlice(args)
			}
			return m.Call(args)
		}
		cd := t.get()
		return w.enter(cd, nil, func(fr *frame) { t.put(p, unsafe.Add(fr.mem, cd.ins[0])) }, args)
	}
}

func (c *comp) instance(x ast.Expr, f ast.Expr) *expr {
	fn, targs := c.static(x)
	if fn == nil {
		panic(unsupported("this instance"))
	}
	return c.funcValue(f, fn, targs)
}

// SetRun makes run the one that what cells gave away belongs to from now on.
func (w *World) SetRun(run *Run) { w.run.Store(run) }

// Attend runs f, which may call what cells gave away; their panics pass through it.
func (w *World) Attend(f func()) {
	id := goid()
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
