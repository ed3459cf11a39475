package live

import (
	"go/ast"
	"go/token"
)

// item rewrites an item. What must come before it is an item of its own.
func (r *rewriter) item(it *item) []*item {
	switch n := it.node.(type) {
	case *ast.BlockStmt:
		return r.statements(it, n)
	case *ast.File:
		d, ok := n.Decls[0].(*ast.GenDecl)
		if !ok {
			fn := n.Decls[0].(*ast.FuncDecl)
			r.body(fn.Name.Name, fn.Body)
			break
		}
		if d.Tok == token.VAR {
			return r.variables(it, d)
		}
	}
	return []*item{it}
}

func (r *rewriter) statements(it *item, n *ast.BlockStmt) []*item {
	if c, ok := it.expr.(*ast.CallExpr); ok && r.isMust(c) { // showing raises an error anyway
		pre := r.hoist(c.Args[0])
		it.expr = c.Args[0]
		n.List = []ast.Stmt{&ast.ExprStmt{X: call(checkName, c.Pos(), c.Args[0])}}
		return it.after(pre)
	}
	if len(n.List) == 0 {
		return []*item{it}
	}
	block := isBlock(n.List[0])
	if block {
		defer r.begin("", true, n.List[0].Pos())()
	}
	pre, last := r.stmt(n.List[0])
	n.List = []ast.Stmt{last}
	if block {
		// The interpreter finds types in functions that it does not at the top level; nothing in there is defined for
		// later.
		n.List = []ast.Stmt{&ast.ExprStmt{X: inFunc(last, nil, r.prologue(last.Pos())...)}}
		return it.after(pre)
	}
	switch st := last.(type) {
	case *ast.ExprStmt:
		if it.expr != nil {
			it.expr = st.X // it may have changed
		}
	case *ast.AssignStmt:
		if st.Tok == token.DEFINE && len(st.Lhs) == 2 && len(st.Rhs) == 1 {
			return append(it.after(pre)[:min(1, len(pre))], r.commaOK(it, st)...)
		}
	}
	return it.after(pre)
}

// inFunc returns the call of a function literal of a statement; before comes before that.
func inFunc(st ast.Stmt, results *ast.FieldList, before ...ast.Stmt) *ast.CallExpr {
	pos := st.Pos()
	list := append(before, st)
	if b, ok := st.(*ast.BlockStmt); ok && results != nil {
		list = b.List
	}
	return &ast.CallExpr{Fun: &ast.FuncLit{Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{}, Results: results},
		Body: &ast.BlockStmt{Lbrace: pos, List: list, Rbrace: st.End()}}, Lparen: pos, Rparen: pos}
}

// after returns it behind an item of what must come before, if there is any.
func (it *item) after(pre []ast.Stmt) []*item {
	if len(pre) == 0 {
		return []*item{it}
	}
	return []*item{it.before(pre), it}
}

// before returns an item of statements that comes before it.
func (it *item) before(pre []ast.Stmt) *item {
	b := &ast.BlockStmt{Lbrace: pre[0].Pos(), List: pre, Rbrace: pre[0].Pos()}
	return &item{node: b, stmt: b, line: it.line}
}

