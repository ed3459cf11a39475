package eval

import (
	"go/ast"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

func (c *comp) assignOne(l, r ast.Expr, define bool) stmt {
	if id, ok := l.(*ast.Ident); ok && id.Name == "_" {
		e := c.expr(r)
		if e.isNil {
			return func(*frame) ctl { return next }
		}
		prepare, _ := c.copied(e)
		return func(fr *frame) ctl { prepare(fr); return next }
	}
	c.renews = c.appendedTo(l, r)
	e := c.expr(r)
	c.renews = nil
	pl := place{}
	if obj := c.newVar(l, define); obj != nil {
		pl = c.bind(obj)
	} else {
		pl = c.target(l, calls(l))
	}
	e = c.convert(e, pl.t)
	if id, ok := l.(*ast.Ident); ok {
		if v := c.vars[c.u.info.ObjectOf(id)]; v != nil && v.off >= 0 {
			return storeLocal(v, e)
		}
	}
	if pl.prepare == nil && e.fam() != famP {
		in, put := e.into(), pl.put
		return c.valueFirst(e, in, put)
	}
	in := e.into()
	if e.fam() == famP { // the value first, then the place
		p, rt := e.p, rtype.Of(e.rt)
		at := c.slot(reflect.TypeFor[unsafe.Pointer]())
		in = func(fr *frame, dst unsafe.Pointer) { move(rt, dst, *(*unsafe.Pointer)(unsafe.Add(fr.mem, at))) }
		return func(fr *frame) ctl {
			if pl.prepare != nil {
				pl.prepare(fr)
			}
			*(*unsafe.Pointer)(unsafe.Add(fr.mem, at)) = p(fr)
			pl.put(fr, in)
			return next
		}
	}
	return func(fr *frame) ctl {
		pl.prepare(fr)
		pl.put(fr, in)
		return next
	}
}

// valueFirst stores a scalar after it was evaluated.
func (c *comp) valueFirst(e *expr, _ func(*frame, unsafe.Pointer),
	put func(*frame, func(*frame, unsafe.Pointer))) stmt {
	prepare, held := c.copied(e)
	in := held.into()
	return func(fr *frame) ctl {
		prepare(fr)
		put(fr, in)
		return next
	}
}

// storeLocal stores e in a local that is not boxed.
func storeLocal(v, e *expr) stmt {
	off := v.off
	switch {
	case v.k == reflect.Int || v.k == reflect.Int64:
		x := e.i
		return func(fr *frame) ctl { *(*int64)(unsafe.Add(fr.mem, off)) = x(fr); return next }
	case v.k == reflect.Float64:
		x := e.f
		return func(fr *frame) ctl { *(*float64)(unsafe.Add(fr.mem, off)) = x(fr); return next }
	}
	in := e.into()
	return func(fr *frame) ctl { in(fr, unsafe.Add(fr.mem, off)); return next }
}

// appendedTo returns the second m[k] of m[k] = append(m[k], …), which Go's compiler looks up once, to assign to it; nil
// for other assignments.
func (c *comp) appendedTo(l, r ast.Expr) *ast.IndexExpr {
	call, ok := ast.Unparen(r).(*ast.CallExpr)
	if !ok || !c.u.info.Types[call.Fun].IsBuiltin() || builtinName(call) != "append" {
		return nil
	}
	to, _ := ast.Unparen(l).(*ast.IndexExpr)
	from, ok := ast.Unparen(call.Args[0]).(*ast.IndexExpr)
	if !ok || to == nil || types.ExprString(to) != types.ExprString(from) || calls(from) {
		return nil
	}
	return from
}
