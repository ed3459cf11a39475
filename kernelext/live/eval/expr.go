package eval

import (
	"go/constant"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

type (
	addrFn  = func(*frame) unsafe.Pointer
	intFn   = func(*frame) int64
	floatFn = func(*frame) float64
	boolFn  = func(*frame) bool
	strFn   = func(*frame) string
)

// family is how values of a kind are handed on.
type family int

const (
	famP family = iota // by the address of memory: slices, structs, arrays, interfaces, complex numbers
	famI               // integers, as int64
	famF               // floats
	famB
	famS
	famU // one word: pointers, maps, channels, functions
)

func familyOf(k reflect.Kind) family {
	switch k {
	case reflect.Bool:
		return famB
	case reflect.Float32, reflect.Float64:
		return famF
	case reflect.String:
		return famS
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return famU
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return famI
	}
	return famP
}

func signed(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Int64 }

// expr is a compiled expression: of the functions, that of its family is there; p too if it has memory of its own.
type expr struct {
	t      types.Type
	rt     reflect.Type
	k      reflect.Kind
	i      intFn
	f      floatFn
	b      boolFn
	s      strFn
	u      addrFn // the word
	p      addrFn // the address
	addr   bool   // p is the address of a variable
	off    int    // of a local that is not boxed, else -1
	konst  constant.Value
	isNil  bool
	second int // of v, ok: where ok stands in the frame
}

func (e *expr) fam() family { return familyOf(e.k) }

// fresh returns an expression of type t without functions.
func (c *comp) fresh(t types.Type) *expr {
	rt := c.w.types.rt(t)
	return &expr{t: t, rt: rt, k: rt.Kind(), off: -1}
}

// load returns the value that stands at p.
func (c *comp) load(t types.Type, p addrFn) *expr {
	e := c.fresh(t)
	e.p = p
	e.fromMemory()
	return e
}

func (e *expr) fromMemory() {
	p := e.p
	switch e.fam() {
	case famI:
		e.i = loadInt(e.k, p)
	case famF:
		if e.k == reflect.Float32 {
			e.f = func(fr *frame) float64 { return float64(*(*float32)(p(fr))) }
		} else {
			e.f = func(fr *frame) float64 { return *(*float64)(p(fr)) }
		}
	case famB:
		e.b = func(fr *frame) bool { return *(*bool)(p(fr)) }
	case famS:
		e.s = func(fr *frame) string { return *(*string)(p(fr)) }
	case famU:
		e.u = func(fr *frame) unsafe.Pointer { return *(*unsafe.Pointer)(p(fr)) }
	}
}

// local returns the variable of the frame at off.
func (c *comp) local(t types.Type, off int) *expr {
	e := c.load(t, func(fr *frame) unsafe.Pointer { return unsafe.Add(fr.mem, off) })
	e.addr, e.off = true, off
	switch e.k {
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64:
		e.i = func(fr *frame) int64 { return *(*int64)(unsafe.Add(fr.mem, off)) }
	case reflect.Float64:
		e.f = func(fr *frame) float64 { return *(*float64)(unsafe.Add(fr.mem, off)) }
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func:
		e.u = func(fr *frame) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Add(fr.mem, off)) }
	}
	return e
}

func loadInt(k reflect.Kind, p addrFn) intFn {
	switch k {
	case reflect.Int8:
		return func(fr *frame) int64 { return int64(*(*int8)(p(fr))) }
	case reflect.Int16:
		return func(fr *frame) int64 { return int64(*(*int16)(p(fr))) }
	case reflect.Int32:
		return func(fr *frame) int64 { return int64(*(*int32)(p(fr))) }
	case reflect.Uint8:
		return func(fr *frame) int64 { return int64(*(*uint8)(p(fr))) }
	case reflect.Uint16:
		return func(fr *frame) int64 { return int64(*(*uint16)(p(fr))) }
	case reflect.Uint32:
		return func(fr *frame) int64 { return int64(*(*uint32)(p(fr))) }
	}
	return func(fr *frame) int64 { return *(*int64)(p(fr)) }
}

