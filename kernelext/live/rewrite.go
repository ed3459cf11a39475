package live

import (
	"go/ast"
	"go/doc"
	"go/token"
	"reflect"
	"strconv"
)

const (
	importTok = token.IMPORT
	stringTok = token.STRING
)

// rewriter changes a cell's code before it is compiled:
//
//	x := must(f())    →  t, e := f(); check(e); x := t
//	go f(a)           →  { f', a' := f, a; go guarded(func() { f'(a') }) }
//	func f() { … }    →  func f() { at := 1; defer leave(&at); enter(); … }
//
// The first since the interpreter has no generic function that takes the results of a call; the second since a panic
// in a goroutine would end the process, the third since an endless recursion would.
type rewriter struct {
	must bool // whether must means ours
	n    *int // temporaries so far
	err  func(pos token.Pos, msg string)

	line     func(pos token.Pos) int
	function func(name string, block bool) int // numbers one
	in       *within                           // the innermost one, nil at the top level

	loops  []intRange
	labels map[*ast.RangeStmt]*ast.LabeledStmt
}

func (r *rewriter) temp(prefix string, pos token.Pos) *ast.Ident {
	*r.n++
	return &ast.Ident{Name: prefix + "·" + strconv.Itoa(*r.n), NamePos: pos}
}

func ident(name string, pos token.Pos) *ast.Ident { return &ast.Ident{Name: name, NamePos: pos} }

// use returns a fresh node for a name.
func use(id *ast.Ident) *ast.Ident { return ident(id.Name, id.NamePos) }

func call(name string, pos token.Pos, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: ident(name, pos), Lparen: pos, Args: args, Rparen: pos}
}

// list rewrites the statements of a block.
func (r *rewriter) list(in []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, st := range in {
		out = append(out, r.mark(st)...)
		pre, st := r.stmt(st)
		out = append(append(out, pre...), st)
	}
	return out
}

func (r *rewriter) block(b *ast.BlockStmt) {
	if b != nil {
		b.List = r.list(b.List)
	}
}

// body rewrites the body of a function and lets it tell that it was entered and left.
func (r *rewriter) body(name string, b *ast.BlockStmt) {
	if b == nil {
		return
	}
	defer r.begin(name, false, b.Lbrace)()
	b.List = append(append(r.prologue(b.Lbrace), &ast.ExprStmt{X: call(enterName, b.Lbrace)}), r.list(b.List)...)
}

// literals rewrites the bodies of function literals below n.
func (r *rewriter) literals(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			r.body(literal, n.Body)
			return false
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			return false // comes by itself
		}
		return true
	})
}

// stmt rewrites a statement and returns what must come before it.
func (r *rewriter) stmt(st ast.Stmt) (pre []ast.Stmt, out ast.Stmt) {
	switch s := st.(type) {
	case *ast.BlockStmt:
		r.block(s)
		return nil, s
	case *ast.LabeledStmt:
		pre, s.Stmt = r.stmt(s.Stmt)
		return pre, r.label(s)
	case *ast.IfStmt:
		return r.ifStmt(s)
	case *ast.ForStmt:
		pre = r.first(s.Init)
		r.refuse(s.Cond)
		r.refuse(s.Post)
		r.block(s.Body)
		r.again(s)
		r.post(s)
		return pre, s
	case *ast.RangeStmt:
		pre = r.hoistField(&s.X)
		r.block(s.Body)
		return pre, r.loop(s)
	case *ast.SwitchStmt:
		pre = append(r.first(s.Init), r.hoistField(&s.Tag)...)
		r.clauses(s.Body)
		return pre, s
	case *ast.TypeSwitchStmt:
		pre = append(r.first(s.Init), r.hoist(s.Assign)...)
		r.clauses(s.Body)
		return pre, s
	case *ast.SelectStmt:
		r.clauses(s.Body)
		return nil, s
	case *ast.ReturnStmt:
		return r.received(s, r.hoist(s)), s
	case *ast.GoStmt:
		pre = r.hoist(s)
		return pre, r.goStmt(s)
	case *ast.ExprStmt:
		if c, ok := s.X.(*ast.CallExpr); ok && r.isMust(c) {
			pre = r.hoist(c.Args[0])
			s.X = call(checkName, c.Pos(), c.Args[0])
			return pre, s
		}
	}
	return r.first(st), st
}

// received gives what return <-c receives a name, in a statement appended to pre: the interpreter has no place for it.
func (r *rewriter) received(s *ast.ReturnStmt, pre []ast.Stmt) []ast.Stmt {
	if len(s.Results) != 1 {
		return pre
	}
	x, ok := ast.Unparen(s.Results[0]).(*ast.UnaryExpr)
	if !ok || x.Op != token.ARROW {
		return pre
	}
	t := r.temp("r", s.Pos())
	s.Results[0] = use(t)
	return append(pre, &ast.AssignStmt{Lhs: []ast.Expr{t}, TokPos: s.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{x}})
}

func (r *rewriter) ifStmt(s *ast.IfStmt) (pre []ast.Stmt, out ast.Stmt) {
	if s.Init != nil {
		pre = r.first(s.Init)
		r.refuse(s.Cond)
	} else {
		pre = r.hoistField(&s.Cond)
	}
	r.block(s.Body)
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		r.block(e)
	case *ast.IfStmt:
		before := r.mark(e)
		musts, _ := r.ifStmt(e)
		if before = append(before, musts...); len(before) > 0 {
			s.Else = &ast.BlockStmt{Lbrace: e.Pos(), List: append(before, e), Rbrace: e.End()}
		}
	}
	return pre, s
}

