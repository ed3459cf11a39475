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
		o.walk(x.X)
		o.walk(x.Index)
		if _, ok := o.c.typeOf(x.X).Underlying().(*types.Array); !ok {
			o.reads = true
		}
	case *ast.SliceExpr:
		o.walk(x.X)
		for _, i := range []ast.Expr{x.Low, x.High, x.Max} {
			if _, name := i.(*ast.Ident); i != nil && !name && info.Types[i].Value == nil { // names are read late
				o.call(i)
			} else if i != nil {
				o.walk(i)
			}
		}
	case *ast.BinaryExpr:
		if (x.Op == token.LAND || x.Op == token.LOR) && calls(x) {
			o.call(x)
			return
		}
		o.list(x.X, x.Y)
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
		o.call(x)
	}
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
	if sel.Kind() == types.FieldVal && sel.Indirect() {
		o.reads = true
	}
}

func (o *operands) callExpr(x *ast.CallExpr) {
	tv := o.c.u.info.Types[x.Fun]
	switch {
	case tv.IsType():
		o.walk(x.Args[0])
		if _, ok := o.c.typeOf(x.Args[0]).Underlying().(*types.Slice); ok { // to a string or an array
			o.reads = true
		}
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
		if calls(x) { // entries are made one by one
			o.call(x)
		}
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
	if from := o.c.typeOf(x); !types.IsInterface(from) && boxedEarly(o.c.w.types.rt(from)) {
		in := operands{c: o.c}
		in.walk(x)
		o.late = o.late || in.late || o.reads && len(in.calls) > 0
		o.calls = append(o.calls, x)
		return
	}
	o.walk(x)
}

// boxedEarly reports whether Go's compiler copies a value of type t in its turn when it becomes an interface's, as it
// does but for values that it hands over in registers.
func boxedEarly(t reflect.Type) bool {
	pointers := rtype.Pointers(t)
	switch n, align := t.Size(), t.Align(); {
	case n == 2 && align == 2, n == 4 && align == 4 && !pointers, n == 8 && align == 8 && !pointers:
		return false
	}
	for t.Kind() == reflect.Struct && t.NumField() == 1 || t.Kind() == reflect.Array && t.Len() == 1 {
		if t.Kind() == reflect.Struct {
			t = t.Field(0).Type
		} else {
			t = t.Elem()
		}
	}
	return t.Kind() != reflect.String && t.Kind() != reflect.Slice && inRegisters(t)
}

// inRegisters reports whether Go's compiler may keep a variable of type t in registers.
func inRegisters(t reflect.Type) bool {
	if t.Size() > 4*reflect.TypeFor[uintptr]().Size() {
		return false
	}
	switch t.Kind() {
	case reflect.Array:
		return t.Len() == 0 || t.Len() == 1 && inRegisters(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !inRegisters(t.Field(i).Type) {
				return false
			}
		}
		return t.NumField() <= 4
	}
	return true
}
