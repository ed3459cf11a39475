package live

import (
	"go/ast"
	"go/token"
	"slices"
)

// pairs rewrites an assignment of several values at once: the interpreter mixes them up where one is the result of a
// call, and panics where one is nil.
//
//	a, b = x, f()     →  t := f(); a, b = x, t
//	p, q = p.n, nil   →  t := p.n; q = nil; p = t
//	a, b := x, []T{}  →  t := []T{}; a, b := x, t
//
// The last since the others are lost beside a composite literal where variables are defined. It returns what must come
// before the assignment.
func (r *rewriter) pairs(s *ast.AssignStmt) (pre []ast.Stmt) {
	if len(s.Lhs) < 2 || len(s.Rhs) != len(s.Lhs) {
		return nil
	}
	if s.Tok == token.DEFINE {
		return r.literalsFirst(s.Rhs)
	}
	if s.Tok != token.ASSIGN {
		return nil
	}
	nils := 0
	for _, x := range s.Rhs {
		if isNil(x) {
			nils++
		}
	}
	for i, x := range s.Rhs {
		if calls(x) || nils > 0 && !constant(x) {
			t := r.temp("v", x.Pos())
			pre = append(pre, &ast.AssignStmt{Lhs: []ast.Expr{t}, TokPos: s.TokPos, Tok: token.DEFINE, Rhs: []ast.Expr{x}})
			s.Rhs[i] = use(t)
		}
	}
	if nils == 0 {
		return pre
	}
	var lhs, rhs []ast.Expr
	for i, x := range s.Rhs {
		if isNil(x) && i+1 < len(s.Rhs) || isNil(x) && len(lhs) > 0 {
			pre = append(pre, &ast.AssignStmt{Lhs: []ast.Expr{s.Lhs[i]}, TokPos: s.TokPos, Tok: token.ASSIGN, Rhs: []ast.Expr{x}})
			continue
		}
		lhs, rhs = append(lhs, s.Lhs[i]), append(rhs, x) // the last of nothing but nils among them
	}
	s.Lhs, s.Rhs = lhs, rhs
	return pre
}

// literalsFirst gives the composite literals among values names, in statements that come before, and with them what
// calls a function, so that all is called in its order.
func (r *rewriter) literalsFirst(values []ast.Expr) (pre []ast.Stmt) {
	literal := func(x ast.Expr) bool { _, ok := ast.Unparen(x).(*ast.CompositeLit); return ok }
	if len(values) < 2 || !slices.ContainsFunc(values, literal) {
		return nil
	}
	for i, x := range values {
		if literal(x) || calls(x) {
			t := r.temp("v", x.Pos())
			pre = append(pre, &ast.AssignStmt{Lhs: []ast.Expr{t}, TokPos: x.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{x}})
			values[i] = use(t)
		}
	}
	return pre
}

// declared is literalsFirst of the variables that a statement declares.
func (r *rewriter) declared(s *ast.DeclStmt) (pre []ast.Stmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR || len(d.Specs) != 1 { // of several, one may use the one before
		return nil
	}
	if v := d.Specs[0].(*ast.ValueSpec); v.Type == nil {
		return r.literalsFirst(v.Values)
	}
	return nil
}

// first is hoist of a statement that is simple, be it one of its own or the first of an if, for or switch.
func (r *rewriter) first(st ast.Stmt) []ast.Stmt {
	pre := r.hoist(st)
	switch st := st.(type) {
	case *ast.AssignStmt:
		pre = append(pre, r.pairs(st)...)
	case *ast.DeclStmt:
		pre = append(pre, r.declared(st)...)
	}
	return pre
}

// post makes a loop's last statement one that pairs can rewrite, a call of a function.
func (r *rewriter) post(s *ast.ForStmt) {
	a, ok := s.Post.(*ast.AssignStmt)
	if !ok {
		return
	}
	if pre := r.pairs(a); len(pre) > 0 {
		pos := a.Pos()
		body := &ast.BlockStmt{Lbrace: pos, List: append(pre, a), Rbrace: pos}
		f := &ast.FuncLit{Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{}}, Body: body}
		s.Post = &ast.ExprStmt{X: &ast.CallExpr{Fun: f, Lparen: pos, Rparen: pos}}
	}
}

func isNil(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "nil" && id.Obj == nil
}

// constant tells whether x is made of literals and of what Go declares beforehand, whose type may depend on what they
// are assigned to.
func constant(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return x.Obj == nil && (x.Name == "nil" || x.Name == "true" || x.Name == "false")
	case *ast.ParenExpr:
		return constant(x.X)
	case *ast.UnaryExpr:
		return constant(x.X)
	case *ast.BinaryExpr:
		return constant(x.X) && constant(x.Y)
	}
	return false
}

// calls tells whether a call is among what x is computed from.
func calls(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		if _, ok := n.(*ast.CallExpr); ok {
			found = true
		}
		_, function := n.(*ast.FuncLit)
		return !found && !function
	})
	return found
}
