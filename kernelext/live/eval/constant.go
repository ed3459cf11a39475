package eval

import (
	"go/constant"
	"go/types"
	"math"
	"reflect"
	"unsafe"
)

// constant returns a constant of type t.
func (c *comp) constant(t types.Type, v constant.Value) *expr {
	e := c.fresh(t)
	e.konst = v
	switch e.fam() {
	case famI:
		x := constInt(v)
		e.i = func(*frame) int64 { return x }
	case famF:
		x, _ := constant.Float64Val(constant.ToFloat(v))
		if e.k == reflect.Float32 {
			x32, _ := constant.Float32Val(constant.ToFloat(v))
			x = float64(x32)
		}
		e.f = func(*frame) float64 { return x }
	case famB:
		x := constant.BoolVal(v)
		e.b = func(*frame) bool { return x }
	case famS:
		x := constant.StringVal(v)
		e.s = func(*frame) string { return x }
	default:
		if e.k == reflect.Interface { // of a type parameter's place: the default type
			return c.convert(c.constant(defaultOf(v), v), t)
		}
		if e.k == reflect.UnsafePointer || e.k != reflect.Complex64 && e.k != reflect.Complex128 {
			panic(unsupported("a constant of this type"))
		}
		z := constant.ToComplex(v)
		re, _ := constant.Float64Val(constant.Real(z))
		im, _ := constant.Float64Val(constant.Imag(z))
		e.p = c.complexAt(e.k, func(*frame) complex128 { return complex(re, im) })
	}
	return e
}

func defaultOf(v constant.Value) types.Type {
	return types.Typ[map[constant.Kind]types.BasicKind{constant.Bool: types.Bool, constant.String: types.String,
		constant.Int:   types.Int,
		constant.Float: types.Float64, constant.Complex: types.Complex128}[v.Kind()]]
}

func constInt(v constant.Value) int64 {
	v = constant.ToInt(v)
	if x, ok := constant.Int64Val(v); ok {
		return x
	}
	if x, ok := constant.Uint64Val(v); ok {
		return int64(x)
	}
	return math.MinInt64
}

// zero returns the zero value of t.
func (c *comp) zero(t types.Type) *expr {
	e := c.fresh(t)
	p := reflect.New(e.rt).UnsafePointer()
	e.p = func(*frame) unsafe.Pointer { return p }
	e.fromMemory()
	return e
}

// complexAt stores a complex number in a temporary.
func (c *comp) complexAt(k reflect.Kind, z func(*frame) complex128) addrFn {
	off := c.slot(map[reflect.Kind]reflect.Type{reflect.Complex64: reflect.TypeFor[complex64](),
		reflect.Complex128: reflect.TypeFor[complex128]()}[k])
	return func(fr *frame) unsafe.Pointer {
		p := unsafe.Add(fr.mem, off)
		if k == reflect.Complex64 {
			*(*complex64)(p) = complex64(z(fr))
		} else {
			*(*complex128)(p) = z(fr)
		}
		return p
	}
}

func (c *comp) complexOf(e *expr) func(*frame) complex128 {
	p := e.p
	if e.k == reflect.Complex64 {
		return func(fr *frame) complex128 { return complex128(*(*complex64)(p(fr))) }
	}
	return func(fr *frame) complex128 { return *(*complex128)(p(fr)) }
}
