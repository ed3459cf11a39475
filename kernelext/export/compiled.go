package export

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// compiled adds a cell of declarations, and statements below a line %%.
func (p *program) compiled(lines []string) error {
	var decls, body []string
	below := false
	for _, line := range lines {
		bare := strings.TrimPrefix(line, "//gonb:")
		switch {
		case bare == "%%" || strings.HasPrefix(bare, "%% ") || strings.HasPrefix(bare, "%main"):
			below = true
			line = ""
		case len(bare) > 1 && (bare[0] == '%' || bare[0] == '!'):
			p.note("%s is left out", strings.TrimSpace(bare))
			line = ""
		}
		if below {
			body = append(body, line)
			decls = append(decls, "")
		} else {
			decls = append(decls, line)
		}
	}
	if err := p.declarations(strings.Join(decls, "\n")); err != nil {
		return err
	}
	p.run(strings.TrimSpace(strings.Join(body, "\n")))
	return nil
}

// declarations adds declarations as they are written, with their comments.
func (p *program) declarations(text string) error {
	const head = "package p;"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", head+text, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, d := range f.Decls {
		from := d.Pos()
		var names []string
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc != nil {
				from = d.Doc.Pos()
			}
			name := d.Name.Name
			if name == "main" && d.Recv == nil { // the cell's own
				p.run(sourceText(fset, head, text, d.Body.Lbrace+1, d.Body.Rbrace))
				continue
			}
			if d.Recv != nil {
				name = receiver(d.Recv.List[0].Type) + "." + name
			}
			if name != "init" {
				names = append(names, name)
			}
		case *ast.GenDecl:
			if d.Doc != nil {
				from = d.Doc.Pos()
			}
			for _, sp := range d.Specs {
				switch sp := sp.(type) {
				case *ast.ImportSpec:
					if err := p.importSpec(sp); err != nil {
						return err
					}
				case *ast.TypeSpec:
					names = append(names, sp.Name.Name)
				case *ast.ValueSpec:
					for _, n := range sp.Names {
						names = append(names, n.Name)
					}
				}
			}
			if d.Tok == token.IMPORT {
				continue
			}
		}
		if err := p.declare(names, sourceText(fset, head, text, from, d.End())); err != nil {
			return err
		}
	}
	return nil
}

func sourceText(fset *token.FileSet, head, text string, from, to token.Pos) string {
	return text[fset.Position(from).Offset-len(head) : fset.Position(to).Offset-len(head)]
}

func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// packageName is what a package is most likely called: the last part of its path that is no version.
func packageName(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if _, err := strconv.Atoi(strings.TrimPrefix(last, "v")); err == nil && len(parts) > 1 {
		return parts[len(parts)-2]
	}
	return last
}

func (p *program) importSpec(sp *ast.ImportSpec) error {
	path, err := strconv.Unquote(sp.Path.Value)
	if err != nil {
		return err
	}
	name := packageName(path)
	if sp.Name != nil {
		name = sp.Name.Name
	}
	return p.importAs(name, path)
}
