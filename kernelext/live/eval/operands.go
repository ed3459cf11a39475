package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// operands are what an expression consists of.
type operands struct {
	c     *comp
	calls []ast.Expr // outermost, in order
	reads bool       // there was an operand that calls may change
	late  bool       // before a call
}

func (o *operands) call(x ast.Expr) {
	o.calls = append(o.calls, x)
	o.late = o.late || o.reads
}

func (o *operands) walk(x ast.Expr) {
	x = ast.Unparen(x)
	info := o.c.u.info
	if tv := info.Types[x]; tv.IsType() || tv.Value != nil {
		return
	}
	switch x := x.(type) {
	case *ast.FuncLit: // reads nothing yet
	case *ast.Ident:
		if v, ok := info.Uses[x].(*types.Var); ok && !v.IsField() {
			o.reads = o.reads || o.c.shared(v)
		}
	case *ast.SelectorExpr:
		o.selector(x)
	case *ast.StarExpr:
		o.walk(x.X)
		o.reads = true
	case *ast.IndexExpr:
		o.index(x)
	case *ast.SliceExpr:
		o.call(x)
	case *ast.BinaryExpr:
		o.binary(x)
	case *ast.UnaryExpr:
		if x.Op == token.ARROW {
			o.call(x)
			return
		}
		o.walk(x.X)
	case *ast.CallExpr:
		o.callExpr(x)
	case *ast.CompositeLit:
		o.literal(x)
	case *ast.TypeAssertExpr:
		if rtype.Direct(rtype.Of(o.c.w.types.rt(o.c.typeOf(x)))) { // one word, taken where it is used
			o.walk(x.X)
			o.reads = true
			return
		}
		o.call(x)
	}
}

// index walks x[i]; what may panic does so after the calls.
func (o *operands) index(x *ast.IndexExpr) {
	m, isMap := o.c.typeOf(x.X).Underlying().(*types.Map)
	if isMap {
		if c, ok := ast.Unparen(x.Index).(*ast.CallExpr); ok && isString(m.Key()) && o.fromSlice(c) {
			o.call(x) // Go's compiler looks m[string(bytes)] up at once, without a copy of the bytes
			return
		}
		o.walk(x.X)
		o.key(x.Index, m)
		o.reads = true
		return
	}
	o.list(x.X, x.Index)
	_, isArray := o.c.typeOf(x.X).Underlying().(*types.Array)
	o.reads = o.reads || !isArray || o.c.u.info.Types[x.Index].Value == nil
}

// key walks a key of a map. Go's compiler copies it in its turn if maps of this type take its address, and it has none
// to stay at.
func (o *operands) key(x ast.Expr, m *types.Map) {
	x = ast.Unparen(x)
	rt := o.c.w.types.rt(m.Key())
	large := o.c.w.types.rt(m.Elem()).Size() > 128
	fast := rt.Kind() == reflect.String || familyOf(rt.Kind()) != famP && familyOf(rt.Kind()) != famF && rt.Size() >= 4
	boxed := types.IsInterface(m.Key()) && !types.IsInterface(o.c.typeOf(x))
	tv := o.c.u.info.Types[x]
	if tv.Value != nil || tv.IsNil() || fast && !large || !boxed && o.inPlace(x) {
		o.to(x, m.Key())
		return
	}
	in := operands{c: o.c}
	in.walk(x)
	o.late = o.late || o.reads && len(in.calls) > 0
	o.calls = append(o.calls, x)
}

// slice walks the operands of x[low:high:max]. All but names are evaluated in order.
func (o *operands) slice(x *ast.SliceExpr) {
	o.walk(x.X)
	for _, i := range []ast.Expr{x.Low, x.High, x.Max} {
		if _, name := i.(*ast.Ident); i != nil && !name && o.c.u.info.Types[i].Value == nil {
			o.call(i)
		} else if i != nil {
			o.walk(i)
		}
	}
}

func (o *operands) binary(x *ast.BinaryExpr) {
	switch x.Op {
	case token.LAND, token.LOR: // Go's compiler makes a statement of it
		o.call(x)
		return
	case token.QUO, token.REM, token.SHL, token.SHR: // may panic
		o.reads = o.reads || o.c.u.info.Types[x.Y].Value == nil
	case token.EQL, token.NEQ: // may panic
		o.reads = o.reads || types.IsInterface(o.c.typeOf(x.X)) || types.IsInterface(o.c.typeOf(x.Y))
	}
	o.list(x.X, x.Y)
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// fromSlice reports whether a call converts a slice.
func (o *operands) fromSlice(x *ast.CallExpr) bool {
	if !o.c.u.info.Types[x.Fun].IsType() {
		return false
	}
	_, ok := o.c.typeOf(x.Args[0]).Underlying().(*types.Slice)
	return ok
}

func (o *operands) list(xs ...ast.Expr) {
	for _, x := range xs {
		if x != nil {
			o.walk(x)
		}
	}
}

func (o *operands) selector(x *ast.SelectorExpr) {
	sel := o.c.u.info.Selections[x]
	if sel == nil {
		o.walk(x.Sel)
		return
	}
	o.walk(x.X)
	o.reads = o.reads || sel.Kind() == types.MethodVal || sel.Indirect()
}

func (o *operands) callExpr(x *ast.CallExpr) {
	tv := o.c.u.info.Types[x.Fun]
	switch {
	case tv.IsType():
		_, toSlice := o.c.sub.typ(tv.Type).Underlying().(*types.Slice)
		if toSlice && isString(o.c.typeOf(x.Args[0])) { // copied at once
			o.call(x)
			return
		}
		o.walk(x.Args[0])
		o.reads = o.reads || o.fromSlice(x) // to a string or an array
	default:
		o.call(x)
	}
}

func (o *operands) literal(x *ast.CompositeLit) {
	t := o.c.typeOf(x)
	if p, ok := t.Underlying().(*types.Pointer); ok { // an element without &
		t = p.Elem()
	}
	elem := func(int, ast.Expr) types.Type { return nil }
	switch u := t.Underlying().(type) {
	case *types.Map:
		o.call(x) // entries are made one by one
		return
	case *types.Struct:
		elem = func(i int, key ast.Expr) types.Type {
			if id, ok := key.(*ast.Ident); ok {
				return o.c.sub.typ(o.c.u.info.ObjectOf(id).Type())
			}
			return u.Field(i).Type()
		}
	case interface{ Elem() types.Type }:
		elem = func(int, ast.Expr) types.Type { return u.Elem() }
	}
	for i, el := range x.Elts {
		var key ast.Expr
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			key, el = kv.Key, kv.Value
		}
		o.to(el, elem(i, key))
	}
}

// to is walk for an operand that becomes a value of type t.
func (o *operands) to(x ast.Expr, t types.Type) {
	x = ast.Unparen(x)
	tv := o.c.u.info.Types[x]
	if t == nil || !types.IsInterface(t) || tv.Value != nil || tv.IsNil() {
		o.walk(x)
		return
	}
	if from := o.c.typeOf(x); !types.IsInterface(from) && byAddress(o.c.w.types.rt(from)) && !o.inPlace(x) {
		in := operands{c: o.c}
		in.walk(x)
		o.late = o.late || in.late || o.reads && len(in.calls) > 0
		o.calls = append(o.calls, x)
		return
	}
	o.walk(x)
}
