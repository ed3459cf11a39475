package eval

import (
	"context"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// nativeCall compiles a call of compiled code: of the function that get returns, or of one given to via. v is the
// function if it is known.
func (c *comp) nativeCall(sig *types.Signature, get func(*frame) reflect.Value, v reflect.Value, args []*expr,
	pos token.Pos) *result {
	r := c.outcome(sig)
	vals := make([]func(*frame) reflect.Value, len(args))
	for i, a := range args {
		vals[i] = c.value(a)
	}
	var outs []reflect.Type
	var fields []reflect.StructField
	for i, t := range r.ts {
		outs = append(outs, c.w.types.rt(t))
		fields = append(fields, reflect.StructField{Name: "F" + string(rune('a'+i)), Type: outs[i]})
	}
	memory := rtype.Of(reflect.StructOf(fields))
	variadic := sig.Variadic()
	call := func(f reflect.Value, in []reflect.Value) []reflect.Value {
		if variadic {
			return f.CallSlice(in)
		}
		return f.Call(in)
	}
	eval := func(fr *frame) []reflect.Value {
		in := make([]reflect.Value, len(vals))
		for i, v := range vals {
			in[i] = v(fr)
		}
		return in
	}
	r.via = func(fr *frame, f reflect.Value) unsafe.Pointer {
		in := eval(fr)
		fr.pos = pos
		out := call(f, in)
		fr.th.top = fr
		if len(out) == 0 {
			return nil
		}
		mem := rtype.New(memory)
		for i, o := range out {
			set(outs[i], unsafe.Add(mem, r.offs[i]), o)
		}
		fr.th.check()
		return mem
	}
	r.viaLater = func(fr *frame, f reflect.Value) func(*thread, *frame) {
		in := eval(fr)
		for i, v := range in {
			own := reflect.New(v.Type()).Elem()
			own.Set(v)
			in[i] = own
		}
		return func(*thread, *frame) { call(f, in) }
	}
	if get == nil {
		return r
	}
	r.run = func(fr *frame) unsafe.Pointer { return r.via(fr, get(fr)) }
	r.go_ = func(fr *frame) func(*thread, *frame) { return r.viaLater(fr, get(fr)) }
	if v.IsValid() {
		c.fastNative(r, v, args, pos)
	}
	return r
}

// stoppable returns the arguments of a call of a library, not one of Go's own, with contexts that the session can end.
func (c *comp) stoppable(fn *types.Func, args []*expr) []*expr {
	// methods of interfaces have no package
	own := fn.Pkg() != nil && !strings.Contains(strings.Split(fn.Pkg().Path(), "/")[0], ".")
	if own || c.w.Context == nil {
		return args
	}
	args = slices.Clone(args)
	for i, a := range args {
		if a.rt != reflect.TypeFor[context.Context]() {
			continue
		}
		in, off, o := a.into(), c.slot(a.rt), c.fresh(a.t)
		o.p = func(fr *frame) unsafe.Pointer {
			p := unsafe.Add(fr.mem, off)
			in(fr, p)
			if ctx := (*context.Context)(p); *ctx != nil {
				*ctx = c.w.Context(*ctx)
			}
			return p
		}
		args[i] = o
	}
	return args
}

// fastNative replaces the call of a function of a common type.
func (c *comp) fastNative(r *result, v reflect.Value, args []*expr, pos token.Pos) {
	switch f := v.Interface().(type) {
	case func(float64) float64:
		off, x := c.slot(reflect.TypeFor[float64]()), args[0].f
		r.run = func(fr *frame) unsafe.Pointer {
			p := unsafe.Add(fr.mem, off)
			*(*float64)(p) = f(x(fr))
			return p
		}
	case func(float64, float64) float64:
		off, x, y := c.slot(reflect.TypeFor[float64]()), args[0].f, args[1].f
		r.run = func(fr *frame) unsafe.Pointer {
			a := x(fr)
			p := unsafe.Add(fr.mem, off)
			*(*float64)(p) = f(a, y(fr))
			return p
		}
	case func(...any) string:
		off, x := c.slot(reflect.TypeFor[string]()), args[0].p
		r.run = func(fr *frame) unsafe.Pointer {
			list := *(*[]any)(x(fr))
			fr.pos = pos
			s := f(list...)
			fr.th.top = fr
			fr.th.check()
			p := unsafe.Add(fr.mem, off)
			*(*string)(p) = s
			return p
		}
	}
}

// funcValue returns a declared function as a value.
func (c *comp) funcValue(x interface{ Pos() token.Pos }, fn *types.Func, targs []types.Type) *expr {
	if v := c.w.native(fn); v.IsValid() {
		o := c.fresh(fn.Type())
		word := wordOf(v)
		o.u = func(*frame) unsafe.Pointer { return word }
		return o
	}
	src := c.source(fn)
	if src == nil {
		panic(unsupported("the function " + fn.Name() + " as a value"))
	}
	sig := fn.Signature()
	if len(targs) > 0 {
		s := subst{}
		for i, t := range targs {
			s[sig.TypeParams().At(i)] = t
		}
		sig = s.typ(sig).(*types.Signature)
	}
	o := c.fresh(c.sub.typ(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())))
	rt := o.rt
	o.u = func(fr *frame) unsafe.Pointer { return src.value(fr.th.w, targs, rt) }
	return o
}
