package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

func assignOp(t token.Token) token.Token {
	return t - token.ADD_ASSIGN + token.ADD
}

// update compiles x op= y, and x++ where y is nil.
func (c *comp) update(x ast.Expr, op token.Token, y ast.Expr) stmt {
	x = ast.Unparen(x)
	if ix, ok := x.(*ast.IndexExpr); ok {
		if m, ok := c.typeOf(ix.X).Underlying().(*types.Map); ok {
			return c.updateMap(ix, m, op, y)
		}
	}
	e := c.expr(x)
	right := c.right(e.t, op, y)
	if e.off >= 0 && (e.k == reflect.Int || e.k == reflect.Float64) {
		if s := fastUpdate(e, op, right); s != nil {
			return s
		}
	}
	at := c.slot(reflect.TypeFor[unsafe.Pointer]())
	v := c.load(e.t, func(fr *frame) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Add(fr.mem, at)) })
	in, p := c.result(op, e.t, v, right).into(), e.p
	return func(fr *frame) ctl {
		dst := p(fr)
		*(*unsafe.Pointer)(unsafe.Add(fr.mem, at)) = dst
		in(fr, dst)
		return next
	}
}

// right returns y as what op takes on its right side; 1 where y is nil.
func (c *comp) right(t types.Type, op token.Token, y ast.Expr) *expr {
	if y == nil {
		return c.constant(t, one)
	}
	if op == token.SHL || op == token.SHR {
		return c.expr(y)
	}
	return c.convert(c.expr(y), t)
}

func (c *comp) result(op token.Token, t types.Type, a, b *expr) *expr {
	if op == token.SHL || op == token.SHR {
		return c.shift(op, t, a, b)
	}
	return c.arith(op, t, a, b)
}

func fastUpdate(e *expr, op token.Token, y *expr) stmt {
	off := e.off
	if e.k == reflect.Int {
		x := y.i
		switch {
		case y.konst != nil && op == token.ADD:
			k := constInt(y.konst)
			return func(fr *frame) ctl { *(*int64)(unsafe.Add(fr.mem, off)) += k; return next }
		case y.off >= 0 && op == token.ADD:
			at := y.off
			return func(fr *frame) ctl {
				*(*int64)(unsafe.Add(fr.mem, off)) += *(*int64)(unsafe.Add(fr.mem, at))
				return next
			}
		case op == token.ADD:
			return func(fr *frame) ctl { v := x(fr); *(*int64)(unsafe.Add(fr.mem, off)) += v; return next }
		case op == token.SUB:
			return func(fr *frame) ctl { v := x(fr); *(*int64)(unsafe.Add(fr.mem, off)) -= v; return next }
		}
		return nil
	}
	x := y.f
	switch op {
	case token.ADD:
		return func(fr *frame) ctl { v := x(fr); *(*float64)(unsafe.Add(fr.mem, off)) += v; return next }
	case token.MUL:
		return func(fr *frame) ctl { v := x(fr); *(*float64)(unsafe.Add(fr.mem, off)) *= v; return next }
	}
	return nil
}

func (c *comp) updateMap(x *ast.IndexExpr, t *types.Map, op token.Token, y ast.Expr) stmt {
	keepM, m := c.copied(c.expr(x.X))
	keepK, k := c.copied(c.convert(c.expr(x.Index), t.Key()))
	mv, kv := c.value(m), c.value(k)
	rt := c.w.types.rt(t.Elem())
	off := c.slot(rt)
	old := c.local(t.Elem(), off)
	res := c.result(op, t.Elem(), old, c.right(t.Elem(), op, y))
	prepare, held := c.copied(res)
	val := c.value(held)
	r, zero := rtype.Of(rt), reflect.New(rt).UnsafePointer()
	return func(fr *frame) ctl {
		keepM(fr)
		keepK(fr)
		p := unsafe.Add(fr.mem, off)
		move(r, p, zero)
		if had := mv(fr); had.Len() > 0 { // else a key that has no hash is an error of the assignment
			if v := fr.th.mapIndex(had, kv(fr)); v.IsValid() {
				set(rt, p, v)
			}
		}
		prepare(fr)
		fr.th.setMapIndex(mv(fr), kv(fr), val(fr))
		return next
	}
}
