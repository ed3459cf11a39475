package eval

import (
	"go/ast"
	"go/scanner"
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
	names   map[string]types.Object   // what cells defined
	alias   map[string]string         // what cells call packages → path
	known   map[string]string         // names of packages that need no import → path
	dot     *types.Package            // whose names need no package
	pkg     *types.Package            // main
	decls   map[string]*declared      // functions, types and constants as they were written
	stale   map[string]string         // those that no longer compile, and why
	sourced map[string]*types.Package // packages that are code of cells
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
	rev   *revision
	body  []ast.Stmt
	pkg   *types.Package
	decls []*item // of the package
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
	s := &Session{World: w, names: map[string]types.Object{}, alias: map[string]string{}, known: map[string]string{}, pkg: types.NewPackage("main", "main"),
		decls: map[string]*declared{}, stale: map[string]string{}, sourced: map[string]*types.Package{}}
	w.natives.seq = s.sequence
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
	again := &revision{changed: map[string]bool{}, stale: map[string]string{}}
	for range 1000 {
		c, err := s.checkOnce(number, code, again)
		if !again.more {
			return c, err
		}
		again.more = false
	}
	return nil, &Failure{Kind: "compile error", Message: "too many definitions depend on what this cell changes; reset the session"}
}

func (s *Session) checkOnce(number int, code string, rev *revision) (*Cell, error) {
	u := &unit{fset: token.NewFileSet(), cell: number, esc: map[types.Object]bool{}, tops: map[types.Object]*global{}, lifted: map[*ast.Ident]bool{},
		alias: map[*types.Func]*source{}}
	c := &Cell{s: s, u: u, rev: rev, src: &cellSource{imports: map[string]string{}}}
	for _, ch := range split(code) {
		it, err := c.parse(ch, number)
		if err != nil {
			return nil, err
		}
		c.src.items = append(c.src.items, it)
	}
	if err := c.revise(); err != nil {
		return nil, err
	}
	return c, c.check()
}

func (c *Cell) parse(ch chunk, cell int) (*item, error) {
	it, err := parse(c.u.fset, strconv.Itoa(cell), ch)
	if list, ok := err.(scanner.ErrorList); ok {
		for _, e := range list { // what is missing at the end
			e.Pos.Line = min(e.Pos.Line, ch.line+strings.Count(ch.text, "\n"))
		}
	}
	if err == nil {
		it.chunk, it.cell = ch, cell
	}
	return it, err
}

// check assembles a file of the items, and checks it until nothing is left to mend.
func (c *Cell) check() error {
	f := &ast.File{Name: ast.NewIdent("main"), Package: 1}
	fn := &ast.FuncDecl{Name: ast.NewIdent(cellName), Type: &ast.FuncType{Params: &ast.FieldList{}}}
	top := map[string]bool{} // names at package level
	needed := c.needed()
	var calls []ast.Stmt // of init functions, then main
	inits := 0
	for _, it := range c.src.items {
		switch {
		case it.imports != nil:
			if err := c.imported(it); err != nil {
				return err
			}
		case it.node == nil:
		case it.stmt != nil || c.isLate(it):
			list, err := c.statements(it, needed)
			if err != nil {
				return err
			}
			c.body = append(c.body, list...)
		default:
			if it.entry != nil {
				name, pos := it.entry.Name.Name, it.entry.Name.NamePos
				first := name == "init"
				if first {
					name += strconv.Itoa(len(calls))
				}
				it.entry.Name = &ast.Ident{Name: "ᐧ" + name, NamePos: pos}
				call := &ast.ExprStmt{X: &ast.CallExpr{Fun: &ast.Ident{Name: "ᐧ" + name, NamePos: pos}, Lparen: pos}}
				if first {
					calls = slices.Insert(calls, inits, ast.Stmt(call))
					inits++
				} else {
					calls = append(calls, call)
				}
			}
			c.decls = append(c.decls, it)
		}
	}
	c.body = append(c.body, calls...)
	for _, it := range c.decls {
		f.Decls = append(f.Decls, it.node.(*ast.File).Decls...)
		for _, n := range it.defines {
			top[n] = true
		}
	}
	end := token.Pos(c.u.fset.Base())
	c.u.fset.AddFile("end", -1, 1)
	fn.Body = &ast.BlockStmt{Lbrace: 1, List: c.body, Rbrace: end}
	f.Decls = append(f.Decls, fn)
	c.packages(f, top)
	for i, st := range c.body { // values are shown or dropped
		if x, ok := st.(*ast.ExprStmt); ok {
			if _, ok := ast.Unparen(x.X).(*ast.CallExpr); !ok {
				c.wrap(i)
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

// isLate reports whether an item declares variables after statements, in whose order it runs.
func (c *Cell) isLate(it *item) bool {
	g, ok := it.node.(*ast.File).Decls[0].(*ast.GenDecl)
	return ok && g.Tok == token.VAR && len(c.body) > 0
}

// statements returns an item as statements of the cell. Variables that functions of the cell use are declared apart.
func (c *Cell) statements(it *item, needed map[string]bool) ([]ast.Stmt, error) {
	list := []ast.Stmt{}
	if it.stmt != nil {
		list = it.stmt.List
	} else {
		list = append(list, &ast.DeclStmt{Decl: it.node.(*ast.File).Decls[0].(*ast.GenDecl)})
	}
	if !slices.ContainsFunc(it.defines, func(n string) bool { return needed[n] }) {
		return list, nil
	}
	return c.lift(it, list)
}

const mustName = "must"

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
	c.s.prelude(scope)
	c.u.pkg = c.pkg
	c.u.info = newInfo()
	var errs []types.Error
	conf := types.Config{Importer: c.s, Error: func(err error) { errs = append(errs, err.(types.Error)) }}
	types.NewChecker(&conf, c.u.fset, c.pkg, c.u.info).Files([]*ast.File{f}) //nolint:errcheck // errs has them
	for _, e := range errs {
		switch {
		case strings.Contains(e.Msg, "imported") && strings.HasSuffix(e.Msg, "and not used"), strings.HasPrefix(e.Msg, "declared and not used") && c.isTop(e.Pos):
			continue
		case c.mend(e):
			return true, nil
		}
		if c.outdated(e) {
			return false, nil
		}
		return false, c.failure(e)
	}
	return false, c.initial()
}

// failure is the first of the checker's errors, in a cell's terms.
func (c *Cell) failure(e types.Error) error {
	f := &Failure{Kind: "compile error", Message: strings.ReplaceAll(e.Msg, "ᐧ", "")}
	if e.Pos.IsValid() {
		f.Line = c.u.fset.Position(e.Pos).Line
	}
	if name, ok := strings.CutPrefix(e.Msg, "undefined: "); ok {
		if why := c.s.stale[name]; why != "" {
			f.Message += " (" + why + ")"
		} else if c.s.packageOf(name) != "" {
			f.Message += " (a package is used as " + name + ".Name)"
		}
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

// initial takes the order in which variables are to be initialised, and looks for variables whose type has changed.
func (c *Cell) initial() error {
	for _, in := range c.u.info.InitOrder {
		if !slices.ContainsFunc(in.Lhs, func(v *types.Var) bool { return c.liftedVar(v) }) {
			c.vars = append(c.vars, in)
		}
	}
	return c.retyped()
}
