package eval

import (
	"go/ast"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

func (c *comp) selector(x *ast.SelectorExpr) *expr {
	if id, ok := x.X.(*ast.Ident); ok {
		if _, ok := c.u.info.Uses[id].(*types.PkgName); ok {
			return c.ident(x.Sel)
		}
	}
	sel := c.u.info.Selections[x]
	if sel == nil {
		return c.ident(x.Sel)
	}
	switch sel.Kind() {
	case types.MethodExpr:
		return c.methodExpr(x)
	case types.MethodVal:
		return c.methodValue(x)
	}
	e := c.expr(x.X)
	_, index, _ := types.LookupFieldOrMethod(e.t, true, c.u.pkg, x.Sel.Name)
	return c.field(e, index)
}

// field returns the field of e, a struct or pointer to one, at the end of a path of embedded ones.
func (c *comp) field(e *expr, index []int) *expr {
	for _, i := range index {
		if p, ok := e.t.Underlying().(*types.Pointer); ok {
			e = c.deref(e, p.Elem())
		}
		st, ok := e.t.Underlying().(*types.Struct)
		if !ok {
			panic(unsupported("this field"))
		}
		off, p, addr, at := e.rt.Field(i).Offset, c.memory(e), e.addr, e.off
		if at >= 0 && e.addr {
			e = c.local(st.Field(i).Type(), at+int(off))
			continue
		}
		e = c.load(st.Field(i).Type(), func(fr *frame) unsafe.Pointer { return unsafe.Add(p(fr), off) })
		e.addr = addr
	}
	return e
}

// method is a method found: what to call and on what.
type methodOn struct {
	fn    *types.Func
	recv  *expr // after embedded fields; a value, pointer or interface
	known bool  // recv is an interface known to hold a pointer, which Go's compiler follows for a value's method
}

// find returns the method that x selects.
func (c *comp) find(x *ast.SelectorExpr) methodOn {
	e := c.expr(x.X)
	return c.findIn(e, x.Sel.Name)
}

func (c *comp) findIn(e *expr, name string) methodOn {
	obj, index, _ := types.LookupFieldOrMethod(e.t, true, c.u.pkg, name)
	fn, ok := obj.(*types.Func)
	if !ok {
		panic(unsupported("the method " + name))
	}
	return methodOn{fn: fn, recv: c.field(e, index[:len(index)-1])}
}

// receiver returns what stores the receiver of a method that was found, as the method wants it.
func (c *comp) receiver(m methodOn) func(fr *frame, dst unsafe.Pointer) {
	wants := pointerMethod(m.fn)
	_, has := m.recv.t.Underlying().(*types.Pointer)
	switch {
	case wants && !has:
		p := c.memory(m.recv)
		return func(fr *frame, dst unsafe.Pointer) { *(*unsafe.Pointer)(dst) = p(fr) }
	case !wants && has:
		return c.deref(m.recv, m.recv.t.Underlying().(*types.Pointer).Elem()).into()
	}
	return m.recv.into()
}

// methodValue returns x.M, bound to its receiver as it is now.
func (c *comp) methodValue(x *ast.SelectorExpr) *expr {
	m := c.find(x)
	o := c.fresh(c.typeOf(x))
	rt := o.rt
	if types.IsInterface(m.recv.t) || c.source(m.fn) == nil {
		v := c.value(m.recv)
		name, pkg := m.fn.Name(), m.fn.Pkg()
		o.u = func(fr *frame) unsafe.Pointer {
			return fr.th.w.bound(v(fr), name, pkg, rt)
		}
		return o
	}
	get, in := c.code(m), c.receiver(m)
	o.u = func(fr *frame) unsafe.Pointer {
		cd := get()
		box := reflect.New(cd.inT[0])
		in(fr, box.UnsafePointer())
		t := rtype.Of(cd.inT[0])
		recv := func(dst unsafe.Pointer) { move(t, dst, box.UnsafePointer()) }
		return (&closure{code: cd, recv: recv, w: fr.th.w}).value(rt)
	}
	return o
}

// bound returns a method of v as a function of type t.
func (w *World) bound(v reflect.Value, name string, pkg *types.Package, t reflect.Type) unsafe.Pointer {
	if v.Kind() == reflect.Interface && !v.IsNil() {
		if a, d := w.held(v.Elem().Interface(), name, pkg); d != nil {
			recv := func(dst unsafe.Pointer) { d.receive(rtype.Take(a).Data, dst) }
			return (&closure{code: d.code(), recv: recv, w: w}).value(t)
		}
	}
	return wordOf(w.nativeMethod(v, name, nil))
}

// held returns the method of a value that comes from cells, nil if compiled code has it, and the value that has it: v,
// or what an interface embedded in it holds.
func (w *World) held(v any, name string, pkg *types.Package) (any, *dispatch) {
	for {
		if v == nil {
			nilPanic()
		}
		d := w.dispatch(reflect.TypeOf(v), name, pkg)
		if d == nil || d.inside == nil {
			return v, d
		}
		v = d.inside(rtype.Take(v).Data)
	}
}

// nativeMethod returns a method of v or of its address, to be called by code of a run; without a run it is a function
// value.
func (w *World) nativeMethod(v reflect.Value, name string, run *Run) reflect.Value {
	if v.Kind() == reflect.Interface {
		if v.IsNil() {
			nilPanic()
		}
		v = v.Elem()
	}
	if f := w.guarded(v, name, run); f.IsValid() {
		return f
	}
	if v.Kind() == reflect.Pointer && v.IsNil() {
		if _, ok := v.Type().Elem().MethodByName(name); ok {
			nilPanic()
		}
	}
	m := v.MethodByName(name)
	if !m.IsValid() && v.CanAddr() {
		m = v.Addr().MethodByName(name)
	}
	if !m.IsValid() {
		panic(unsupported("the method " + name + " of " + v.Type().String()))
	}
	return m
}

// methodExpr returns T.M as a function whose first parameter is the receiver.
func (c *comp) methodExpr(x *ast.SelectorExpr) *expr {
	o := c.fresh(c.typeOf(x))
	sig := o.t.Underlying().(*types.Signature)
	inner := c.child("method expression", nil)
	cd := inner.cd
	cd.wraps = true
	for v := range sig.Results().Variables() {
		rt := c.w.types.rt(v.Type())
		cd.outs, cd.outT = append(cd.outs, inner.slot(rt)), append(cd.outT, rt)
	}
	var args []*expr
	for v := range sig.Params().Variables() {
		rt := c.w.types.rt(v.Type())
		cd.ins, cd.inT = append(cd.ins, inner.slot(rt)), append(cd.inT, rt)
		args = append(args, inner.local(v.Type(), cd.ins[len(cd.ins)-1]))
	}
	m := inner.findIn(args[0], x.Sel.Name)
	res := inner.callMethod(m, args[1:], x.Pos())
	var wrapped *types.Named // whose value's method this is, called by way of a pointer
	if p, ok := args[0].t.Underlying().(*types.Pointer); ok && m.recv == args[0] && !pointerMethod(m.fn) {
		wrapped, _ = types.Unalias(p.Elem()).(*types.Named)
	}
	cd.body = func(fr *frame) ctl {
		if wrapped != nil && args[0].u(fr) == nil {
			panic(nilReceiver(wrapped, x.Sel.Name))
		}
		p := res.run(fr)
		for i, off := range cd.outs {
			move(rtype.Of(cd.outT[i]), unsafe.Add(fr.mem, off), unsafe.Add(p, res.offs[i]))
		}
		return ret
	}
	inner.layout()
	w, rt := c.w, o.rt
	word := (&closure{code: cd, w: w}).value(rt)
	o.u = func(*frame) unsafe.Pointer { return word }
	return o
}

// child returns a compiler of a function inside this one that has no source of its own.
func (c *comp) child(name string, up *comp) *comp {
	return &comp{w: c.w, u: c.u, sub: c.sub, up: up, cd: &code{name: name, unit: c.u}, vars: map[types.Object]*expr{},
		capAt: map[types.Object]int{}, boxAt: map[types.Object]int{}, labels: map[string]*label{}}
}
