package eval

import (
	"go/ast"
	"go/token"
	"go/types"
)

// escapes finds the variables of a file that need memory of their own: function literals use them, or their address is
// taken.
func escapes(f ast.Node, info *types.Info, esc map[types.Object]bool) {
	owner := map[types.Object]*ast.FuncLit{}
	var stack []*ast.FuncLit
	var visit func(n ast.Node) bool
	within := func() *ast.FuncLit {
		if len(stack) == 0 {
			return nil
		}
		return stack[len(stack)-1]
	}
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			stack = append(stack, n)
			ast.Inspect(n.Type, visit)
			ast.Inspect(n.Body, visit)
			stack = stack[:len(stack)-1]
			return false
		case *ast.Ident:
			if v, ok := info.Defs[n].(*types.Var); ok {
				owner[v] = within()
			} else if v, ok := info.Uses[n].(*types.Var); ok {
				if at, known := owner[v]; known && at != within() {
					esc[v] = true
				}
			}
		case *ast.CaseClause:
			if v, ok := info.Implicits[n].(*types.Var); ok {
				owner[v] = within()
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				mark(n.X, info, esc)
			}
		case *ast.SliceExpr:
			mark(n.X, info, esc)
		case *ast.SelectorExpr:
			if sel := info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal {
				if _, isPtr := sel.Recv().Underlying().(*types.Pointer); !isPtr {
					mark(n.X, info, esc)
				}
			}
		}
		return true
	}
	ast.Inspect(f, visit)
}

// mark notes the variable of which x is a part.
func mark(x ast.Expr, info *types.Info, esc map[types.Object]bool) {
	for {
		switch y := ast.Unparen(x).(type) {
		case *ast.Ident:
			if v, ok := info.ObjectOf(y).(*types.Var); ok {
				esc[v] = true
			}
			return
		case *ast.SelectorExpr:
			if sel := info.Selections[y]; sel == nil || sel.Indirect() {
				return
			}
			x = y.X
		case *ast.IndexExpr:
			t := info.TypeOf(y.X)
			if t == nil {
				return
			}
			switch t.Underlying().(type) {
			case *types.Array, *types.Interface: // or a type parameter
				x = y.X
			default:
				return
			}
		default:
			return
		}
	}
}
