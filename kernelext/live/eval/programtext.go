package eval

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// text writes a part of the cell, with the session's names in a program's form.
func (p *sourceOf) text(n ast.Node) string {
	var b bytes.Buffer
	commented := &printer.CommentedNode{Node: n, Comments: p.comments}
	if err := printer.Fprint(&b, p.c.u.fset, commented); err != nil {
		panic(unsupported("this cell (" + err.Error() + ")"))
	}
	return strings.ReplaceAll(b.String(), "ᐧ", p.w.Prefix)
}

// commented writes the comments above and behind a part of the cell.
func (p *sourceOf) commented(n ast.Node, text string) string {
	at := p.c.u.fset.Position(n.Pos())
	for _, it := range p.c.src.items {
		if it.chunk.line != at.Line || it.chunk.col != at.Column {
			continue
		}
		var b strings.Builder
		for _, c := range it.chunk.lead {
			b.WriteString(c + "\n")
		}
		b.WriteString(text)
		var trail []string
		for _, g := range it.inside {
			for _, c := range g.List {
				if c.Pos() >= n.End() {
					trail = append(trail, c.Text)
				}
			}
		}
		for i, c := range append(trail, it.chunk.trail...) {
			if i == 0 && !strings.Contains(text, "\n") {
				b.WriteString(" " + c)
			} else {
				b.WriteString("\n" + c)
			}
		}
		return b.String()
	}
	return text
}

func (p *sourceOf) declarations() {
	for _, it := range p.c.decls {
		switch d := it.node.(*ast.File).Decls[0].(type) {
		case *ast.FuncDecl:
			name := strings.ReplaceAll(d.Name.Name, "ᐧ", p.w.Prefix)
			if t, _ := it.receiver(); t != "" {
				name = t + "." + name
			}
			p.out.Decls = append(p.out.Decls, Declaration{name, p.commented(d, p.text(d))})
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				p.out.Decls = append(p.out.Decls, Declaration{p.names(it), p.commented(d, p.text(d))})
			}
		}
	}
}

// body writes what runs: variables in the order in which they are initialised, then the statements.
func (p *sourceOf) body(last shows) {
	var b strings.Builder
	if p.c.replaces {
		for _, v := range p.c.fresh() {
			b.WriteString(p.w.Name(v, "") + " = *new(" + types.TypeString(v.Type(), p.qualify) + ")\n")
		}
	}
	for _, in := range p.c.vars {
		var names []string
		for _, v := range in.Lhs {
			names = append(names, p.w.Name(v, ""))
		}
		b.WriteString(p.commented(p.declares(in), fmt.Sprintf("%s = %s", strings.Join(names, ", "), p.text(in.Rhs))) + "\n")
	}
	for i, st := range p.c.body {
		text := p.statement(st)
		if i == len(p.c.body)-1 {
			text = last.open + text + last.close
		}
		b.WriteString(p.commented(st, text) + "\n")
	}
	p.out.Body = b.String()
}

// names are those that an item defines, as the program has them.
func (p *sourceOf) names(it *item) string {
	var list []string
	for id, obj := range p.c.u.info.Defs {
		if obj != nil && obj.Parent() == p.c.pkg.Scope() && it.node.Pos() <= id.Pos() && id.Pos() < it.node.End() {
			list = append(list, id.Name)
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// declares returns the declaration of a variable that is initialised.
func (p *sourceOf) declares(in *types.Initializer) ast.Node {
	for _, it := range p.c.decls {
		if d := it.node.(*ast.File).Decls[0]; d.Pos() <= in.Rhs.Pos() && in.Rhs.End() <= d.End() {
			return d
		}
	}
	return in.Rhs
}

// statement writes a statement at the top of the cell, whose variables are the package's.
func (p *sourceOf) statement(st ast.Stmt) string {
	switch st := st.(type) {
	case *ast.LabeledStmt:
		return st.Label.Name + ":\n" + p.statement(st.Stmt)
	case *ast.AssignStmt:
		if st.Tok == token.DEFINE {
			st.Tok = token.ASSIGN
		}
	case *ast.DeclStmt:
		g := st.Decl.(*ast.GenDecl)
		if g.Tok != token.VAR {
			break
		}
		var lines []string
		for _, sp := range g.Specs {
			vs := sp.(*ast.ValueSpec)
			var names, values []string
			for _, n := range vs.Names {
				names = append(names, n.Name)
				values = append(values, "*new("+types.TypeString(p.c.u.info.Defs[n].Type(), p.qualify)+")")
			}
			if len(vs.Values) > 0 {
				values = nil
				for _, v := range vs.Values {
					values = append(values, p.text(v))
				}
			}
			lines = append(lines, strings.Join(names, ", ")+" = "+strings.Join(values, ", "))
		}
		return strings.Join(lines, "\n")
	}
	return p.text(st)
}
