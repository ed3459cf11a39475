package eval

import (
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// toInterface returns e in an interface of type t.
func (c *comp) toInterface(e *expr, t types.Type) *expr {
	o := c.fresh(t)
	off, val := c.slot(o.rt), c.toAny(e)
	rt := o.rt
	if rt.NumMethod() == 0 {
		o.p = func(fr *frame) unsafe.Pointer {
			v := val(fr)
			p := unsafe.Add(fr.mem, off)
			*(*any)(p) = v
			return p
		}
		return o
	}
	if e.k == reflect.Interface {
		o.p = func(fr *frame) unsafe.Pointer {
			v := val(fr)
			p := unsafe.Add(fr.mem, off)
			if v == nil {
				*(*rtype.Word)(p) = rtype.Word{}
			} else {
				set(rt, p, reflect.ValueOf(v))
			}
			return p
		}
		return o
	}
	table := c.table(rt, e.rt)
	o.p = func(fr *frame) unsafe.Pointer {
		w := rtype.Take(val(fr))
		p := unsafe.Add(fr.mem, off)
		*(*rtype.Word)(p) = rtype.Word{Type: table, Data: w.Data}
		return p
	}
	return o
}

// table returns the first word of interfaces of type iface that hold values of type t.
func (c *comp) table(iface, t reflect.Type) rtype.Type {
	v := reflect.New(iface)
	if !t.Implements(iface) {
		panic(unsupported("a value of type " + t.String() + " as " + iface.String()))
	}
	v.Elem().Set(reflect.Zero(t))
	return (*rtype.Word)(v.UnsafePointer()).Type
}
