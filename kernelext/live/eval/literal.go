package eval

import (
	"go/ast"
	"go/constant"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// composite compiles a composite literal of type t; for a pointer type its address.
func (c *comp) composite(x *ast.CompositeLit, t types.Type) *expr {
	if p, ok := t.Underlying().(*types.Pointer); ok { // an element without &
		e := c.composite(x, p.Elem())
		rt, in := rtype.Of(e.rt), e.into()
		return c.scalar(t, func(o *expr) {
			o.u = func(fr *frame) unsafe.Pointer {
				n := rtype.New(rt)
				in(fr, n)
				return n
			}
		})
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return c.structLit(x, t, u)
	case *types.Array:
		return c.arrayLit(x, t, u.Elem(), int(u.Len()))
	case *types.Slice:
		return c.sliceLit(x, t, u.Elem())
	case *types.Map:
		return c.mapLit(x, t, u)
	}
	panic(unsupported("this literal"))
}

// part compiles an element, whose type may be left out.
func (c *comp) part(x ast.Expr, t types.Type) *expr {
	if lit, ok := x.(*ast.CompositeLit); ok && lit.Type == nil && c.early[lit] == nil {
		return c.composite(lit, t)
	}
	return c.convert(c.expr(x), t)
}

type store struct {
	off uintptr
	in  func(*frame, unsafe.Pointer)
}

func (c *comp) structLit(x *ast.CompositeLit, t types.Type, st *types.Struct) *expr {
	o := c.fresh(t)
	var list []store
	for i, el := range x.Elts {
		at := i
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			name := kv.Key.(*ast.Ident).Name
			for j := range st.NumFields() {
				if st.Field(j).Name() == name {
					at = j
				}
			}
			el = kv.Value
		}
		in := c.part(el, st.Field(at).Type()).into()
		if st.Field(at).Name() == "_" { // evaluated and dropped
			at, in = 0, c.dropped(st.Field(at).Type(), in)
		}
		list = append(list, store{o.rt.Field(at).Offset, in})
	}
	return c.fill(o, list)
}

// dropped evaluates a value for what it does.
func (c *comp) dropped(t types.Type, in func(*frame, unsafe.Pointer)) func(*frame, unsafe.Pointer) {
	off := c.slot(c.w.types.rt(t))
	return func(fr *frame, _ unsafe.Pointer) { in(fr, unsafe.Add(fr.mem, off)) }
}

// fill builds a value in a temporary.
func (c *comp) fill(o *expr, list []store) *expr {
	off, rt, zero := c.slot(o.rt), rtype.Of(o.rt), reflect.New(o.rt).UnsafePointer()
	o.p = func(fr *frame) unsafe.Pointer {
		p := unsafe.Add(fr.mem, off)
		move(rt, p, zero)
		for _, s := range list {
			s.in(fr, unsafe.Add(p, s.off))
		}
		return p
	}
	return o
}

// elements returns the elements of an array or slice with their indexes, and how many there are.
func (c *comp) elements(x *ast.CompositeLit, elem types.Type) (list []store, n int) {
	size := c.w.types.rt(elem).Size()
	i := 0
	for _, el := range x.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			v, _ := constant.Int64Val(constant.ToInt(c.u.info.Types[kv.Key].Value))
			i, el = int(v), kv.Value
		}
		list = append(list, store{uintptr(i) * size, c.part(el, elem).into()})
		i++
		n = max(n, i)
	}
	return list, n
}

func (c *comp) arrayLit(x *ast.CompositeLit, t types.Type, elem types.Type, _ int) *expr {
	list, _ := c.elements(x, elem)
	return c.fill(c.fresh(t), list)
}

func (c *comp) sliceLit(x *ast.CompositeLit, t types.Type, elem types.Type) *expr {
	o := c.fresh(t)
	list, n := c.elements(x, elem)
	off, at := c.slot(o.rt), reflect.ArrayOf(n, c.w.types.rt(elem))
	array := rtype.Of(at)
	o.p = func(fr *frame) unsafe.Pointer {
		data := rtype.New(array)
		for _, s := range list {
			s.in(fr, unsafe.Add(data, s.off))
		}
		p := unsafe.Add(fr.mem, off)
		*(*slice)(p) = slice{data, n, n}
		return p
	}
	return o
}

func (c *comp) mapLit(x *ast.CompositeLit, t types.Type, m *types.Map) *expr {
	o := c.fresh(t)
	var before []func(*frame)
	var keys, vals []func(*frame) reflect.Value
	for _, el := range x.Elts {
		kv := el.(*ast.KeyValueExpr)
		entry := operands{c: c}
		entry.key(kv.Key, m)
		entry.to(kv.Value, m.Elem())
		before = append(before, c.ahead(entry))
		keys = append(keys, c.value(c.part(kv.Key, m.Key())))
		vals = append(vals, c.value(c.part(kv.Value, m.Elem())))
	}
	rt := o.rt
	o.u = func(fr *frame) unsafe.Pointer {
		v := reflect.MakeMapWithSize(rt, len(keys))
		for i, k := range keys {
			if before[i] != nil {
				before[i](fr)
			}
			key := k(fr)
			v.SetMapIndex(key, vals[i](fr))
		}
		return wordOf(v)
	}
	return o
}

// funcLit compiles a function literal: a closure over the addresses of the variables that it uses.
func (c *comp) funcLit(x *ast.FuncLit) *expr {
	cd, caps := c.literal(x)
	o := c.fresh(c.typeOf(x))
	rt := o.rt
	o.u = func(fr *frame) unsafe.Pointer { return (&closure{code: cd, caps: caps(fr), w: fr.th.w}).value(rt) }
	return o
}

func (c *comp) literal(x *ast.FuncLit) (cd *code, caps func(*frame) []unsafe.Pointer) {
	sig := c.u.info.TypeOf(x).(*types.Signature)
	in := c.w.function(c.u, c, c.sub, "a function literal", sig, x.Body)
	list := in.caps
	return in.cd, func(fr *frame) []unsafe.Pointer {
		if len(list) == 0 {
			return nil
		}
		out := make([]unsafe.Pointer, len(list))
		for i, cp := range list {
			out[i] = cp.from(fr)
		}
		return out
	}
}
