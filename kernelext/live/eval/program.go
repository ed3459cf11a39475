package eval

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Source is a checked cell as a part of a program: declarations, variables, and statements for a function's body.
type Source struct {
	Decls   []Declaration     // functions, methods, types, constants
	Vars    []Declaration     // variables of the package
	Body    string            // statements; "" if there is nothing to run
	Imports map[string]string // name → path
	Must    map[string]bool   // must0 … must3, by the results beside the error: those that it calls
}

// Declaration is what stands at the top of a program.
type Declaration struct {
	Name string // of a method "Type.Method"
	Text string
}

// Words of a program that a cell finds in the session.
type Words struct {
	Bare func(name string) string // what needs no package in cells, as programs write it
	// Name is what the program calls a variable or constant of cells; declared is its type, or the text of its
	// declaration, where this cell defines it, else "".
	Name   func(obj types.Object, declared string) string
	Show   string // the function that shows values
	Prefix string // before init and main of the cell
}

// Source returns the cell as a part of a program. It changes the cell, which can then not be run, and makes what it
// defines known to the session as if it had been.
func (c *Cell) Source(w Words) (src *Source, err error) {
	defer refused(&err, c.u.fset)
	for _, it := range c.decls {
		if it.cell != c.u.cell && c.replaces { // else it is as it was, but for methods
			return nil, &Failure{Kind: "export", Message: fmt.Sprintf("it changes what %s of cell %d means",
				strings.Join(it.defines, ", "), it.cell)}
		}
		if it.method != nil {
			return nil, &Failure{Kind: "export", Message: "it changes method " + it.method.Name() + " of an earlier cell",
				Line: it.line}
		}
	}
	p := &sourceOf{c: c, w: w, out: &Source{Imports: map[string]string{}, Must: map[string]bool{}}}
	last := p.last()
	if _, _, _, err := c.compile(); err != nil { // the names become known
		return nil, err
	}
	for v, g := range c.u.tops {
		g.defined(v)
	}
	for _, it := range c.src.items {
		p.comments = append(p.comments, it.inside...)
	}
	p.variables()
	p.constants()
	p.rename()
	p.declarations()
	p.body(last)
	return p.out, nil
}

type sourceOf struct {
	c        *Cell
	w        Words
	out      *Source
	comments []*ast.CommentGroup
}

// shows says how the last statement is written.
type shows struct {
	open, close string // around it
}

// last decides how the value of the cell is shown.
func (p *sourceOf) last() shows {
	n := len(p.c.body)
	if n == 0 {
		return shows{}
	}
	x, ok := p.c.body[n-1].(*ast.ExprStmt)
	if !ok {
		return shows{}
	}
	call, ok := ast.Unparen(x.X).(*ast.CallExpr)
	if !ok {
		return shows{}
	}
	if id, ok := call.Fun.(*ast.Ident); ok && id.Name == useName {
		x.X = call.Args[0]
		return shows{p.w.Show + "(", ")"}
	}
	info := p.c.u.info
	if tv := info.Types[call.Fun]; tv.IsBuiltin() || tv.IsType() {
		return shows{}
	}
	k := &comp{u: p.c.u, w: p.c.s.World}
	if k.fmtFunc(call.Fun, "Print") || k.fmtFunc(call.Fun, "Fprint") {
		return shows{}
	}
	results := info.TypeOf(call.Fun).Underlying().(*types.Signature).Results()
	size := results.Len()
	if size == 0 {
		return shows{}
	}
	if !types.Identical(results.At(size-1).Type(), types.Universe.Lookup("error").Type()) {
		return shows{p.w.Show + "(", ")"}
	}
	must := map[int]string{1: "must0", 2: "must1", 3: "must2", 4: "must3"}[size]
	if must == "" {
		panic(unsupported("the results of the last call"))
	}
	p.out.Must[must] = true
	if size == 1 {
		return shows{must + "(", ")"}
	}
	return shows{p.w.Show + "(" + must + "(", "))"}
}

// qualify names a package in a type, and notes that it is imported.
func (p *sourceOf) qualify(pkg *types.Package) string {
	if pkg == p.c.pkg {
		return ""
	}
	name := p.alias(pkg.Name())
	p.out.Imports[name] = pkg.Path()
	return name
}

// alias is what a program calls a package whose name a variable of cells may have.
func (p *sourceOf) alias(name string) string {
	if p.c.s.names[name] != nil {
		return name + "Pkg"
	}
	return name
}

// variables declares what statements and declarations at the top of the cell define.
func (p *sourceOf) variables() {
	var list []types.Object
	for v := range p.c.u.tops {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b types.Object) int { return int(a.Pos() - b.Pos()) })
	for _, v := range list {
		if v.Name() != "_" {
			typ := types.TypeString(v.Type(), p.qualify)
			name := p.w.Name(v, typ)
			p.out.Vars = append(p.out.Vars, Declaration{name, "var " + name + " " + typ})
		}
	}
}

// constants gives those of the cell their names.
func (p *sourceOf) constants() {
	for _, it := range p.c.decls {
		d, ok := it.node.(*ast.File).Decls[0].(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			continue
		}
		text := p.text(d)
		for id, obj := range p.c.u.info.Defs {
			if c, ok := obj.(*types.Const); ok && c.Parent() == p.c.pkg.Scope() && d.Pos() <= id.Pos() && id.Pos() < d.End() {
				p.w.Name(c, text)
			}
		}
	}
}

// rename gives names of the session those that programs have for them, and notes imports.
func (p *sourceOf) rename() {
	dot := p.c.s.dot
	selected, selects := map[*ast.Ident]bool{}, map[*ast.Ident]string{}
	p.each(func(n ast.Node) {
		if s, ok := n.(*ast.SelectorExpr); ok {
			selected[s.Sel] = true
			if id, ok := s.X.(*ast.Ident); ok {
				selects[id] = s.Sel.Name
			}
		}
	})
	for id, obj := range p.c.u.info.Defs {
		if named(obj) && id.Name != "_" {
			id.Name = p.w.Name(obj, "")
		}
	}
	for id, obj := range p.c.u.info.Uses {
		if named(obj) && obj.Pkg() == p.c.pkg && !selected[id] {
			id.Name = p.w.Name(obj, "")
			continue
		}
		switch obj := obj.(type) {
		case *types.PkgName:
			if dot != nil && obj.Imported() == dot {
				id.Name, _, _ = strings.Cut(p.w.Bare(selects[id]), ".")
				continue
			}
			name := p.alias(strings.TrimLeft(id.Name, "ᐧ"))
			p.out.Imports[name], id.Name = obj.Imported().Path(), name
		default:
			switch {
			case obj.Pkg() == nil || selected[id]:
			case dot != nil && obj.Pkg() == dot && obj.Parent() == dot.Scope():
				id.Name = p.w.Bare(id.Name)
			case obj.Pkg().Path() == sessionPath && strings.HasPrefix(id.Name, mustName):
				if id.Name = strings.ReplaceAll(id.Name, "ᐧ", ""); id.Name == mustName {
					id.Name = "must1"
				}
				p.out.Must[id.Name] = true
			}
		}
	}
}

// named reports whether obj may have another name in a program.
func named(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.Const:
		return true
	case *types.Var:
		return !obj.IsField()
	}
	return false
}

// each calls f with all nodes of the cell.
func (p *sourceOf) each(f func(ast.Node)) {
	visit := func(n ast.Node) bool {
		if n != nil {
			f(n)
		}
		return true
	}
	for _, it := range p.c.decls {
		ast.Inspect(it.node, visit)
	}
	for _, st := range p.c.body {
		ast.Inspect(st, visit)
	}
}
