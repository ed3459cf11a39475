package eval

import (
	"go/types"
	"reflect"
	"sync"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// dispatch is how a method of a type of cells is called through an interface.
type dispatch struct {
	code    func() *code
	receive func(data, dst unsafe.Pointer)
	wrapped bool                     // a value's method, called by way of a pointer to it
	inside  func(unsafe.Pointer) any // what holds the value that has it, of an embedded interface; the others are nil
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
	if src == nil && len(index) == 1 {
		return nil
	}
	walk, final := w.path(n, index[:len(index)-1])
	direct := !ptr && rtype.Direct(rtype.Of(rt))
	if types.IsInterface(final) {
		methods := w.types.rt(final).NumMethod() > 0
		return &dispatch{inside: func(data unsafe.Pointer) any {
			if direct {
				word := data
				data = unsafe.Pointer(&word)
			}
			return rtype.Any(walk(data), methods)
		}}
	}
	if src == nil {
		return nil
	}
	get, put := w.methodCode(src, fn, final)
	wrapped := ptr && len(index) == 1 && !pointerMethod(fn)
	return &dispatch{code: get, receive: func(data, dst unsafe.Pointer) {
		if direct {
			word := data
			data = unsafe.Pointer(&word)
		}
		if wrapped && data == nil {
			panic(nilReceiver(n.(*types.Named), name))
		}
		put(walk(data), dst)
	}, wrapped: wrapped}
}

// pointerMethod reports whether a method's receiver is a pointer.
func pointerMethod(fn *types.Func) bool {
	_, ok := fn.Signature().Recv().Type().Underlying().(*types.Pointer)
	return ok
}

// methodCode returns the code of a method, and what stores its receiver, which stands at p.
func (w *World) methodCode(src *source, fn *types.Func, recv types.Type) (get func() *code,
	put func(p, dst unsafe.Pointer)) {
	var targs []types.Type
	if n, ok := types.Unalias(recv).(*types.Named); ok {
		for a := range n.TypeArgs().Types() {
			targs = append(targs, a)
		}
	}
	get = func() *code { return src.code(w, targs) }
	if pointerMethod(fn) {
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
		wrap *types.Named // whose value's method it is
	}
	find := sync.OnceValue(func() target {
		index := sel.Index()
		fn := sel.Obj().(*types.Func)
		walk, final := w.path(n, index[:len(index)-1])
		tg := target{walk: walk, rt: w.types.rt(final)}
		if src := w.source(fn); src != nil && !types.IsInterface(final) {
			tg.get, tg.put = w.methodCode(src, fn, final)
		}
		if len(index) == 1 && !pointerMethod(fn) {
			tg.wrap, _ = types.Unalias(n).(*types.Named)
		}
		return tg
	})
	name, pkg := sel.Obj().Name(), sel.Obj().Pkg()
	sig := sync.OnceValue(func() reflect.Type { return w.types.rt(sel.Type()) })
	return func(recv unsafe.Pointer, args []reflect.Value) []reflect.Value {
		t := find()
		if recv == nil && t.wrap != nil {
			panic(nilReceiver(t.wrap, name))
		}
		p := t.walk(recv)
		if t.get == nil {
			word := w.bound(reflect.NewAt(t.rt, p).Elem(), name, pkg, sig())
			m := reflect.NewAt(sig(), unsafe.Pointer(&word)).Elem()
			if m.Type().IsVariadic() {
				return m.CallSlice(args)
			}
			return m.Call(args)
		}
		cd := t.get()
		return w.enter(cd, nil, func(dst unsafe.Pointer) { t.put(p, dst) }, args)
	}
}
