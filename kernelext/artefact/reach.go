package artefact

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// mainPackage is a parsed package main.
type mainPackage struct {
	fset  *token.FileSet
	decls []decl
}

// decl is a declaration at the top level: its text, what it declares, and what names it uses.
type decl struct {
	file     string
	from, to int // lines
	text     string
	names    []string // a method counts as its type's name
	uses     map[string]bool
	always   bool // init, imports for their effects or of all names
}

func (p *mainPackage) parse(name string, src []byte) error {
	f, err := parser.ParseFile(p.fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok == token.CONST { // iota counts over a whole group
			p.add(name, src, d)
			continue
		}
		for _, s := range g.Specs {
			p.add(name, src, s)
		}
	}
	return nil
}

func (p *mainPackage) add(file string, src []byte, n ast.Node) {
	from, to := p.fset.PositionFor(n.Pos(), false), p.fset.PositionFor(n.End(), false)
	d := decl{file: file, from: p.fset.Position(n.Pos()).Line, to: p.fset.Position(n.End()).Line,
		text: string(src[from.Offset:to.Offset]), uses: map[string]bool{}}
	switch n := n.(type) {
	case *ast.ImportSpec:
		d.imported(n)
	case *ast.FuncDecl:
		d.names = []string{n.Name.Name}
		d.always = n.Name.Name == "init" && n.Recv == nil
		if n.Recv != nil && len(n.Recv.List) > 0 {
			d.names = nil
			ast.Inspect(n.Recv.List[0].Type, func(x ast.Node) bool {
				if id, ok := x.(*ast.Ident); ok {
					d.names = append(d.names, id.Name)
				}
				return true
			})
		}
	case *ast.TypeSpec:
		d.names = []string{n.Name.Name}
	case *ast.ValueSpec:
		d.values(n)
	case *ast.GenDecl:
		for _, s := range n.Specs {
			d.values(s.(*ast.ValueSpec))
		}
	}
	ast.Inspect(n, func(x ast.Node) bool {
		if id, ok := x.(*ast.Ident); ok {
			d.uses[id.Name] = true
		}
		return true
	})
	p.decls = append(p.decls, d)
}

// imported takes an import's name: what stands before the path, or the path's last part that is no version.
func (d *decl) imported(s *ast.ImportSpec) {
	name := path.Base(strings.Trim(s.Path.Value, `"`))
	if rest := path.Dir(strings.Trim(s.Path.Value, `"`)); version.MatchString(name) && rest != "." {
		name = path.Base(rest)
	}
	if s.Name != nil {
		name = s.Name.Name
	}
	d.names, d.always = []string{name}, name == "_" || name == "."
}

// version matches the last part of the path of a later version of a module.
var version = regexp.MustCompile(`^v[0-9]+$`)

func (d *decl) values(s *ast.ValueSpec) {
	for _, id := range s.Names {
		d.names = append(d.names, id.Name)
	}
}

// reach returns the texts of the declarations that the one around a line uses, by name, itself among them. Names are
// taken without scopes: rather one too many.
func (p *mainPackage) reach(file string, line int) ([]string, error) {
	want := map[string]bool{}
	in := make([]bool, len(p.decls))
	found := false
	for i, d := range p.decls {
		if d.file == file && d.from <= line && line <= d.to || d.always {
			in[i] = true
			found = found || !d.always
			maps.Copy(want, d.uses)
		}
	}
	if !found {
		return nil, fmt.Errorf("artefact: no declaration at %s:%d", file, line)
	}
	for again := true; again; {
		again = false
		for i, d := range p.decls {
			if !in[i] && slices.ContainsFunc(d.names, func(n string) bool { return want[n] }) {
				in[i], again = true, true
				maps.Copy(want, d.uses)
			}
		}
	}
	var texts []string
	for i, d := range p.decls {
		if in[i] {
			texts = append(texts, d.text)
		}
	}
	slices.Sort(texts)
	return texts, nil
}

func newMain() *mainPackage { return &mainPackage{fset: token.NewFileSet()} }
