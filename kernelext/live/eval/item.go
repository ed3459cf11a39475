package eval

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// item is a parsed chunk.
type item struct {
	node    ast.Node   // *ast.File with one declaration, or *ast.BlockStmt
	imports []ast.Spec // if it is an import declaration; node is then nil
	expr    ast.Expr   // if it is an expression statement
	stmt    *ast.BlockStmt
	defines []string              // top-level names
	free    []*ast.Ident          // names that the item does not define itself
	pkgs    map[*ast.Ident]string // those of free that stand before a dot, with what follows it
	paths   map[string]string     // see declared
	entry   *ast.FuncDecl         // main or init, which is called once at the cell's end
	line    int
	chunk   chunk
	inside  []*ast.CommentGroup // comments
	method  *types.Func         // whose new body this function is
	of      string              // the type whose method that is
	cell    int
}

// parse parses a chunk of the cell that positions call file: by its number. The error is a scanner.ErrorList at the
// cell's lines.
func parse(fset *token.FileSet, file string, c chunk) (*item, error) {
	if c.stray != "" {
		return nil, syntaxError("unexpected "+c.stray, c.strayLine)
	}
	mark := fmt.Sprintf("//line %s:%d:%d\n", file, c.line, c.col)
	const mode = parser.DeclarationErrors | parser.ParseComments
	var declErr error
	switch c.tok {
	case token.PACKAGE: // of a script
		if strings.Join(strings.Fields(c.text), " ") != "package main" {
			return nil, syntaxError("cells belong to package main", c.line)
		}
		return &item{line: c.line}, nil
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
	if err = withoutLabels(err); err != nil {
		if declErr != nil {
			err = declErr
		}
		return nil, err
	}
	return statement(f, c), nil
}

// withoutLabels drops what the parser says of labels that other statements of the cell may have: the checker sees them
// all.
func withoutLabels(err error) error {
	list, ok := err.(scanner.ErrorList)
	if !ok {
		return err
	}
	list = slices.DeleteFunc(list, func(e *scanner.Error) bool {
		return strings.HasPrefix(e.Msg, "label ") && strings.HasSuffix(e.Msg, " undefined")
	})
	return list.Err()
}

// declaration returns the item of a file that holds one declaration.
func declaration(f *ast.File, c chunk) *item {
	it := &item{node: f, line: c.line, inside: comments(f)}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			d.Doc = nil
			if d.Recv == nil && (d.Name.Name == "main" || d.Name.Name == "init") {
				it.entry = d
			} else if d.Recv == nil {
				it.defines = append(it.defines, d.Name.Name)
			}
		case *ast.GenDecl:
			d.Doc = nil
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
	it := &item{node: body, stmt: body, line: c.line, free: f.Unresolved, inside: comments(f)}
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

// comments returns a file's comments without the mark of its place.
func comments(f *ast.File) []*ast.CommentGroup {
	var list []*ast.CommentGroup
	for _, g := range f.Comments {
		if !strings.HasPrefix(g.List[0].Text, "//line ") {
			list = append(list, g)
		} else if len(g.List) > 1 {
			list = append(list, &ast.CommentGroup{List: g.List[1:]})
		}
	}
	f.Comments = nil
	return list
}

func (it *item) findPackages(f *ast.File) {
	it.pkgs = map[*ast.Ident]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && slices.Contains(it.free, id) {
				it.pkgs[id] = s.Sel.Name
			}
		}
		return true
	})
}

// syntaxError is an error of the parser's kind.
func syntaxError(msg string, line int) error {
	return scanner.ErrorList{&scanner.Error{Pos: token.Position{Line: line}, Msg: msg}}
}
