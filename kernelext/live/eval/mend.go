package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// last returns the last statement if it is an expression, whose value the cell shows.
func (c *Cell) last() (x *ast.ExprStmt, ok bool) {
	if n := len(c.body); n > 0 {
		x, ok = c.body[n-1].(*ast.ExprStmt)
	}
	return x, ok
}

// wrap makes the last statement, an expression, one whose value is used.
func (c *Cell) wrap(x *ast.ExprStmt) {
	c.body[len(c.body)-1] = &ast.ExprStmt{X: &ast.CallExpr{Fun: &ast.Ident{Name: useName, NamePos: x.Pos()},
		Lparen: x.Pos(), Args: []ast.Expr{x.X}, Rparen: x.End()}}
}

// failure is the first of the checker's errors, in a cell's terms.
func (c *Cell) failure(e types.Error) error {
	f := &Failure{Kind: "compile error", Message: strings.ReplaceAll(e.Msg, "ᐧ", "")}
	if e.Pos.IsValid() {
		f.Line = c.u.fset.Position(e.Pos).Line
	}
	if name, ok := strings.CutPrefix(e.Msg, "undefined: "); ok {
		if why := c.lost[name]; why != "" {
			f.Message += " (" + why + ")"
		} else if why := c.s.stale[name]; why != "" {
			f.Message += " (" + why + ")"
		} else if pkg, _, ok := strings.Cut(name, "."); ok && c.s.packageOf(pkg) != "" {
			f.Message += " (live cells know a part of package " + pkg + "; a compiled cell, without %%live, knows it all)"
		} else if c.s.packageOf(name) != "" {
			f.Message += " (a package is used as " + name + ".Name)"
		} else if c.dotted(name) {
			f.Message += " (no name of this session; a package that live cells do not know is known to a compiled cell, " +
				"without %%live)"
		}
	}
	if m := noMember.FindStringSubmatch(f.Message); m != nil && c.s.stale[m[1]+"."+m[2]] != "" {
		f.Message += " (" + c.s.stale[m[1]+"."+m[2]] + ")"
	}
	f.Message += c.older(f.Message)
	return f
}

// older explains a message that names a type which a variable has as it was before.
func (c *Cell) older(msg string) (why string) {
	for _, it := range c.src.items {
		for _, id := range it.free {
			v, ok := c.s.names[id.Name].(*types.Var)
			g := c.s.globals.get(v)
			if !ok || g == nil || it.cell != c.u.cell || why != "" {
				continue
			}
			eachNamed(v.Type(), false, map[types.Type]bool{}, func(n *types.Named) {
				name := n.Obj().Name()
				if n.Obj().Parent() == c.pkg.Scope() && c.pkg.Scope().Lookup(name) != n.Obj() && strings.Contains(msg, name) {
					why = " (" + v.Name() + " of cell " + strconv.Itoa(g.cell) + " has the type " + name +
						" as it was; run that cell again)"
				}
			})
		}
	}
	return why
}

var noMember = regexp.MustCompile(`\(type \*?(\pL[\pL\d_]*).* has no field or method (\pL[\pL\d_]*)`)

// dotted reports whether the cell uses a name as a package is used.
func (c *Cell) dotted(name string) bool {
	for _, it := range c.src.items {
		for id := range it.pkgs {
			if id.Name == name {
				return true
			}
		}
	}
	return false
}

// mend changes the cell where the checker objects to what cells may do: the last value, which nobody uses, must with
// other numbers of results.
func (c *Cell) mend(e types.Error) bool {
	if strings.HasSuffix(e.Msg, "is not used") {
		if x, ok := c.last(); ok && x.Pos() <= e.Pos && e.Pos <= x.End() {
			if call, ok := x.X.(*ast.CallExpr); ok {
				if id, ok := call.Fun.(*ast.Ident); ok && id.Name == useName {
					return false
				}
			}
			c.wrap(x)
			return true
		}
	}
	if strings.Contains(e.Msg, "arguments in call to "+mustName) {
		return c.mendMust(e)
	}
	return false
}

