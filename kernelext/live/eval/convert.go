package eval

import (
	"go/constant"
	"go/types"
	"reflect"
	"unsafe"
)

// convert returns e as a value of type t, to which it can be assigned.
func (c *comp) convert(e *expr, t types.Type) *expr {
	if e.isNil {
		return c.zero(t)
	}
	rt := c.w.types.rt(t)
	if rt == e.rt {
		return e
	}
	if rt.Kind() == reflect.Interface {
		return c.toInterface(e, t)
	}
	if e.konst != nil && e.k != rt.Kind() {
		return c.constant(t, e.konst)
	}
	return c.retyped(e, t)
}

// retyped returns the same value under another type of the same underlying type.
func (c *comp) retyped(e *expr, t types.Type) *expr {
	o := *e
	o.t, o.rt, o.addr = t, c.w.types.rt(t), false
	o.k = o.rt.Kind()
	return &o
}

// representable returns a constant as one of a scalar type, nil if it is none.
func representable(v constant.Value, t reflect.Type) constant.Value {
	switch familyOf(t.Kind()) {
	case famI:
		if v = constant.ToInt(v); v.Kind() == constant.Int {
			return v
		}
	case famF:
		if v = constant.ToFloat(v); v.Kind() == constant.Float || v.Kind() == constant.Int {
			return v
		}
	case famB:
		return v
	}
	return nil
}

// conversion returns t(e).
func (c *comp) conversion(e *expr, t types.Type) *expr {
	rt := c.w.types.rt(t)
	from, to := e.k, rt.Kind()
	if e.isNil {
		return c.zero(t)
	}
	if e.konst != nil && (to == reflect.Complex64 || to == reflect.Complex128) {
		return c.constant(t, e.konst)
	}
	if e.konst != nil && to != reflect.String && to != reflect.Slice && to != reflect.Interface {
		if v := representable(e.konst, rt); v != nil {
			return c.constant(t, v)
		}
	}
	switch {
	case rt == e.rt:
		o := *e
		o.t, o.addr = t, false
		return &o
	case to == reflect.Interface:
		return c.toInterface(e, t)
	case familyOf(from) == famI && familyOf(to) == famI:
		return c.scalar(t, func(o *expr) { o.i = wrapInt(to, e.i) })
	case familyOf(from) == famI && familyOf(to) == famF:
		return c.scalar(t, func(o *expr) { o.f = intToFloat(from, to, e.i) })
	case familyOf(from) == famF && familyOf(to) == famI:
		return c.scalar(t, func(o *expr) { o.i = toInt(to, e.f) })
	case familyOf(from) == famF && familyOf(to) == famF:
		return c.scalar(t, func(o *expr) { o.f = round(to, e.f) })
	case familyOf(from) == famI && to == reflect.String:
		return c.scalar(t, func(o *expr) {
			o.s = func(fr *frame) string {
				if x := e.i(fr); x == int64(rune(x)) {
					return string(rune(x))
				}
				return "\uFFFD"
			}
		})
	case from == to && from != reflect.Slice && from != reflect.Complex64 || e.t.Underlying() == t.Underlying():
		return c.retyped(e, t)
	case from == reflect.Slice && to == reflect.Slice:
		return c.retyped(e, t)
	case from == reflect.Slice && (to == reflect.Array || to == reflect.Pointer):
		return c.toArray(e, t)
	case from == reflect.Slice && to == reflect.String:
		p := c.memory(e)
		return c.scalar(t, func(o *expr) {
			if e.rt.Elem().Kind() == reflect.Uint8 {
				o.s = func(fr *frame) string { return string(*(*[]byte)(p(fr))) }
			} else {
				o.s = func(fr *frame) string { return string(*(*[]rune)(p(fr))) }
			}
		})
	case from == reflect.String && to == reflect.Slice:
		off, bytes := c.slot(rt), rt.Elem().Kind() == reflect.Uint8
		return c.load(t, func(fr *frame) unsafe.Pointer {
			p := unsafe.Add(fr.mem, off)
			if s := e.s(fr); bytes {
				*(*[]byte)(p) = []byte(s)
			} else {
				*(*[]rune)(p) = []rune(s)
			}
			return p
		})
	}
	v := c.value(e)
	off := c.slot(rt)
	return c.load(t, func(fr *frame) unsafe.Pointer {
		p := unsafe.Add(fr.mem, off)
		set(rt, p, v(fr).Convert(rt))
		return p
	})
}

// scalar returns an expression of type t with the functions that fill gives it.
func (c *comp) scalar(t types.Type, fill func(*expr)) *expr {
	o := c.fresh(t)
	fill(o)
	return o
}

// wrapInt brings x into the range of kind k, as overflow does.
func wrapInt(k reflect.Kind, x intFn) intFn {
	switch k {
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return x
	}
	return toInt(k, x)
}

// intToFloat converts at once: by way of a float64, a float32 would be rounded twice.
func intToFloat(from, to reflect.Kind, x intFn) floatFn {
	switch {
	case signed(from) && to == reflect.Float32:
		return func(fr *frame) float64 { return float64(float32(x(fr))) }
	case signed(from):
		return func(fr *frame) float64 { return float64(x(fr)) }
	case to == reflect.Float32:
		return func(fr *frame) float64 { return float64(float32(uint64(x(fr)))) }
	}
	return func(fr *frame) float64 { return float64(uint64(x(fr))) }
}

// toInt converts as compiled code does, to the kind itself: what becomes of values out of its range depends on it.
func toInt[X int64 | float64](k reflect.Kind, x func(*frame) X) intFn {
	switch k {
	case reflect.Int8:
		return func(fr *frame) int64 { return int64(int8(x(fr))) }
	case reflect.Int16:
		return func(fr *frame) int64 { return int64(int16(x(fr))) }
	case reflect.Int32:
		return func(fr *frame) int64 { return int64(int32(x(fr))) }
	case reflect.Uint8:
		return func(fr *frame) int64 { return int64(uint8(x(fr))) }
	case reflect.Uint16:
		return func(fr *frame) int64 { return int64(uint16(x(fr))) }
	case reflect.Uint32:
		return func(fr *frame) int64 { return int64(uint32(x(fr))) }
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return func(fr *frame) int64 { return int64(uint64(x(fr))) }
	}
	return func(fr *frame) int64 { return int64(x(fr)) }
}

func round(k reflect.Kind, x floatFn) floatFn {
	if k == reflect.Float32 {
		return func(fr *frame) float64 { return float64(float32(x(fr))) }
	}
	return x
}

// toArray converts a slice to an array, or to a pointer to one.
func (c *comp) toArray(e *expr, t types.Type) *expr {
	p := c.memory(e)
	a, isArray := t.Underlying().(*types.Array)
	if !isArray {
		a = t.Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	}
	n := int(a.Len())
	data := func(fr *frame) unsafe.Pointer {
		s := *(*slice)(p(fr))
		if s.len < n {
			outOfBounds(inConversion, bound{n: n}, s.len)
		}
		return s.data
	}
	if isArray {
		empty := zeroOf(c.w.types.rt(t))
		return c.load(t, func(fr *frame) unsafe.Pointer {
			if d := data(fr); d != nil {
				return d
			}
			return empty
		})
	}
	return c.scalar(t, func(o *expr) { o.u = data })
}
