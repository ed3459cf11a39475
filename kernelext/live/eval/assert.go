package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// assertion compiles x.(T).
func (c *comp) assertion(x *ast.TypeAssertExpr) *expr {
	prepare, e := c.copied(c.expr(x.X))
	o, ok := c.asserted(e, c.typeOf(x.Type))
	from, to := e.rt, o.rt
	p, val := o.p, c.toAny(e)
	return c.load(o.t, func(fr *frame) unsafe.Pointer {
		prepare(fr)
		at := p(fr)
		if !*(*bool)(unsafe.Add(fr.mem, ok)) {
			panic(assertionError(val(fr), from, to))
		}
		return at
	})
}

// asserted returns e.(t) and where in the frame it leaves whether e is one; if not the value is zero.
func (c *comp) asserted(e *expr, t types.Type) (o *expr, ok int) {
	val := c.toAny(e)
	rt := c.w.types.rt(t)
	off := c.slot(rt)
	ok = c.slot(reflect.TypeFor[bool]())
	r, zero := rtype.Of(rt), reflect.New(rt).UnsafePointer()
	iface, direct := rt.Kind() == reflect.Interface, rtype.Direct(r)
	return c.load(t, func(fr *frame) unsafe.Pointer {
		v := val(fr)
		w := rtype.Take(v)
		p := unsafe.Add(fr.mem, off)
		is := w.Type == r
		if iface {
			is = v != nil && reflect.TypeOf(v).Implements(rt)
		}
		*(*bool)(unsafe.Add(fr.mem, ok)) = is
		switch {
		case !is:
			move(r, p, zero)
		case iface:
			set(rt, p, reflect.ValueOf(v))
		case direct:
			*(*unsafe.Pointer)(p) = w.Data
		default:
			move(r, p, w.Data)
		}
		return p
	}), ok
}

// pair compiles an expression that gives a value and whether it is there: v, ok := m[k], x.(T), <-ch.
func (c *comp) pair(x ast.Expr) (v *expr, ok *expr) {
	boolean := types.Typ[types.Bool]
	switch x := ast.Unparen(x).(type) {
	case *ast.IndexExpr:
		e := c.expr(x.X)
		v = c.mapIndex(e, e.t.Underlying().(*types.Map), x, true)
		return v, c.local(boolean, v.second)
	case *ast.TypeAssertExpr:
		v, off := c.asserted(c.expr(x.X), c.typeOf(x.Type))
		return v, c.local(boolean, off)
	case *ast.UnaryExpr:
		if x.Op == token.ARROW {
			v = c.receive(x, true)
			return v, c.local(boolean, v.second)
		}
	}
	return nil, nil
}

// receive compiles <-ch.
func (c *comp) receive(x *ast.UnaryExpr, comma bool) *expr {
	e := c.expr(x.X)
	ch := c.value(e)
	elem := e.t.Underlying().(*types.Chan).Elem()
	rt := c.w.types.rt(elem)
	off, ok := c.slot(rt), -1
	if comma {
		ok = c.slot(reflect.TypeFor[bool]())
	}
	o := c.load(elem, func(fr *frame) unsafe.Pointer {
		v, open := fr.th.receive(ch(fr))
		p := unsafe.Add(fr.mem, off)
		set(rt, p, v)
		if comma {
			*(*bool)(unsafe.Add(fr.mem, ok)) = open
		}
		return p
	})
	o.second = ok
	return o
}

// receive waits for a value, or for the end of the run.
func (th *thread) receive(ch reflect.Value) (reflect.Value, bool) {
	th.check()
	if v, open := ch.TryRecv(); v.IsValid() {
		return v, open
	}
	i, v, open := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: ch}, th.ended()})
	if i == 1 {
		th.abort()
	}
	return v, open
}

func (th *thread) ended() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(th.run.done)}
}

// send waits until the value is taken, or for the end of the run.
func (th *thread) send(ch, v reflect.Value) {
	th.check()
	if ch.IsValid() && !ch.IsNil() && ch.TrySend(v) {
		return
	}
	if i, _, _ := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: ch, Send: v}, th.ended()}); i == 1 {
		th.abort()
	}
}