// mendMust turns must(f()) into the form for the number of results that f has.
func (c *Cell) mendMust(e types.Error) (done bool) {
	forms := map[string]string{mustName: mustName + "ᐧ0", mustName + "ᐧ0": mustName + "ᐧ2", mustName + "ᐧ2": mustName +
		"ᐧ3"}
	var best *ast.Ident
	for _, st := range append(slices.Clone(c.body), c.declared()...) {
		ast.Inspect(st, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && call.Pos() <= e.Pos && e.Pos <= call.End() {
				if id, ok := call.Fun.(*ast.Ident); ok && forms[id.Name] != "" {
					best = id
				}
			}
			return true
		})
	}
	if best == nil {
		return false
	}
	best.Name = forms[best.Name]
	return true
}

// declared returns the declarations of the cell as statements, to look into.
func (c *Cell) declared() (list []ast.Stmt) {
	for _, it := range c.decls {
		if f, ok := it.node.(*ast.File); ok {
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Body != nil {
						list = append(list, d.Body)
					}
				case *ast.GenDecl:
					list = append(list, &ast.DeclStmt{Decl: d})
				}
			}
		}
	}
	return list
}

// isTop reports whether a variable is defined at the top of the cell.
func (c *Cell) isTop(pos token.Pos) bool {
	for _, id := range c.tops() {
		if id.Pos() == pos {
			return true
		}
	}
	return false
}

// tops returns the names that statements at the top of the cell define.
func (c *Cell) tops() (list []*ast.Ident) {
	for _, st := range c.body {
		list = append(list, defined(st)...)
	}
	return list
}

// repeated finds the variables between a label and a goto back to it.
func (c *Cell) repeated() {
	c.u.again = map[types.Object]bool{}
	label := map[string]int{}
	for i, st := range c.body {
		for l, ok := st.(*ast.LabeledStmt); ok; l, ok = l.Stmt.(*ast.LabeledStmt) {
			label[l.Label.Name] = i
		}
		ast.Inspect(st, func(n ast.Node) bool {
			b, ok := n.(*ast.BranchStmt)
			if from, back := label[labelOf(b)]; ok && b.Tok == token.GOTO && back {
				for _, again := range c.body[from : i+1] {
					for _, id := range defined(again) {
						c.u.again[c.u.info.Defs[id]] = true
					}
				}
			}
			_, literal := n.(*ast.FuncLit)
			return !literal
		})
	}
}

func labelOf(b *ast.BranchStmt) string {
	if b == nil || b.Label == nil {
		return ""
	}
	return b.Label.Name
}

// defined returns the names that a statement defines.
func defined(st ast.Stmt) (list []*ast.Ident) {
	for l, ok := st.(*ast.LabeledStmt); ok; l, ok = st.(*ast.LabeledStmt) {
		st = l.Stmt
	}
	switch st := st.(type) {
	case *ast.AssignStmt:
		for _, x := range st.Lhs {
			if id, ok := x.(*ast.Ident); ok && st.Tok == token.DEFINE && id.Name != "_" {
				list = append(list, id)
			}
		}
	case *ast.DeclStmt:
		if g, ok := st.Decl.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, sp := range g.Specs {
				for _, id := range sp.(*ast.ValueSpec).Names {
					if id.Name != "_" {
						list = append(list, id)
					}
				}
			}
		}
	}
	return list
}

// enclose puts the right-hand sides of type declarations that are names of earlier cells in parentheses, and restore
// takes them off: go/types looks for the declaration of a bare name of the package among the files that it checks.
func enclose(f *ast.File, top map[string]bool) (restore func()) {
	var list []*ast.TypeSpec
	for _, d := range f.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			continue
		}
		for _, spec := range d.Specs {
			spec := spec.(*ast.TypeSpec)
			if id, ok := spec.Type.(*ast.Ident); ok && !top[id.Name] {
				spec.Type = &ast.ParenExpr{Lparen: id.Pos(), X: id, Rparen: id.End()}
				list = append(list, spec)
			}
		}
	}
	return func() {
		for _, spec := range list {
			spec.Type = spec.Type.(*ast.ParenExpr).X
		}
	}
}
