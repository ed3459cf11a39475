package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// byAddress reports whether Go's compiler makes an interface's value from the address of a value of type t.
func byAddress(t reflect.Type) bool {
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
	return t.Kind() != reflect.String && t.Kind() != reflect.Slice
}

// inPlace reports whether x has an address that Go's compiler uses, and reads x after the calls. Other values, and
// locals that it may keep in registers, it copies in their turn.
func (o *operands) inPlace(x ast.Expr) bool {
	info := o.c.u.info
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v, ok := info.Uses[x].(*types.Var)
		return ok && (v.Kind() == types.PackageVar || !inRegisters(o.c.w.types.rt(o.c.typeOf(x))))
	case *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		sel := info.Selections[x]
		if sel == nil {
			return o.inPlace(x.Sel)
		}
		return sel.Kind() == types.FieldVal && (sel.Indirect() || o.inPlace(x.X))
	case *ast.IndexExpr:
		switch o.c.typeOf(x.X).Underlying().(type) {
		case *types.Array:
			return o.inPlace(x.X)
		case *types.Slice, *types.Pointer:
			return true
		}
	}
	return false
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

// callee walks what is called. Go's compiler evaluates it ahead of the arguments if it calls something itself, or if
// it is an interface known to hold a value of a type whose method it can call directly.
func (o *operands) callee(x ast.Expr) {
	x = ast.Unparen(x)
	if o.active(x) || o.copiedOut(x) {
		o.calls = append(o.calls, x)
		return
	}
	o.walk(x)
}

// copiedOut reports whether x is an interface with a value of a known type that is more than a word.
func (o *operands) copiedOut(x ast.Expr) bool {
	t := o.c.concrete(x)
	return t != nil && !rtype.Direct(rtype.Of(o.c.w.types.rt(t)))
}

// active reports whether an expression calls something but a function that makes memory, or receives.
func (o *operands) active(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			tv := o.c.u.info.Types[n.Fun]
			found = found || !tv.IsType() && !(tv.IsBuiltin() && builtinName(n) == "new")
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}
