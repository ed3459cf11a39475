package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

func (c *Cell) imported(it *item) error {
	for _, spec := range it.imports {
		spec := spec.(*ast.ImportSpec)
		p, err := strconv.Unquote(spec.Path.Value)
		line := c.u.fset.Position(spec.Pos()).Line
		pkg, _ := c.s.Import(p)
		if err != nil || pkg == nil {
			return &Failure{"compile error", "import " + spec.Path.Value + ": live cells know some packages only; use a " +
				"compiled cell for others (without %%live)", line}
		}
		name := pkg.Name()
		if spec.Name != nil {
			name = spec.Name.Name
		}
		switch name {
		case "_":
		case ".":
			if pkg != c.s.dot {
				return &Failure{"compile error", "import . is not for live cells; use a compiled cell (without %%live)", line}
			}
		default:
			c.src.imports[name] = p
		}
	}
	return nil
}

// packages adds the imports that the cell's names need.
func (c *Cell) packages(f *ast.File, top map[string]bool) {
	add := map[string]string{}
	for name, p := range c.src.imports {
		add[name] = p
		c.s.alias[name] = p
		delete(c.s.names, name) // the package hides a variable of that name from now on
	}
	for _, it := range slices.Concat(c.src.items, c.decls) {
		for _, id := range it.free {
			if !it.pkgs[id] || top[id.Name] {
				continue
			}
			p := c.s.packageOf(id.Name)
			if p == "" {
				continue
			}
			if c.s.names[id.Name] != nil { // a variable, unless only the package has such a name
				if !c.meansPackage(it, id, p) {
					continue
				}
				id.Name = "ᐧ" + id.Name
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

// meansPackage reports whether id.X can only mean the package: the variable of that name has no X.
func (c *Cell) meansPackage(it *item, id *ast.Ident, path string) (yes bool) {
	pkg, _ := c.s.Import(path)
	v, ok := c.s.names[id.Name].(*types.Var)
	if pkg == nil || !ok {
		return false
	}
	ast.Inspect(it.node, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.X == id {
			obj, _, _ := types.LookupFieldOrMethod(v.Type(), true, c.s.pkg, s.Sel.Name)
			yes = obj == nil && pkg.Scope().Lookup(s.Sel.Name) != nil
		}
		return !yes
	})
	return yes
}

func (s *Session) packageOf(name string) string {
	if p := s.alias[name]; p != "" {
		return p
	}
	return s.known[name]
}

// Import returns a package that cells can import, nil if there is none.
func (s *Session) Import(p string) (*types.Package, error) {
	if pkg := s.sourcePackage(p); pkg != nil {
		return pkg, nil
	}
	if pkg := s.natives.load(p); pkg != nil {
		return pkg, nil
	}
	return nil, &Failure{Kind: "compile error", Message: "import " + strconv.Quote(p) +
		": live cells know some packages only"}
}
