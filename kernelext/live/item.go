package live

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// item is a parsed chunk.
type item struct {
	node    ast.Node   // *ast.File with one declaration, or *ast.BlockStmt
	imports []ast.Spec // if it is an import declaration; node is then nil
	expr    ast.Expr   // if it is an expression statement
	stmt    *ast.BlockStmt
	defines []string            // top-level names
	free    []*ast.Ident        // names that the item does not define itself
	pkgs    map[*ast.Ident]bool // those of free that stand before a dot
	entry   *ast.FuncDecl       // main or init, which is called once at the cell's end
	byValue bool                // a definition that only a function can hold, see keep
	line    int
}

// parse parses a chunk of the cell that positions call file. The error is a scanner.ErrorList at the cell's lines.
func parse(fset *token.FileSet, file string, c chunk) (*item, error) {
	if c.stray != "" {
		return nil, &Error{Name: "syntax error", Message: "unexpected " + c.stray, line: c.strayLine}
	}
	mark := fmt.Sprintf("//line %s:%d:%d\n", base, c.line, c.col) // beside file
	const mode = parser.DeclarationErrors
	var declErr error
	switch c.tok {
	case token.PACKAGE: // of a script
		if strings.Join(strings.Fields(c.text), " ") != "package main" {
			return nil, &Error{Name: "syntax error", Message: "cells belong to package main", line: c.line}
		}
		return &item{line: c.line}, nil
	case token.RETURN, token.DEFER:
		return nil, &Error{Name: "syntax error", Message: c.tok.String() + " stands in functions only", line: c.line}
	case token.IMPORT, token.CONST, token.TYPE, token.VAR, token.FUNC:
		f, err := parser.ParseFile(fset, file, "package main\n"+mark+c.text+"\n", mode)
		if err == nil {
			return declaration(f, c), nil
		}
		if declErr = err; c.tok != token.FUNC {
			return nil, err
		}
	}
	f, err := parser.ParseFile(fset, file, "package main\nfunc _() {\n"+mark+c.text+"\n}\n", mode)
	if err != nil {
		if declErr != nil {
			err = declErr
		}
		return nil, err
	}
	return statement(f, c), nil
}

// declaration returns the item of a file that holds one declaration.
func declaration(f *ast.File, c chunk) *item {
	it := &item{node: f, line: c.line}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && (d.Name.Name == "main" || d.Name.Name == "init") {
				it.entry = d
			} else if d.Recv == nil {
				it.defines = append(it.defines, d.Name.Name)
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				it.node, it.imports = nil, d.Specs
				return it
			}
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					it.defines = append(it.defines, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						it.defines = append(it.defines, n.Name)
					}
				}
			}
		}
	}
	it.free = f.Unresolved
	it.findPackages(f)
	return it
}

// statement returns the item of a file whose only function's body holds statements.
func statement(f *ast.File, c chunk) *item {
	body := f.Decls[0].(*ast.FuncDecl).Body
	it := &item{node: body, stmt: body, line: c.line, free: f.Unresolved}
	for _, s := range body.List {
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, x := range a.Lhs {
				if id, ok := x.(*ast.Ident); ok {
					it.defines = append(it.defines, id.Name)
				}
			}
		}
	}
	if len(body.List) == 1 {
		if e, ok := body.List[0].(*ast.ExprStmt); ok {
			it.expr = e.X
		}
	}
	it.findPackages(f)
	return it
}

func (it *item) findPackages(f *ast.File) {
	it.pkgs = map[*ast.Ident]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && slices.Contains(it.free, id) {
				it.pkgs[id] = true
			}
		}
		return true
	})
}

// order puts functions, types and constants before statements that stand above them, as in a Go file, unless they
// use a variable that the cell itself makes.
func order(items []*item) []*item {
	made := map[string]bool{}
	early := func(it *item) bool {
		f, ok := it.node.(*ast.File)
		if !ok {
			return false
		}
		g, isGen := f.Decls[0].(*ast.GenDecl)
		return !isGen || g.Tok != token.VAR
	}
	for _, it := range items {
		if it.node != nil && !early(it) {
			for _, n := range it.defines {
				made[n] = true
			}
		}
	}
	late := map[*item]bool{}
	for again := true; again; { // what uses a late function is late too
		again = false
		for _, it := range items {
			if it.node == nil || !early(it) || late[it] {
				continue
			}
			if slices.ContainsFunc(it.free, func(id *ast.Ident) bool { return made[id.Name] }) {
				late[it], again = true, true
				for _, n := range it.defines {
					made[n] = true
				}
			}
		}
	}
	rank := func(it *item) int {
		switch {
		case it.imports != nil:
			return 0
		case early(it) && !late[it]:
			return 1
		}
		return 2
	}
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, func(a, b *item) int { return rank(a) - rank(b) })
	return sorted
}

// merge makes one item of functions, types and constants that follow each other, so that they may use each other.
func merge(items []*item) []*item {
	var out []*item
	for _, it := range items {
		f, ok := it.node.(*ast.File)
		if ok && len(out) > 0 && it.stmt == nil && !isVar(f) {
			last := out[len(out)-1]
			if g, ok := last.node.(*ast.File); ok && !isVar(g) {
				joint := &ast.File{Package: g.Package, Name: g.Name, Decls: append(slices.Clip(g.Decls), f.Decls...)}
				out[len(out)-1] = &item{node: joint, defines: append(slices.Clip(last.defines), it.defines...),
					free: append(slices.Clip(last.free), it.free...), pkgs: last.pkgs, line: last.line}
				continue
			}
		}
		out = append(out, it)
	}
	return out
}

func isVar(f *ast.File) bool {
	g, ok := f.Decls[0].(*ast.GenDecl)
	return ok && g.Tok == token.VAR
}
