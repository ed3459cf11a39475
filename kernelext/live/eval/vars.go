package eval

import (
	"go/ast"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// place makes a variable of what a call left at off; one that needs it gets memory of its own.
func (c *comp) place(v *types.Var, off int, result bool) {
	t := c.sub.typ(v.Type())
	if !c.u.esc[v] {
		c.vars[v] = c.local(t, off)
		return
	}
	rt := rtype.Of(c.w.types.rt(t))
	box := c.slot(reflect.TypeFor[unsafe.Pointer]())
	c.vars[v], c.boxAt[v] = c.boxed(t, box), box
	c.cd.boxes = append(c.cd.boxes, func(fr *frame) {
		p := rtype.New(rt)
		move(rt, p, unsafe.Add(fr.mem, off))
		*(*unsafe.Pointer)(unsafe.Add(fr.mem, box)) = p
	})
	if result {
		c.cd.unbox = append(c.cd.unbox, func(fr *frame) {
			move(rt, unsafe.Add(fr.mem, off), *(*unsafe.Pointer)(unsafe.Add(fr.mem, box)))
		})
	}
}

// boxed is the variable whose address stands at off.
func (c *comp) boxed(t types.Type, off int) *expr {
	e := c.load(t, func(fr *frame) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Add(fr.mem, off)) })
	e.addr = true
	return e
}

// declare makes a new variable, and returns what gives it memory and its zero value.
func (c *comp) declare(obj types.Object) (v *expr, begin func(*frame)) {
	t := c.sub.typ(obj.Type())
	if g := c.w.globalFor(obj, c.u); g != nil {
		rt := rtype.Of(c.w.types.rt(t))
		return c.global(g, t), func(*frame) { g.renew(rt, obj) }
	}
	rt := c.w.types.rt(t)
	r := rtype.Of(rt)
	if c.u.esc[obj] {
		off := c.slot(reflect.TypeFor[unsafe.Pointer]())
		v = c.boxed(t, off)
		c.vars[obj], c.boxAt[obj] = v, off
		return v, func(fr *frame) { *(*unsafe.Pointer)(unsafe.Add(fr.mem, off)) = rtype.New(r) }
	}
	off := c.slot(rt)
	v = c.local(t, off)
	c.vars[obj] = v
	size := rt.Size()
	if size == 8 && rt.Kind() != reflect.Struct && rt.Kind() != reflect.Array && v.fam() != famU {
		return v, func(fr *frame) { *(*uint64)(unsafe.Add(fr.mem, off)) = 0 }
	}
	zero := reflect.New(rt).UnsafePointer()
	return v, func(fr *frame) { move(r, unsafe.Add(fr.mem, off), zero) }
}

// global returns a variable of the session.
func (c *comp) global(g *global, t types.Type) *expr {
	e := c.load(t, func(*frame) unsafe.Pointer { return g.p })
	e.addr = true
	switch e.k {
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64:
		e.i = func(*frame) int64 { return *(*int64)(g.p) }
	case reflect.Float64:
		e.f = func(*frame) float64 { return *(*float64)(g.p) }
	}
	return e
}

// variable returns the variable that obj is, here or in a function around this one.
func (c *comp) variable(obj types.Object) *expr {
	if v := c.vars[obj]; v != nil {
		return v
	}
	if g := c.u.tops[obj]; g != nil && (c.up == nil || !c.u.again[obj]) {
		return c.global(g, c.sub.typ(obj.Type()))
	}
	if g := c.w.globals.get(obj); g != nil {
		return c.global(g, c.sub.typ(obj.Type()))
	}
	if v := c.w.native(obj); v.IsValid() {
		p := v.Addr().UnsafePointer()
		e := c.load(obj.Type(), func(*frame) unsafe.Pointer { return p })
		e.addr = true
		return e
	}
	i, ok := c.capAt[obj]
	if !ok {
		if c.up == nil {
			panic(unsupported("the variable " + obj.Name() + " here"))
		}
		outer := c.up.variable(obj)
		i = len(c.caps)
		c.capAt[obj] = i
		c.caps = append(c.caps, capture{outer.p})
	}
	e := c.load(c.sub.typ(obj.Type()), func(fr *frame) unsafe.Pointer { return fr.caps[i] })
	e.addr = true
	return e
}

func (c *comp) ident(x *ast.Ident) *expr {
	obj := c.u.info.ObjectOf(x)
	switch obj := obj.(type) {
	case *types.Nil:
		return &expr{isNil: true, t: types.Typ[types.UntypedNil], rt: reflect.TypeFor[any](), k: reflect.Interface, off: -1}
	case *types.Var:
		return c.variable(obj)
	case *types.Func:
		return c.funcValue(x, obj, c.targs(x))
	}
	panic(unsupported("the name " + x.Name + " here"))
}
