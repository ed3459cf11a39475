package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"
)

// place is where a value can be stored: prepare evaluates what it depends on, put stores.
type place struct {
	t       types.Type
	prepare func(*frame)
	put     func(fr *frame, in func(*frame, unsafe.Pointer))
}

// target compiles the left side of an assignment. It evaluates nothing but in prepare and put; with hold, put relies
// on what prepare found.
func (c *comp) target(x ast.Expr, hold bool) place {
	x = ast.Unparen(x)
	if id, ok := x.(*ast.Ident); ok && id.Name == "_" {
		return place{}
	}
	if ix, ok := x.(*ast.IndexExpr); ok {
		if m, ok := c.typeOf(ix.X).Underlying().(*types.Map); ok {
			return c.mapPlace(ix, m)
		}
	}
	if hold {
		if pl, ok := c.held(x); ok {
			return pl
		}
	}
	e := c.expr(x)
	p := e.p
	return place{t: e.t, put: func(fr *frame, in func(*frame, unsafe.Pointer)) { in(fr, p(fr)) }}
}

// held is a place whose operands prepare evaluates; put follows the pointer or checks the index, as Go does when it
// assigns.
func (c *comp) held(x ast.Expr) (place, bool) {
	switch x := x.(type) {
	case *ast.StarExpr:
		keep, p := c.copied(c.expr(x.X))
		return c.putAt(c.deref(p, c.typeOf(x)), keep), true
	case *ast.SelectorExpr:
		sel := c.u.info.Selections[x]
		if sel == nil {
			return place{}, false
		}
		base := c.expr(x.X)
		_, index, _ := types.LookupFieldOrMethod(base.t, true, c.u.pkg, x.Sel.Name)
		if _, ok := base.t.Underlying().(*types.Pointer); ok {
			keep, p := c.copied(base)
			return c.putAt(c.field(p, index), keep), true
		}
		keep, p := c.heldAddress(base)
		return c.putAt(c.field(p, index), keep), true
	case *ast.IndexExpr:
		base := c.expr(x.X)
		keepI, i := c.copied(c.expr(x.Index))
		var keep func(*frame)
		var e *expr
		switch t := base.t.Underlying().(type) {
		case *types.Slice:
			k, s := c.copied(base)
			keep, e = k, c.element(s, t.Elem(), i)
		case *types.Pointer:
			k, p := c.copied(base)
			keep, e = k, c.arrayElement(c.deref(p, t.Elem()), t.Elem().Underlying().(*types.Array), i)
		case *types.Array:
			k, p := c.heldAddress(base)
			keep, e = k, c.arrayElement(p, t, i)
		default:
			return place{}, false
		}
		return c.putAt(e, func(fr *frame) { keep(fr); keepI(fr) }), true
	}
	return place{}, false
}

func (c *comp) putAt(e *expr, keep func(*frame)) place {
	p := e.p
	return place{t: e.t, prepare: keep, put: func(fr *frame, in func(*frame, unsafe.Pointer)) { in(fr, p(fr)) }}
}

// heldAddress keeps the address of a variable.
func (c *comp) heldAddress(e *expr) (keep func(*frame), held *expr) {
	if e.off >= 0 {
		return func(*frame) {}, e
	}
	at, p := c.slot(reflect.TypeFor[unsafe.Pointer]()), e.p
	held = c.load(e.t, func(fr *frame) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Add(fr.mem, at)) })
	held.addr = true
	return func(fr *frame) { *(*unsafe.Pointer)(unsafe.Add(fr.mem, at)) = p(fr) }, held
}

// mapPlace is m[k] as a place.
func (c *comp) mapPlace(x *ast.IndexExpr, t *types.Map) place {
	keepM, m := c.copied(c.expr(x.X))
	keepK, k := c.copied(c.convert(c.expr(x.Index), t.Key()))
	mv, kv := c.value(m), c.value(k)
	rt := c.w.types.rt(t.Elem())
	off := c.slot(rt)
	return place{t: t.Elem(),
		prepare: func(fr *frame) { keepM(fr); keepK(fr) },
		put: func(fr *frame, in func(*frame, unsafe.Pointer)) {
			p := unsafe.Add(fr.mem, off)
			in(fr, p)
			fr.th.setMapIndex(mv(fr), kv(fr), reflect.NewAt(rt, p).Elem())
		}}
}

// calls reports whether an expression may call something.
func calls(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}
