package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// Names that the session adds to cells; a reader does not meet them.
const (
	cellName = "ᐧcell"
	useName  = "ᐧuse"
)

// Session is a world and the names that cells have defined in it.
type Session struct {
	*World
	names map[string]types.Object // what cells defined
	alias map[string]string       // what cells call packages → path
	known map[string]string       // names of packages that need no import → path
	dot   *types.Package          // whose names need no package
	pkg   *types.Package          // main
}

// Failure is why a cell cannot run.
type Failure struct {
	Kind, Message string
	Line          int
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// Cell is a checked cell.
type Cell struct {
	s     *Session
	u     *unit
	body  []ast.Stmt
	pkg   *types.Package
	decls []*ast.FuncDecl
	vars  []*types.Initializer
	src   *cellSource
}

// cellSource is a cell as it was written.
type cellSource struct {
	items   []*item
	imports map[string]string // name → path
}

// NewSession returns a session without names. The names of the package with the path dot need no package name.
func NewSession(w *World, dot string) *Session {
	s := &Session{World: w, names: map[string]types.Object{}, alias: map[string]string{}, known: map[string]string{}, pkg: types.NewPackage("main", "main")}
	paths := make([]string, 0, len(w.natives.paths))
	for p := range w.natives.paths {
		paths = append(paths, p)
	}
	slices.Sort(paths) // math/rand/v2 after math/rand, and so its rand
	for _, p := range paths {
		s.known[w.natives.pkg(p).Name()] = p
	}
	for _, p := range sourcePaths() {
		s.known[p[strings.LastIndexByte(p, '/')+1:]] = p
	}
	if dot != "" {
		s.dot = w.natives.load(dot)
	}
	return s
}

// Check parses and checks a cell. Nothing runs.
func (s *Session) Check(number int, code string) (*Cell, error) {
	u := &unit{fset: token.NewFileSet(), cell: number, esc: map[types.Object]bool{}, tops: map[types.Object]*global{}}
	src := &cellSource{imports: map[string]string{}}
	for _, c := range split(code) {
		it, err := parse(u.fset, base, c)
		if err != nil {
			return nil, err
		}
		it.text = c.text
		src.items = append(src.items, it)
	}
	cell := &Cell{s: s, u: u, src: src}
	return cell, cell.check()
}

// check assembles a file of the items, and checks it until nothing is left to mend.
func (c *Cell) check() error {
	f := &ast.File{Name: ast.NewIdent("main"), Package: 1}
	fn := &ast.FuncDecl{Name: ast.NewIdent(cellName), Type: &ast.FuncType{Params: &ast.FieldList{}}}
	top := map[string]bool{} // names at package level
	needed := c.needed()
	for _, it := range c.src.items {
		switch {
		case it.imports != nil:
			if err := c.imported(it); err != nil {
				return err
			}
		case it.node == nil:
		case it.stmt != nil:
			c.body = append(c.body, it.stmt.List...)
		default:
			d := it.node.(*ast.File).Decls[0]
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR && len(c.body) > 0 && !slices.ContainsFunc(it.defines, func(n string) bool { return needed[n] }) {
				c.body = append(c.body, &ast.DeclStmt{Decl: g})
				continue
			}
			f.Decls = append(f.Decls, d)
			for _, n := range it.defines {
				top[n] = true
			}
			if it.entry != nil {
				it.entry.Name = &ast.Ident{Name: "ᐧ" + it.entry.Name.Name, NamePos: it.entry.Name.NamePos}
				call := &ast.CallExpr{Fun: &ast.Ident{Name: it.entry.Name.Name, NamePos: it.entry.Name.NamePos}, Lparen: it.entry.Name.NamePos}
				c.body = append(c.body, &ast.ExprStmt{X: call})
			}
		}
	}
	end := token.Pos(c.u.fset.Base())
	c.u.fset.AddFile("end", -1, 1)
	fn.Body = &ast.BlockStmt{Lbrace: 1, List: c.body, Rbrace: end}
	f.Decls = append(f.Decls, fn)
	c.packages(f, top)
	for i, st := range c.body { // values are shown or dropped
		if x, ok := st.(*ast.ExprStmt); ok {
			if call, ok := ast.Unparen(x.X).(*ast.CallExpr); !ok {
				c.wrap(i)
			} else if id, ok := call.Fun.(*ast.Ident); ok && id.Name == mustName {
				_ = id
			}
		}
	}
	for range 100 {
		again, err := c.types(f, top)
		if err != nil || !again {
			return err
		}
	}
	return &Failure{Kind: "compile error", Message: "this cell is too much at once"}
}

const mustName = "must"

// needed returns the names that functions and types of the cell use.
func (c *Cell) needed() map[string]bool {
	m := map[string]bool{}
	for _, it := range c.src.items {
		if f, ok := it.node.(*ast.File); ok && it.stmt == nil {
			if g, ok := f.Decls[0].(*ast.GenDecl); !ok || g.Tok != token.VAR {
				for _, id := range it.free {
					m[id.Name] = true
				}
			}
		}
	}
	return m
}

// wrap makes the expression statement i one whose value is used.
func (c *Cell) wrap(i int) {
	x := c.body[i].(*ast.ExprStmt)
	c.body[i] = &ast.ExprStmt{X: &ast.CallExpr{Fun: &ast.Ident{Name: useName, NamePos: x.Pos()}, Lparen: x.Pos(), Args: []ast.Expr{x.X}, Rparen: x.End()}}
}

func (c *Cell) imported(it *item) error {
	for _, spec := range it.imports {
		spec := spec.(*ast.ImportSpec)
		p, err := strconv.Unquote(spec.Path.Value)
		line := c.u.fset.Position(spec.Pos()).Line
		pkg, _ := c.s.Import(p)
		if err != nil || pkg == nil {
			return &Failure{"compile error", "import " + spec.Path.Value + ": live cells know some packages only; use a compiled cell for others (without %%live)", line}
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
	for _, it := range c.src.items {
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
	return nil, &Failure{Kind: "compile error", Message: "import " + strconv.Quote(p) + ": live cells know some packages only"}
}

// types checks the file once. again tells that something was mended and another check is wanted.
func (c *Cell) types(f *ast.File, top map[string]bool) (again bool, err error) {
	c.pkg = c.s.pkg
	*c.pkg = *types.NewPackage("main", "main") // one package, so that unexported fields of earlier cells can be set
	scope := c.pkg.Scope()
	imported := map[string]bool{}
	for _, spec := range f.Imports {
		imported[spec.Name.Name] = true
	}
	for name, obj := range c.s.names {
		if !top[name] && !imported[name] {
			scope.Insert(obj)
		}
	}
	if c.s.dot != nil {
		for _, name := range c.s.dot.Scope().Names() {
			if !top[name] && !imported[name] && scope.Lookup(name) == nil {
				scope.Insert(c.s.dot.Scope().Lookup(name))
			}
		}
	}
	c.s.prelude(scope, top)
	c.u.pkg = c.pkg
	c.u.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{}}
	var errs []types.Error
	conf := types.Config{Importer: c.s, Error: func(err error) { errs = append(errs, err.(types.Error)) }}
	types.NewChecker(&conf, c.u.fset, c.pkg, c.u.info).Files([]*ast.File{f}) //nolint:errcheck // errs has them
	for _, e := range errs {
		switch {
		case strings.Contains(e.Msg, "imported and not used"), strings.HasPrefix(e.Msg, "declared and not used") && c.isTop(e.Pos):
			continue
		case c.mend(e):
			return true, nil
		}
		return false, c.failure(e)
	}
	c.initial()
	return false, nil
}

// failure is the first of the checker's errors, in a cell's terms.
func (c *Cell) failure(e types.Error) error {
	f := &Failure{Kind: "compile error", Message: strings.ReplaceAll(e.Msg, "ᐧ", "")}
	if e.Pos.IsValid() {
		f.Line = c.u.fset.Position(e.Pos).Line
	}
	if name, ok := strings.CutPrefix(e.Msg, "undefined: "); ok && c.s.packageOf(name) != "" {
		f.Message += " (a package is used as " + name + ".Name)"
	}
	return f
}

// mend changes the cell where the checker objects to what cells may do: values that nobody uses, must with other
// numbers of results.
func (c *Cell) mend(e types.Error) bool {
	if strings.HasSuffix(e.Msg, "is not used") {
		for i, st := range c.body {
			if x, ok := st.(*ast.ExprStmt); ok && x.Pos() <= e.Pos && e.Pos <= x.End() {
				if call, ok := x.X.(*ast.CallExpr); ok {
					if id, ok := call.Fun.(*ast.Ident); ok && id.Name == useName {
						return false
					}
				}
				c.wrap(i)
				return true
			}
		}
	}
	if strings.Contains(e.Msg, "arguments in call to "+mustName) {
		return c.mendMust(e)
	}
	return false
}

// mendMust turns must(f()) into the form for the number of results that f has.
func (c *Cell) mendMust(e types.Error) (done bool) {
	forms := map[string]string{mustName: mustName + "ᐧ0", mustName + "ᐧ0": mustName + "ᐧ2", mustName + "ᐧ2": mustName + "ᐧ3"}
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
	for _, it := range c.src.items {
		if f, ok := it.node.(*ast.File); ok && it.stmt == nil {
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
		for {
			l, ok := st.(*ast.LabeledStmt)
			if !ok {
				break
			}
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
	}
	return list
}

func (c *Cell) initial() { c.vars = c.u.info.InitOrder }
