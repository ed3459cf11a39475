package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"
)

func (c *comp) binary(x *ast.BinaryExpr) *expr {
	t := c.typeOf(x)
	switch x.Op {
	case token.LAND, token.LOR:
		a, b := c.ordered(x.X).b, c.ordered(x.Y).b
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
