package eval

import (
	"go/ast"
	"go/token"
	"go/types"
)

// holdings finds what the interfaces among a file's local variables hold, where that is always of one concrete type;
// of the others, and of those that nothing is assigned to, it notes nil. Go's compiler calls the methods of such a
// variable directly, and takes their receiver ahead of the arguments.
func holdings(f ast.Node, info *types.Info, held map[*types.Var]types.Type) {
	give := func(l ast.Expr, t types.Type) {
		id, ok := l.(*ast.Ident)
		v, isVar := info.ObjectOf(id).(*types.Var)
		if !ok || !isVar || v.Kind() != types.LocalVar || !types.IsInterface(v.Type()) {
			return
		}
		if have, seen := held[v]; seen && (have == nil || t == nil || !types.Identical(have, t)) {
			t = nil
		}
		held[v] = t
	}
	assign := func(lhs, rhs []ast.Expr) {
		for i, l := range lhs {
			if len(rhs) != len(lhs) {
				give(l, nil)
				continue
			}
			x := ast.Unparen(rhs[i])
			if c, ok := x.(*ast.CallExpr); ok && info.Types[c.Fun].IsType() && types.IsInterface(info.TypeOf(c)) {
				x = ast.Unparen(c.Args[0])
			}
			switch tv := info.Types[x]; {
			case tv.IsNil():
			case tv.Type == nil || types.IsInterface(tv.Type):
				give(l, nil)
			default:
				give(l, types.Default(tv.Type))
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			assign(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			var lhs []ast.Expr
			for _, id := range n.Names {
				lhs = append(lhs, id)
			}
			if len(n.Values) > 0 {
				assign(lhs, n.Values)
			}
		case *ast.RangeStmt:
			assign([]ast.Expr{n.Key, n.Value}, nil)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				give(n.X, nil)
			}
		}
		return true
	})
}

// concrete returns the type of what the interface x holds, nil if it is not known.
func (c *comp) concrete(x ast.Expr) types.Type {
	var t types.Type
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v, _ := c.u.info.Uses[x].(*types.Var)
		t = c.u.held[v]
	case *ast.CallExpr:
		if c.u.info.Types[x.Fun].IsType() && types.IsInterface(c.typeOf(x)) {
			t = c.u.info.TypeOf(x.Args[0])
		}
	}
	if t = c.sub.typ(t); t == nil || types.IsInterface(t) {
		return nil
	}
	return t
}

// follows reports whether x calls a value's method of a pointer that an interface is known to hold.
func (c *comp) follows(x *ast.SelectorExpr) bool {
	t := c.concrete(x.X)
	if t == nil {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, c.u.pkg, x.Sel.Name)
	fn, ok := obj.(*types.Func)
	_, pointer := t.Underlying().(*types.Pointer)
	return ok && pointer && !pointerMethod(fn)
}