func (r *rewriter) clauses(b *ast.BlockStmt) {
	for _, c := range b.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			for _, x := range c.List {
				r.refuse(x)
			}
			c.Body = r.list(c.Body)
		case *ast.CommClause:
			r.refuse(c.Comm)
			c.Body = r.list(c.Body)
		}
	}
}

func (r *rewriter) isMust(c *ast.CallExpr) bool {
	id, ok := c.Fun.(*ast.Ident)
	return ok && r.must && id.Name == mustName && id.Obj == nil && len(c.Args) == 1
}

// refuse complains of a must where its statements cannot go before.
func (r *rewriter) refuse(n ast.Node) {
	if empty(n) {
		return
	}
	r.literals(n)
	ast.Inspect(n, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && r.isMust(c) {
			r.err(c.Pos(), "must cannot stand here: give its result a name in a statement before")
		}
		_, lit := n.(*ast.FuncLit)
		return !lit
	})
}

// hoistField is hoist of an expression that may be a must itself.
func (r *rewriter) hoistField(x *ast.Expr) (pre []ast.Stmt) {
	pre = r.hoist(*x)
	if c, ok := (*x).(*ast.CallExpr); ok && r.isMust(c) {
		*x = r.take(c, &pre)
	}
	return pre
}

// take gives the result of must(f()) a name, in statements appended to pre.
func (r *rewriter) take(c *ast.CallExpr, pre *[]ast.Stmt) ast.Expr {
	pos := c.Pos()
	t, e := r.temp("t", pos), r.temp("e", pos)
	*pre = append(*pre, &ast.AssignStmt{Lhs: []ast.Expr{t, e}, TokPos: pos, Tok: token.DEFINE, Rhs: c.Args},
		&ast.ExprStmt{X: call(checkName, pos, use(e))})
	return use(t)
}

// hoist takes all musts below n, innermost first, and returns the statements that must come before.
func (r *rewriter) hoist(n ast.Node) (pre []ast.Stmt) {
	if empty(n) {
		return nil
	}
	r.literals(n)
	var visit func(v reflect.Value)
	expr := func(v reflect.Value) {
		if v.IsNil() {
			return
		}
		x, ok := v.Interface().(ast.Expr)
		if !ok {
			return
		}
		if b, ok := x.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
			r.refuse(b.Y)
		}
		visit(reflect.ValueOf(x))
		if c, ok := x.(*ast.CallExpr); ok && r.isMust(c) {
			v.Set(reflect.ValueOf(r.take(c, &pre)))
		}
	}
	visit = func(v reflect.Value) {
		if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return
		}
		switch v.Interface().(type) {
		case *ast.FuncLit, *ast.BlockStmt, *ast.CommentGroup:
			return
		}
		for i := range v.Elem().NumField() {
			if v.Elem().Type().Field(i).Name == "Obj" { // leads back to declarations
				continue
			}
			switch f := v.Elem().Field(i); f.Kind() {
			case reflect.Interface:
				if _, isExpr := f.Interface().(ast.Expr); isExpr {
					expr(f)
				} else if !f.IsNil() {
					visit(f.Elem())
				}
			case reflect.Pointer:
				visit(f)
			case reflect.Slice:
				for j := range f.Len() {
					if f.Index(j).Kind() == reflect.Interface {
						expr(f.Index(j))
					} else {
						visit(f.Index(j))
					}
				}
			}
		}
	}
	visit(reflect.ValueOf(n))
	return pre
}

// goStmt returns the guarded form of a go statement.
func (r *rewriter) goStmt(s *ast.GoStmt) ast.Stmt {
	c, pos := s.Call, s.Pos()
	if f, ok := c.Fun.(*ast.FuncLit); ok && len(c.Args) == 0 {
		s.Call = call(goName, pos, f)
		return s
	}
	var lhs, rhs []ast.Expr
	keep := func(x ast.Expr) ast.Expr {
		switch x := x.(type) {
		case *ast.BasicLit:
			return x
		case *ast.Ident:
			if doc.IsPredeclared(x.Name) && x.Obj == nil {
				return x
			}
		}
		t := r.temp("g", pos)
		lhs, rhs = append(lhs, t), append(rhs, x)
		return use(t)
	}
	inner := &ast.CallExpr{Lparen: c.Lparen, Ellipsis: c.Ellipsis, Rparen: c.Rparen}
	inner.Fun = keep(c.Fun)
	for _, a := range c.Args {
		inner.Args = append(inner.Args, keep(a))
	}
	body := &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{&ast.ExprStmt{X: inner}}, Rbrace: c.Rparen}
	s.Call = call(goName, pos, &ast.FuncLit{Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{}}, Body: body})
	if len(lhs) == 0 {
		return s
	}
	return &ast.BlockStmt{Lbrace: pos, Rbrace: c.Rparen, List: []ast.Stmt{
		&ast.AssignStmt{Lhs: lhs, TokPos: pos, Tok: token.DEFINE, Rhs: rhs}, s}}
}