func storeInt(k reflect.Kind, p unsafe.Pointer, x int64) {
	switch k {
	case reflect.Int8, reflect.Uint8:
		*(*int8)(p) = int8(x)
	case reflect.Int16, reflect.Uint16:
		*(*int16)(p) = int16(x)
	case reflect.Int32, reflect.Uint32:
		*(*int32)(p) = int32(x)
	default:
		*(*int64)(p) = x
	}
}

// into returns what evaluates e and stores it.
func (e *expr) into() func(fr *frame, dst unsafe.Pointer) {
	switch e.fam() {
	case famI:
		x := e.i
		switch k := e.k; k {
		case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr:
			return func(fr *frame, dst unsafe.Pointer) { *(*int64)(dst) = x(fr) }
		case reflect.Uint8:
			return func(fr *frame, dst unsafe.Pointer) { *(*uint8)(dst) = uint8(x(fr)) }
		default:
			return func(fr *frame, dst unsafe.Pointer) { storeInt(k, dst, x(fr)) }
		}
	case famF:
		x := e.f
		if e.k == reflect.Float32 {
			return func(fr *frame, dst unsafe.Pointer) { *(*float32)(dst) = float32(x(fr)) }
		}
		return func(fr *frame, dst unsafe.Pointer) { *(*float64)(dst) = x(fr) }
	case famB:
		x := e.b
		return func(fr *frame, dst unsafe.Pointer) { *(*bool)(dst) = x(fr) }
	case famS:
		x := e.s
		return func(fr *frame, dst unsafe.Pointer) { *(*string)(dst) = x(fr) }
	case famU:
		x := e.u
		return func(fr *frame, dst unsafe.Pointer) { *(*unsafe.Pointer)(dst) = x(fr) }
	}
	x := e.p
	switch e.k {
	case reflect.Slice:
		return func(fr *frame, dst unsafe.Pointer) { *(*slice)(dst) = *(*slice)(x(fr)) }
	case reflect.Interface:
		return func(fr *frame, dst unsafe.Pointer) { *(*rtype.Word)(dst) = *(*rtype.Word)(x(fr)) }
	}
	t := rtype.Of(e.rt)
	return func(fr *frame, dst unsafe.Pointer) { move(t, dst, x(fr)) }
}

// slice is a slice in memory.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// memory returns where e's value stands: its variable, or a temporary of the frame.
func (c *comp) memory(e *expr) addrFn {
	if e.p != nil {
		return e.p
	}
	off, in := c.slot(e.rt), e.into()
	return func(fr *frame) unsafe.Pointer {
		p := unsafe.Add(fr.mem, off)
		in(fr, p)
		return p
	}
}

// copied returns e with a value of its own, which later changes of variables do not reach.
func (c *comp) copied(e *expr) (prepare func(*frame), out *expr) {
	off, in := c.slot(e.rt), e.into()
	out = c.local(e.t, off)
	out.rt, out.k = e.rt, e.k
	return func(fr *frame) { in(fr, unsafe.Add(fr.mem, off)) }, out
}

// value returns e as reflect has it. It shares memory with variables.
func (c *comp) value(e *expr) func(*frame) reflect.Value {
	m, rt := c.memory(e), e.rt
	return func(fr *frame) reflect.Value { return reflect.NewAt(rt, m(fr)).Elem() }
}

// toAny returns e as a value of the empty interface.
func (c *comp) toAny(e *expr) func(*frame) any {
	if e.k == reflect.Interface {
		p, methods := c.memory(e), e.rt.NumMethod() > 0
		return func(fr *frame) any { return rtype.Any(p(fr), methods) }
	}
	switch {
	case e.rt == reflect.TypeFor[string]():
		return func(fr *frame) any { return e.s(fr) }
	case e.rt == reflect.TypeFor[int]():
		return func(fr *frame) any { return int(e.i(fr)) }
	case e.rt == reflect.TypeFor[float64]():
		return func(fr *frame) any { return e.f(fr) }
	}
	v := c.value(e)
	return func(fr *frame) any { return v(fr).Interface() }
}
