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

// Failure is why a cell cannot run.
type Failure struct {
	Kind, Message string
	Line          int
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// Cell is a checked cell.
type Cell struct {
	s        *Session
	u        *unit
	rev      *revision
	body     []ast.Stmt
	pkg      *types.Package
	decls    []*item // of the package
	vars     []*types.Initializer
	src      *cellSource
	same     []*item            // types that stand in it as they are known
	given    []string           // types of earlier cells that get methods
	lost     map[string]string  // variables of them, and why they cannot be used
	kept     map[string]*global // those that can
	replaces bool               // it defines names, or methods, that are there
}

// cellSource is a cell as it was written.
type cellSource struct {
	items   []*item
	imports map[string]string // name → path
}

// Check parses and checks a cell. Nothing runs.
func (s *Session) Check(number int, code string) (c *Cell, err error) {
	restore := s.keep()
	defer func() { // a cell that is wrong changes nothing
		if err != nil {
			restore()
		}
	}()
	defer refused(&err, nil)
	again := &revision{changed: map[string]bool{}, stale: map[string]string{}, unfit: map[string]bool{}}
	for range 1000 {
		c, err := s.checkOnce(number, code, again)
		if !again.more {
			return c, err
		}
		again.more = false
	}
	return nil, &Failure{Kind: "compile error", Message: "too many definitions depend on what this cell changes; reset " +
		"the session"}
}

func (s *Session) checkOnce(number int, code string, rev *revision) (*Cell, error) {
	u := &unit{fset: token.NewFileSet(), cell: number, esc: map[types.Object]bool{}, tops: map[types.Object]*global{},
		held: map[*types.Var]types.Type{}, lifted: map[*ast.Ident]bool{}, alias: map[*types.Func]*source{}}
	c := &Cell{s: s, u: u, rev: rev, src: &cellSource{imports: map[string]string{}}, lost: map[string]string{},
		kept: map[string]*global{}}
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
	var inits, main []ast.Stmt // calls: before the statements, and after them
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
				name, pos := "ᐧ"+it.entry.Name.Name, it.entry.Name.NamePos
				calls := &main
				if name == "ᐧinit" {
					name += strconv.Itoa(len(inits))
					calls = &inits
				}
				it.entry.Name = &ast.Ident{Name: name, NamePos: pos}
				*calls = append(*calls, &ast.ExprStmt{X: &ast.CallExpr{Fun: &ast.Ident{Name: name, NamePos: pos}, Lparen: pos}})
			}
			c.decls = append(c.decls, it)
		}
	}
	c.body = slices.Concat(inits, c.body, main)
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
	if x, ok := c.last(); ok { // its value is shown
		if _, ok := ast.Unparen(x.X).(*ast.CallExpr); !ok {
			c.wrap(x)
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

// types checks the file once. again tells that something was mended and another check is wanted.
func (c *Cell) types(f *ast.File, top map[string]bool) (again bool, err error) {
	c.pkg = c.s.pkg
	scope := c.pkg.Scope()
	// one package with one scope, to which types of earlier cells belong
	*scope = *types.NewPackage("main", "main").Scope()
	c.pkg.SetImports(nil)
	imported := map[string]bool{}
	for _, spec := range f.Imports {
		imported[spec.Name.Name] = true
	}
	for name, obj := range c.s.names {
		if !top[name] && !imported[name] && c.lost[name] == "" {
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
	restore := enclose(f, top)
	types.NewChecker(&conf, c.u.fset, c.pkg, c.u.info).Files([]*ast.File{f}) //nolint:errcheck // errs has them
	restore()
	for _, e := range errs {
		switch {
		case strings.Contains(e.Msg, "imported") && strings.HasSuffix(e.Msg, "and not used"), strings.HasPrefix(e.Msg,
			"declared and not used") && c.isTop(e.Pos):
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

// initial takes the order in which variables are to be initialised, and looks for variables whose type has changed.
func (c *Cell) initial() error {
	for _, in := range c.u.info.InitOrder {
		if !slices.ContainsFunc(in.Lhs, func(v *types.Var) bool { return c.liftedVar(v) }) {
			c.vars = append(c.vars, in)
		}
	}
	c.misfits()
	return c.retyped()
}
