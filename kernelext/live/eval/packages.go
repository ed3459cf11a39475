package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// preferred lists packages that go before others of the same name, as goimports takes them.
func preferred() []string {
	return []string{"math/rand/v2", "crypto/rand", "text/template", "gonum.org/v1/plot/vg/draw"}
}

// know makes a package known by its name, after those that are known.
func (s *Session) know(path string) {
	name := s.natives.pkg(path).Name()
	if !slices.Contains(s.known[name], path) {
		s.known[name] = append(s.known[name], path)
	}
}

// packageOf returns the path of the package that cells call name, the preferred one of several, "" if there is none.
func (s *Session) packageOf(name string) string {
	if p := s.alias[name]; p != "" {
		return p
	}
	if list := s.known[name]; len(list) > 0 {
		return list[0]
	}
	return ""
}

// packages adds the imports that the cell's names need.
func (c *Cell) packages(f *ast.File, top map[string]bool) {
	add := map[string]string{}
	for name, p := range c.src.imports {
		add[name] = p
		c.s.alias[name] = p
		delete(c.s.names, name) // the package hides a variable of that name from now on
	}
	c.several()
	for _, it := range slices.Concat(c.src.items, c.decls) {
		for _, id := range it.free {
			if it.pkgs[id] == "" || top[id.Name] {
				continue
			}
			name, p := id.Name, c.s.packageOf(id.Name)
			if p == "" {
				continue
			}
			if q := it.paths[name]; q != "" && c.s.alias[name] == "" {
				p = q
				if n := slices.Index(c.s.known[name], q); n > 0 {
					id.Name = strings.Repeat("ᐧ", n+1) + name
				}
			}
			if c.s.names[name] != nil { // a variable, unless only the package has such a name
				if !c.meansPackage(it, id, name, p) {
					id.Name = name
					continue
				}
				if id.Name == name {
					id.Name = "ᐧ" + name
				}
			}
			add[id.Name] = p
		}
	}
	var specs []ast.Spec
	for name, p := range add {
		spec := &ast.ImportSpec{Name: ast.NewIdent(name), Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(p)}}
		specs = append(specs, spec)
		f.Imports = append(f.Imports, spec)
	}
	if len(specs) > 0 {
		f.Decls = append([]ast.Decl{&ast.GenDecl{Tok: token.IMPORT, Lparen: 1, Specs: specs}}, f.Decls...)
	}
}

// several chooses among packages of one name for the cell, as goimports does for a file: the first that has all that
// the cell takes from it, which later cells then prefer. Earlier definitions keep what their cells chose.
func (c *Cell) several() {
	takes := map[string][]string{}
	for _, it := range c.src.items {
		for id, sel := range it.pkgs {
			if it.cell == c.u.cell && len(c.s.known[id.Name]) > 1 {
				takes[id.Name] = append(takes[id.Name], sel)
			}
		}
	}
	paths := map[string]string{}
	for name, list := range takes {
		for _, p := range c.s.known[name] {
			if pkg, _ := c.s.Import(p); pkg != nil && !slices.ContainsFunc(list, func(n string) bool {
				return pkg.Scope().Lookup(n) == nil
			}) {
				paths[name] = p
				others := slices.DeleteFunc(slices.Clone(c.s.known[name]), func(q string) bool { return q == p })
				c.s.known[name] = slices.Insert(others, 0, p)
				break
			}
		}
	}
	for _, it := range c.src.items {
		if it.cell == c.u.cell {
			it.paths = paths
		}
	}
}

// meansPackage reports whether name.X, where id is its name, can only mean the package: the variable has no X.
func (c *Cell) meansPackage(it *item, id *ast.Ident, name, path string) (yes bool) {
	pkg, _ := c.s.Import(path)
	v, ok := c.s.names[name].(*types.Var)
	if pkg == nil || !ok {
		return false
	}
	sel := it.pkgs[id]
	obj, _, _ := types.LookupFieldOrMethod(v.Type(), true, c.s.pkg, sel)
	return obj == nil && pkg.Scope().Lookup(sel) != nil
}
