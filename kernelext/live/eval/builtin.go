package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

func builtinName(x *ast.CallExpr) string {
	switch f := ast.Unparen(x.Fun).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return "unsafe." + f.Sel.Name
	}
	return ""
}

// builtin compiles a call of a built-in function that gives a value.
func (c *comp) builtin(x *ast.CallExpr) *expr {
	o := operands{c: c}
	for i, a := range x.Args {
		var t types.Type
		if s, ok := c.typeOf(x).Underlying().(*types.Slice); ok && i > 0 && builtinName(x) == "append" &&
			!x.Ellipsis.IsValid() {
			t = s.Elem()
		}
		o.to(a, t)
	}
	return c.after(c.ahead(o), func() *expr { return c.builtinOf(x) })
}

func (c *comp) builtinOf(x *ast.CallExpr) *expr {
	t := c.typeOf(x)
	switch name := builtinName(x); name {
	case "len", "cap":
		return c.length(x, name == "cap")
	case "append":
		return c.appended(x, t)
	case "make":
		return c.makeOf(x, t)
	case "new":
		o := c.fresh(t)
		elem := t.Underlying().(*types.Pointer).Elem()
		rt := rtype.Of(c.w.types.rt(elem))
		init := func(*frame, unsafe.Pointer) {}
		if tv := c.u.info.Types[x.Args[0]]; !tv.IsType() {
			init = c.convert(c.expr(x.Args[0]), elem).into()
		}
		o.u = func(fr *frame) unsafe.Pointer {
			p := rtype.New(rt)
			init(fr, p)
			return p
		}
		return o
	case "min", "max":
		return c.extreme(x, t, map[string]token.Token{"min": token.LSS, "max": token.GTR}[name])
	case "copy":
		dst, src := c.value(c.expr(x.Args[0])), c.value(c.expr(x.Args[1]))
		return c.scalar(t, func(o *expr) {
			o.i = func(fr *frame) int64 { d := dst(fr); return int64(reflect.Copy(d, src(fr))) }
		})
	case "recover":
		off := c.slot(reflect.TypeFor[any]())
		return c.load(t, func(fr *frame) unsafe.Pointer {
			p := unsafe.Add(fr.mem, off)
			*(*any)(p) = fr.recover()
			return p
		})
	case "complex":
		part := types.Typ[types.Float64]
		if c.w.types.rt(t).Kind() == reflect.Complex64 {
			part = types.Typ[types.Float32]
		}
		re, im := c.conversion(c.expr(x.Args[0]), part).f, c.conversion(c.expr(x.Args[1]), part).f
		return c.load(t, c.complexAt(c.w.types.rt(t).Kind(), func(fr *frame) complex128 {
			a := re(fr)
			return complex(a,
				im(fr))
		}))
	case "real", "imag":
		z := c.complexOf(c.expr(x.Args[0]))
		return c.scalar(t, func(o *expr) {
			if name == "real" {
				o.f = func(fr *frame) float64 { return real(z(fr)) }
			} else {
				o.f = func(fr *frame) float64 { return imag(z(fr)) }
			}
		})
	default:
		panic(unsupported("the built-in function " + name))
	}
}

func (c *comp) length(x *ast.CallExpr, capacity bool) *expr {
	e := c.expr(x.Args[0])
	t := c.typeOf(x)
	if p, ok := e.t.Underlying().(*types.Pointer); ok {
		n := p.Elem().Underlying().(*types.Array).Len()
		return c.scalar(t, func(o *expr) { o.i = func(fr *frame) int64 { e.u(fr); return n } })
	}
	return c.scalar(t, func(o *expr) {
		switch e.k {
		case reflect.String:
			o.i = func(fr *frame) int64 { return int64(len(e.s(fr))) }
		case reflect.Slice:
			p := e.p
			if capacity {
				o.i = func(fr *frame) int64 { return int64((*slice)(p(fr)).cap) }
			} else {
				o.i = func(fr *frame) int64 { return int64((*slice)(p(fr)).len) }
			}
		default:
			v := c.value(e)
			if capacity {
				o.i = func(fr *frame) int64 { return int64(v(fr).Cap()) }
			} else {
				o.i = func(fr *frame) int64 { return int64(v(fr).Len()) }
			}
		}
	})
}

func (c *comp) appended(x *ast.CallExpr, t types.Type) *expr {
	s := c.convert(c.expr(x.Args[0]), t)
	o := c.fresh(t)
	off := c.slot(o.rt)
	p, rt := c.memory(s), o.rt
	if x.Ellipsis.IsValid() {
		more := c.expr(x.Args[1])
		if more.isNil {
			more = c.zero(t)
		}
		if more.k == reflect.String {
			more = c.conversion(more, types.NewSlice(types.Typ[types.Byte]))
		}
		m := c.value(more)
		o.p = func(fr *frame) unsafe.Pointer {
			base := *(*slice)(p(fr))
			tail := m(fr)
			grows(base.len, tail.Len())
			c.w.fits(base.len+tail.Len(), rt.Elem().Size())
			at := unsafe.Add(fr.mem, off)
			set(rt, at, reflect.AppendSlice(reflect.NewAt(rt, unsafe.Pointer(&base)).Elem(), tail))
			return at
		}
		return o
	}
	elem := t.Underlying().(*types.Slice).Elem()
	size := o.rt.Elem().Size()
	var list []func(*frame, unsafe.Pointer)
	for _, a := range x.Args[1:] {
		e := c.convert(c.expr(a), elem)
		prepare, own := c.copied(e)
		in := own.into()
		list = append(list, func(fr *frame, dst unsafe.Pointer) {
			if dst == nil {
				prepare(fr)
				return
			}
			in(fr, dst)
		})
	}
	n, w := len(list), c.w
	o.p = func(fr *frame) unsafe.Pointer {
		old := *(*slice)(p(fr))
		for _, in := range list {
			in(fr, nil)
		}
		grows(old.len, n)
		if old.len+n > old.cap {
			w.fits(old.cap+old.len+n, size)
			v := reflect.NewAt(rt, unsafe.Pointer(&old)).Elem()
			v.Grow(n)
		}
		for i, in := range list {
			in(fr, unsafe.Add(old.data, uintptr(old.len+i)*size))
		}
		old.len += n
		at := unsafe.Add(fr.mem, off)
		*(*slice)(at) = old
		return at
	}
	return o
}
