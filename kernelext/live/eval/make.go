package eval

import (
	"fmt"
	"go/ast"
	"go/types"
	"math"
	"reflect"
	"unsafe"
)

// fits ends what runs if n elements of a size are more than this machine's memory: an allocation that fails would take
// the session with it.
func (w *World) fits(n int, size uintptr) {
	if bytes := float64(n) * float64(size); w.memory > 0 && bytes > float64(w.memory) {
		panic(&Abort{Err: tooLarge(bytes, w.memory)})
	}
}

func tooLarge(bytes float64, memory int64) error {
	return fmt.Errorf("out of memory: %.3g GB at once, and this machine has %.3g", bytes/1e9, float64(memory)/1e9)
}

// grows panics if a slice cannot be longer by n.
func grows(length, n int) {
	if length > math.MaxInt-n {
		panic(runtimeError("growslice: len out of range"))
	}
}

func (c *comp) makeOf(x *ast.CallExpr, t types.Type) *expr {
	size := func(i int) func(*frame) int {
		if len(x.Args) <= i {
			return func(*frame) int { return 0 }
		}
		e := c.expr(x.Args[i])
		if e.fam() != famI {
			e = c.constant(types.Typ[types.Int], e.konst)
		}
		return func(fr *frame) int { return int(e.i(fr)) }
	}
	n, m := size(1), size(2)
	o := c.fresh(t)
	rt := o.rt
	switch rt.Kind() {
	case reflect.Slice:
		off := c.slot(rt)
		o.p = func(fr *frame) unsafe.Pointer {
			a := n(fr)
			b := a
			if len(x.Args) > 2 {
				b = m(fr)
			}
			if tooMany(rt.Elem(), a) {
				panic(runtimeError("makeslice: len out of range"))
			} else if b < a || tooMany(rt.Elem(), b) {
				panic(runtimeError("makeslice: cap out of range"))
			}
			c.w.fits(b, rt.Elem().Size())
			p := unsafe.Add(fr.mem, off)
			set(rt, p, reflect.MakeSlice(rt, a, b))
			return p
		}
	case reflect.Map:
		size := rt.Key().Size() + rt.Elem().Size()
		o.u = func(fr *frame) unsafe.Pointer {
			hint := max(0, n(fr))
			c.w.fits(hint, size)
			return wordOf(reflect.MakeMapWithSize(rt, hint))
		}
	default:
		two := reflect.ChanOf(reflect.BothDir, rt.Elem())
		o.u = func(fr *frame) unsafe.Pointer {
			a := n(fr)
			if a < 0 {
				_ = make(chan struct{}, a) // panics as Go does
			}
			c.w.fits(a, rt.Elem().Size())
			return wordOf(reflect.MakeChan(two, a))
		}
	}
	return o
}

// tooMany reports whether n elements are more than memory could ever hold.
func tooMany(elem reflect.Type, n int) bool {
	const addresses = 1 << 47
	return n < 0 || elem.Size() > 0 && uintptr(n) > addresses/elem.Size()
}