// commaOK takes v, ok := m[k] and v, ok := x.(T) apart, which the interpreter knows in functions only:
//
//	v := m[k]; ok := func() bool { _, ok := m[k]; return ok }()
//	v, ok := func() (T, bool) { v, ok := x.(T); return v, ok }()
//
// What is neither a name nor a constant gets a name first, so that it happens once.
func (r *rewriter) commaOK(it *item, a *ast.AssignStmt) []*item {
	pos := a.Pos()
	var out []*item
	define := func(x ast.Expr, to ...ast.Expr) {
		b := it.before([]ast.Stmt{&ast.AssignStmt{Lhs: to, TokPos: pos, Tok: token.DEFINE, Rhs: []ast.Expr{x}}})
		out = append(out, b)
	}
	name := func(x ast.Expr) ast.Expr {
		switch x := x.(type) {
		case *ast.Ident, *ast.BasicLit:
			return x
		}
		t := r.temp("c", pos)
		define(x, t)
		return use(t)
	}
	field := func(t ast.Expr) *ast.Field { return &ast.Field{Type: t} }
	v, ok := r.temp("v", pos), r.temp("ok", pos)
	switch x := a.Rhs[0].(type) {
	case *ast.IndexExpr:
		m, k := name(x.X), name(x.Index)
		at := func() ast.Expr { return &ast.IndexExpr{X: again(m), Lbrack: pos, Index: again(k), Rbrack: pos} }
		if !blank(a.Lhs[0]) {
			define(at(), a.Lhs[0])
		}
		body := &ast.BlockStmt{Lbrace: pos, Rbrace: a.End(), List: []ast.Stmt{
			&ast.AssignStmt{Lhs: []ast.Expr{ident("_", pos), ok}, TokPos: pos, Tok: token.DEFINE, Rhs: []ast.Expr{at()}},
			&ast.ReturnStmt{Return: pos, Results: []ast.Expr{use(ok)}}}}
		if !blank(a.Lhs[1]) {
			define(inFunc(body, &ast.FieldList{List: []*ast.Field{field(ident("bool", pos))}}), a.Lhs[1])
		}
	case *ast.TypeAssertExpr:
		y := name(x.X)
		body := &ast.BlockStmt{Lbrace: pos, Rbrace: a.End(), List: []ast.Stmt{
			&ast.AssignStmt{Lhs: []ast.Expr{v, ok}, TokPos: pos, Tok: token.DEFINE, Rhs: []ast.Expr{&ast.TypeAssertExpr{X: y, Lparen: pos, Type: x.Type, Rparen: pos}}},
			&ast.ReturnStmt{Return: pos, Results: []ast.Expr{use(v), use(ok)}}}}
		define(inFunc(body, &ast.FieldList{List: []*ast.Field{field(x.Type), field(ident("bool", pos))}}), a.Lhs...)
	case *ast.UnaryExpr:
		it.byValue = x.Op == token.ARROW
		return []*item{it}
	default:
		return []*item{it}
	}
	last := out[len(out)-1]
	last.defines, last.free, last.pkgs = it.defines, it.free, it.pkgs
	return out
}

func blank(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "_"
}

// again returns a name or constant once more.
func again(x ast.Expr) ast.Expr {
	if id, ok := x.(*ast.Ident); ok {
		return use(id)
	}
	return x
}

// variables makes assignments of the values of variables declared at the top level: the interpreter takes values
// there for a package's, which may not depend on what has run.
func (r *rewriter) variables(it *item, d *ast.GenDecl) []*item {
	var out []*item
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		pre := r.hoist(v)
		if v.Type == nil {
			pre = append(pre, r.literalsFirst(v.Values)...)
		}
		if len(pre) > 0 {
			out = append(out, it.before(pre))
		}
		if v.Type != nil {
			bare := &ast.ValueSpec{Names: v.Names, Type: v.Type}
			out = append(out, &item{line: it.line, free: it.free, pkgs: it.pkgs, defines: it.defines, node: &ast.File{Package: v.Pos(), Name: ident("main", v.Pos()),
				Decls: []ast.Decl{&ast.GenDecl{TokPos: v.Pos(), Tok: token.VAR, Specs: []ast.Spec{bare}}}}})
		}
		if len(v.Values) == 0 {
			continue
		}
		set := &ast.AssignStmt{TokPos: v.Pos(), Tok: token.DEFINE, Rhs: v.Values}
		if v.Type != nil {
			set.Tok = token.ASSIGN
			if len(v.Values) == len(v.Names) { // a function's result is converted to its type as it should
				set.Rhs = nil
				for _, x := range v.Values {
					ret := &ast.BlockStmt{Lbrace: x.Pos(), List: []ast.Stmt{&ast.ReturnStmt{Return: x.Pos(), Results: []ast.Expr{x}}}, Rbrace: x.End()}
					set.Rhs = append(set.Rhs, inFunc(ret, &ast.FieldList{List: []*ast.Field{{Type: v.Type}}}))
				}
			}
		}
		for _, n := range v.Names {
			set.Lhs = append(set.Lhs, use(n))
		}
		val := it.before([]ast.Stmt{set})
		val.free, val.pkgs, val.defines = it.free, it.pkgs, it.defines
		out = append(out, val)
	}
	return out
}
