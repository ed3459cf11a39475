package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

func (c *comp) comparison(x *ast.BinaryExpr, t types.Type) *expr {
	a, b := c.expr(x.X), c.expr(x.Y)
	switch {
	case a.isNil:
		a = c.zero(b.t)
	case b.isNil:
		b = c.zero(a.t)
	case a.k == reflect.Interface && b.k != reflect.Interface:
		b = c.convert(b, a.t)
	case b.k == reflect.Interface && a.k != reflect.Interface:
		a = c.convert(a, b.t)
	case a.konst != nil && b.konst == nil:
		a = c.convert(a, b.t)
	case b.konst != nil && a.konst == nil:
		b = c.convert(b, a.t)
	}
	return c.scalar(t, func(o *expr) { o.b = c.compare(x.Op, a, b) })
}

// compare returns a op b.
func (c *comp) compare(op token.Token, a, b *expr) boolFn {
	switch a.fam() {
	case famI:
		if signed(a.k) {
			if f := fastCompare(op, a, b); f != nil {
				return f
			}
			return ordered(op, a.i, b.i)
		}
		x, y := a.i, b.i
		return ordered(op, func(fr *frame) uint64 { return uint64(x(fr)) }, func(fr *frame) uint64 { return uint64(y(fr)) })
	case famF:
		return ordered(op, a.f, b.f)
	case famS:
		return ordered(op, a.s, b.s)
	}
	eq := c.equal(a, b)
	if op == token.NEQ {
		return func(fr *frame) bool { return !eq(fr) }
	}
	return eq
}

func fastCompare(op token.Token, a, b *expr) boolFn {
	if a.off < 0 || a.k != reflect.Int || op != token.LSS {
		return nil
	}
	off, y := a.off, b.i
	if b.konst != nil {
		k := constInt(b.konst)
		return func(fr *frame) bool { return *(*int64)(unsafe.Add(fr.mem, off)) < k }
	}
	if b.off >= 0 {
		at := b.off
		return func(fr *frame) bool { return *(*int64)(unsafe.Add(fr.mem, off)) < *(*int64)(unsafe.Add(fr.mem, at)) }
	}
	return func(fr *frame) bool { return *(*int64)(unsafe.Add(fr.mem, off)) < y(fr) }
}

func ordered[T int64 | uint64 | float64 | string](op token.Token, x, y func(*frame) T) boolFn {
	switch op {
	case token.EQL:
		return func(fr *frame) bool { a := x(fr); return a == y(fr) }
	case token.NEQ:
		return func(fr *frame) bool { a := x(fr); return a != y(fr) }
	case token.LSS:
		return func(fr *frame) bool { a := x(fr); return a < y(fr) }
	case token.LEQ:
		return func(fr *frame) bool { a := x(fr); return a <= y(fr) }
	case token.GTR:
		return func(fr *frame) bool { a := x(fr); return a > y(fr) }
	}
	return func(fr *frame) bool { a := x(fr); return a >= y(fr) }
}

// equal returns a == b for values of one type that have no order.
func (c *comp) equal(a, b *expr) boolFn {
	switch a.fam() {
	case famB:
		x, y := a.b, b.b
		return func(fr *frame) bool { v := x(fr); return v == y(fr) }
	case famU:
		x, y := a.u, b.u
		return func(fr *frame) bool { v := x(fr); return v == y(fr) }
	}
	if a.k == reflect.Interface {
		x, y := c.toAny(a), c.toAny(b)
		return func(fr *frame) bool { v := x(fr); return v == y(fr) }
	}
	x, y := c.memory(a), c.memory(b)
	if a.k == reflect.Slice { // with nil
		return func(fr *frame) bool { return (*slice)(x(fr)).data == (*slice)(y(fr)).data }
	}
	rt := rtype.Of(a.rt)
	return func(fr *frame) bool { p := x(fr); return rtype.Equal(rt, p, y(fr)) }
}
