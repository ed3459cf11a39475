package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// result is a compiled call: run makes it, and returns memory where its values stand at offs.
type result struct {
	ts       []types.Type
	offs     []int
	run      addrFn
	via      func(*frame, reflect.Value) unsafe.Pointer // of compiled code: calls the function given
	viaLater func(*frame, reflect.Value) func(*thread, *frame)
	go_      func(fr *frame) func(th *thread, deferrer *frame) // evaluates function and arguments now, calls later
}

// callOne compiles a call, conversion or built-in that gives one value.
func (c *comp) callOne(x *ast.CallExpr) *expr {
	tv := c.u.info.Types[x.Fun]
	switch {
	case tv.IsType():
		t := c.sub.typ(tv.Type)
		return c.conversion(c.expr(x.Args[0]), t)
	case tv.IsBuiltin():
		return c.builtin(x)
	}
	r := c.call(x)
	if len(r.ts) != 1 {
		panic(unsupported("a call without one value here"))
	}
	return c.resultAt(r, 0)
}

func (c *comp) resultAt(r *result, i int) *expr {
	run, off := r.run, r.offs[i]
	return c.load(r.ts[i], func(fr *frame) unsafe.Pointer { return unsafe.Add(run(fr), off) })
}

// spread returns the values of a call with several, each once run has been called.
func (c *comp) spread(r *result) (run func(*frame), values []*expr) {
	at := c.slot(reflect.TypeFor[unsafe.Pointer]())
	call := r.run
	for i, t := range r.ts {
		off := r.offs[i]
		values = append(values, c.load(t, func(fr *frame) unsafe.Pointer {
			return unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(fr.mem, at)), off)
		}))
	}
	return func(fr *frame) { *(*unsafe.Pointer)(unsafe.Add(fr.mem, at)) = call(fr) }, values
}

// call compiles a call of a function or method.
func (c *comp) call(x *ast.CallExpr) *result {
	fun := ast.Unparen(x.Fun)
	sig := c.typeOf(fun).Underlying().(*types.Signature)
	first := c.callOperands(fun, sig, x)
	before, args := c.args(x, sig)
	r := c.callee(fun, sig, args, x.Lparen)
	for _, f := range []func(*frame){before, first} {
		if f != nil {
			r = r.after(f)
		}
	}
	return r
}

// after makes before run first.
func (r *result) after(before func(*frame)) *result {
	run, later := r.run, r.go_
	r.run = func(fr *frame) unsafe.Pointer { before(fr); return run(fr) }
	r.go_ = func(fr *frame) func(*thread, *frame) { before(fr); return later(fr) }
	return r
}

func (c *comp) callee(fun ast.Expr, sig *types.Signature, args []*expr, pos token.Pos) *result {
	switch f := fun.(type) {
	case *ast.FuncLit:
		cd, caps := c.literal(f)
		return c.direct(sig, func() *code { return cd }, caps, nil, args, pos)
	case *ast.SelectorExpr:
		if sel := c.u.info.Selections[f]; sel != nil && sel.Kind() == types.MethodVal {
			m := c.find(f)
			m.known = c.follows(f)
			return c.callMethod(m, args, pos)
		}
	}
	if fn, targs := c.static(fun); fn != nil {
		if src := c.source(fn); src != nil {
			return c.direct(sig, func() *code { return src.code(c.w, targs) }, nil, nil, args, pos)
		}
		if v := c.w.native(fn); v.IsValid() {
			return c.nativeCall(sig, func(*frame) reflect.Value { return v }, v, c.stoppable(fn, args), pos)
		}
	}
	return c.dynamic(sig, c.expr(fun), args, pos)
}

// static returns the declared function that an expression names, with its type arguments.
func (c *comp) static(fun ast.Expr) (*types.Func, []types.Type) {
	var id *ast.Ident
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		if c.u.info.Selections[f] == nil {
			id = f.Sel
		}
	case *ast.IndexExpr:
		return c.static(f.X)
	case *ast.IndexListExpr:
		return c.static(f.X)
	}
	if id == nil {
		return nil, nil
	}
	fn, ok := c.u.info.ObjectOf(id).(*types.Func)
	if !ok {
		return nil, nil
	}
	return fn, c.targs(id)
}

func (c *comp) targs(id *ast.Ident) (list []types.Type) {
	if inst, ok := c.u.info.Instances[id]; ok {
		for t := range inst.TypeArgs.Types() {
			list = append(list, c.sub.typ(t))
		}
	}
	return list
}

// args returns the arguments as the parameters want them; before is to be run first if a call gives them.
func (c *comp) args(x *ast.CallExpr, sig *types.Signature) (before func(*frame), args []*expr) {
	var given []*expr
	if len(x.Args) == 1 && sig.Params().Len() != 1 || len(x.Args) == 1 && sig.Variadic() {
		if call, ok := ast.Unparen(x.Args[0]).(*ast.CallExpr); ok {
			if t, ok := c.u.info.TypeOf(call).(*types.Tuple); ok && t.Len() > 1 {
				before, given = c.spread(c.call(call))
			}
		}
	}
	if given == nil {
		for _, a := range x.Args {
			given = append(given, c.expr(a))
		}
	}
	n := sig.Params().Len()
	if !sig.Variadic() || x.Ellipsis.IsValid() {
		for i, a := range given {
			args = append(args, c.convert(a, sig.Params().At(i).Type()))
		}
		return before, args
	}
	for i := range n - 1 {
		args = append(args, c.convert(given[i], sig.Params().At(i).Type()))
	}
	return before, append(args, c.rest(sig.Params().At(n-1).Type(), given[n-1:]))
}

// rest returns the slice of a variadic parameter.
func (c *comp) rest(t types.Type, given []*expr) *expr {
	if len(given) == 0 {
		return c.zero(t)
	}
	elem := t.Underlying().(*types.Slice).Elem()
	rt := c.w.types.rt(elem)
	array := rtype.Of(reflect.ArrayOf(len(given), rt))
	n, size := len(given), rt.Size()
	var list []func(*frame, unsafe.Pointer)
	for _, g := range given {
		list = append(list, c.convert(g, elem).into())
	}
	o := c.fresh(t)
	off := c.slot(o.rt)
	o.p = func(fr *frame) unsafe.Pointer {
		data := rtype.New(array)
		for i, in := range list {
			in(fr, unsafe.Add(data, uintptr(i)*size))
		}
		p := unsafe.Add(fr.mem, off)
		*(*slice)(p) = slice{data, n, n}
		return p
	}
	return o
}

// outcome returns a result with the types of a signature; its offsets are those of code's results.
func (c *comp) outcome(sig *types.Signature) *result {
	r := &result{}
	off := uintptr(0)
	for v := range sig.Results().Variables() {
		t := c.sub.typ(v.Type())
		rt := c.w.types.rt(t)
		align := uintptr(rt.FieldAlign())
		off = (off + align - 1) &^ (align - 1)
		r.ts, r.offs = append(r.ts, t), append(r.offs, int(off))
		off += rt.Size()
	}
	return r
}
