package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

func (c *comp) binary(x *ast.BinaryExpr) *expr {
	t := c.typeOf(x)
	switch x.Op {
	case token.LAND, token.LOR:
		a, b := c.expr(x.X).b, c.expr(x.Y).b
		return c.scalar(t, func(o *expr) {
			if x.Op == token.LAND {
				o.b = func(fr *frame) bool { return a(fr) && b(fr) }
			} else {
				o.b = func(fr *frame) bool { return a(fr) || b(fr) }
			}
		})
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return c.comparison(x, t)
	case token.SHL, token.SHR:
		a := c.convert(c.expr(x.X), t)
		return c.shift(x.Op, t, a, c.expr(x.Y))
	}
	a, b := c.convert(c.expr(x.X), t), c.convert(c.expr(x.Y), t)
	return c.arith(x.Op, t, a, b)
}

// arith returns a op b of two values of type t.
func (c *comp) arith(op token.Token, t types.Type, a, b *expr) *expr {
	o := c.fresh(t)
	switch o.fam() {
	case famI:
		if o.k == reflect.Int || o.k == reflect.Int64 {
			if f := fastInt(op, a, b); f != nil {
				o.i = f
				return o
			}
		}
		o.i = wrapInt(o.k, intArith(op, signed(o.k), a.i, b.i))
	case famF:
		o.f = round(o.k, floatArith(op, a.f, b.f))
	case famS:
		x, y := a.s, b.s
		o.s = func(fr *frame) string { return x(fr) + y(fr) }
	default:
		x, y := c.complexOf(a), c.complexOf(b)
		o.p = c.complexAt(o.k, complexArith(op, x, y))
	}
	return o
}

// fastInt returns the commonest operations on locals and constants, nil for others.
func fastInt(op token.Token, a, b *expr) intFn {
	if a.off < 0 || op != token.ADD && op != token.SUB && op != token.MUL {
		return nil
	}
	off := a.off
	if b.konst != nil {
		k := constInt(b.konst)
		switch op {
		case token.ADD:
			return func(fr *frame) int64 { return *(*int64)(unsafe.Add(fr.mem, off)) + k }
		case token.SUB:
			return func(fr *frame) int64 { return *(*int64)(unsafe.Add(fr.mem, off)) - k }
		}
		return func(fr *frame) int64 { return *(*int64)(unsafe.Add(fr.mem, off)) * k }
	}
	y := b.i
	switch op {
	case token.ADD:
		return func(fr *frame) int64 { return *(*int64)(unsafe.Add(fr.mem, off)) + y(fr) }
	case token.SUB:
		return func(fr *frame) int64 { return *(*int64)(unsafe.Add(fr.mem, off)) - y(fr) }
	}
	return func(fr *frame) int64 { return *(*int64)(unsafe.Add(fr.mem, off)) * y(fr) }
}

func intArith(op token.Token, isSigned bool, x, y intFn) intFn {
	switch op {
	case token.ADD:
		return func(fr *frame) int64 { return x(fr) + y(fr) }
	case token.SUB:
		return func(fr *frame) int64 { return x(fr) - y(fr) }
	case token.MUL:
		return func(fr *frame) int64 { return x(fr) * y(fr) }
	case token.AND:
		return func(fr *frame) int64 { return x(fr) & y(fr) }
	case token.OR:
		return func(fr *frame) int64 { return x(fr) | y(fr) }
	case token.XOR:
		return func(fr *frame) int64 { return x(fr) ^ y(fr) }
	case token.AND_NOT:
		return func(fr *frame) int64 { return x(fr) &^ y(fr) }
	case token.QUO:
		if isSigned {
			return func(fr *frame) int64 { a := x(fr); return a / y(fr) }
		}
		return func(fr *frame) int64 { a := x(fr); return int64(uint64(a) / uint64(y(fr))) }
	case token.REM:
		if isSigned {
			return func(fr *frame) int64 { a := x(fr); return a % y(fr) }
		}
		return func(fr *frame) int64 { a := x(fr); return int64(uint64(a) % uint64(y(fr))) }
	}
	panic(unsupported("the operation " + op.String()))
}

func floatArith(op token.Token, x, y floatFn) floatFn {
	switch op {
	case token.ADD:
		return func(fr *frame) float64 { return x(fr) + y(fr) }
	case token.SUB:
		return func(fr *frame) float64 { return x(fr) - y(fr) }
	case token.MUL:
		return func(fr *frame) float64 { return x(fr) * y(fr) }
	}
	return func(fr *frame) float64 { return x(fr) / y(fr) }
}

func complexArith(op token.Token, x, y func(*frame) complex128) func(*frame) complex128 {
	switch op {
	case token.ADD:
		return func(fr *frame) complex128 { return x(fr) + y(fr) }
	case token.SUB:
		return func(fr *frame) complex128 { return x(fr) - y(fr) }
	case token.MUL:
		return func(fr *frame) complex128 { return x(fr) * y(fr) }
	}
	return func(fr *frame) complex128 { return x(fr) / y(fr) }
}

// shift returns a << b or a >> b.
func (c *comp) shift(op token.Token, t types.Type, a, b *expr) *expr {
	count := b.i
	if b.fam() != famI { // an untyped constant that is a whole number
		b = c.constant(types.Typ[types.Uint], b.konst)
		count = b.i
	}
	if b.konst != nil {
		n, _ := constant.Uint64Val(constant.ToInt(b.konst))
		count = func(*frame) int64 { return int64(n) }
	} else if signed(b.k) {
		y := b.i
		count = func(fr *frame) int64 {
			n := y(fr)
			_ = 1 << n // panics if it is negative
			return n
		}
	}
	x := a.i
	return c.scalar(t, func(o *expr) {
		switch {
		case op == token.SHL:
			o.i = wrapInt(o.k, func(fr *frame) int64 { v := x(fr); return v << uint64(count(fr)) })
		case signed(o.k):
			o.i = func(fr *frame) int64 { v := x(fr); return v >> uint64(count(fr)) }
		default:
			o.i = func(fr *frame) int64 { v := x(fr); return int64(uint64(v) >> uint64(count(fr))) }
		}
	})
}

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
