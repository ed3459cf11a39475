package eval

import (
	"go/ast"
	"go/types"
	"reflect"
	"unsafe"
)

func (c *comp) slicing(x *ast.SliceExpr) *expr {
	o := operands{c: c}
	o.slice(x)
	return c.after(c.ahead(o), func() *expr { return c.sliceOf(x) })
}

func (c *comp) sliceOf(x *ast.SliceExpr) *expr {
	e := c.expr(x.X)
	bounds := c.bounds(x)
	t := c.typeOf(x)
	if e.k == reflect.String {
		s := e.s
		return c.scalar(t, func(o *expr) {
			o.s = func(fr *frame) string {
				v := s(fr)
				a, b, _ := bounds(fr, len(v), len(v), true)
				return v[a:b]
			}
		})
	}
	var whole func(fr *frame) slice
	size := c.w.types.rt(t.Underlying().(*types.Slice).Elem()).Size()
	if p, ok := e.t.Underlying().(*types.Pointer); ok {
		e = c.deref(e, p.Elem())
	}
	p := c.memory(e)
	array, isArray := e.t.Underlying().(*types.Array)
	if isArray {
		n := int(array.Len())
		whole = func(fr *frame) slice { return slice{p(fr), n, n} }
	} else {
		whole = func(fr *frame) slice { return *(*slice)(p(fr)) }
	}
	off := c.slot(c.w.types.rt(t))
	return c.load(t, func(fr *frame) unsafe.Pointer {
		s := whole(fr)
		a, b, m := bounds(fr, s.len, s.cap, isArray)
		out := (*slice)(unsafe.Add(fr.mem, off))
		*out = slice{s.data, b - a, m - a}
		if m > a {
			out.data = unsafe.Add(s.data, uintptr(a)*size)
		}
		return unsafe.Pointer(out)
	})
}

// bounds returns what evaluates low, high and max of a slice expression and checks them as Go does; of a fixed operand,
// a string or an array, the length is what bounds them.
func (c *comp) bounds(x *ast.SliceExpr) func(fr *frame, length, capacity int, fixed bool) (a, b, m int) {
	at := func(x ast.Expr) func(*frame, int) bound {
		if x == nil {
			return func(_ *frame, n int) bound { return bound{n: n} }
		}
		i, unsigned := c.indexOf(c.expr(x))
		return func(fr *frame, _ int) bound { return bound{i(fr), unsigned} }
	}
	low, high, most := at(x.Low), at(x.High), at(x.Max)
	return func(fr *frame, length, capacity int, fixed bool) (int, int, int) {
		a, b, m := low(fr, 0), high(fr, length), most(fr, capacity)
		if m.past(capacity) || b.past(m.n) || a.past(b.n) {
			outOfSlice(a, b, m, capacity, x.Slice3, fixed)
		}
		return a.n, b.n, m.n
	}
}

// outOfSlice panics for the bound of a slice expression that Go checks first.
func outOfSlice(a, b, m bound, capacity int, three, fixed bool) {
	pick := func(is bool, yes, no exceeded) exceeded {
		if is {
			return yes
		}
		return no
	}
	switch {
	case m.past(capacity):
		outOfBounds(pick(fixed, in3Length, in3Capacity), m, capacity)
	case b.past(m.n):
		outOfBounds(pick(three, in3High, pick(fixed, inLength, inCapacity)), b, m.n)
	}
	outOfBounds(pick(three, in3Order, inOrder), a, b.n)
}
