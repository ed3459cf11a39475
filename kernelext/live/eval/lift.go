package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// needed returns the names that functions, types and variables at the package's level use.
func (c *Cell) needed() map[string]bool {
	m := map[string]bool{}
	for _, it := range c.src.items {
		if it.isDecl() {
			for _, id := range it.free {
				m[id.Name] = true
			}
		}
	}
	for again := true; again; {
		again = false
		for _, it := range c.src.items {
			if it.isDecl() || !slices.ContainsFunc(it.defines, func(n string) bool { return m[n] }) {
				continue
			}
			for _, id := range it.free {
				if !m[id.Name] {
					m[id.Name], again = true, true
				}
			}
		}
	}
	return m
}

// lift declares the variables of a definition apart from giving them their values, so that functions can use them.
func (c *Cell) lift(it *item, list []ast.Stmt) ([]ast.Stmt, error) {
	ch := it.chunk
	a, isAssign := list[0].(*ast.AssignStmt)
	if isAssign {
		off := strings.Index(ch.text, ":=")
		ch.text, ch.tok = "var "+ch.text[:off]+"="+ch.text[off+2:], token.VAR
		ch.col = max(1, ch.col-4)
	}
	decl, err := c.parse(ch, it.cell)
	if err != nil {
		return nil, err
	}
	c.decls = append(c.decls, decl)
	if isAssign {
		a.Tok = token.ASSIGN
		c.lifted(a.Lhs)
		return list, nil
	}
	var out []ast.Stmt
	for _, sp := range list[0].(*ast.DeclStmt).Decl.(*ast.GenDecl).Specs {
		vs := sp.(*ast.ValueSpec)
		if len(vs.Values) == 0 {
			continue
		}
		as := &ast.AssignStmt{Tok: token.ASSIGN, TokPos: vs.Pos(), Rhs: vs.Values}
		for _, n := range vs.Names {
			as.Lhs = append(as.Lhs, n)
		}
		c.lifted(as.Lhs)
		out = append(out, as)
	}
	return out, nil
}

func (c *Cell) lifted(lhs []ast.Expr) {
	for _, x := range lhs {
		if id, ok := x.(*ast.Ident); ok {
			c.u.lifted[id] = true
		}
	}
}

// liftedVar reports whether statements give v its value.
func (c *Cell) liftedVar(v *types.Var) bool {
	for id := range c.u.lifted {
		if c.u.info.Uses[id] == v {
			return true
		}
	}
	return false
}
