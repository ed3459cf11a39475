package eval

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// declared is a function, type, constant or group of constants of an earlier cell, as it was written.
type declared struct {
	chunk   chunk
	cell    int
	defines []string
	free    []string
	sig     string // of a function
	methods map[string]*declared
}

// revision is what a cell changes beyond its own definitions: what uses names that it changes is checked once more
// with them.
type revision struct {
	changed map[string]bool   // names that mean something else than before
	stale   map[string]string // definitions that do not fit any more, and why
	more    bool              // another attempt is wanted
}

// revise decides which definitions of the cell are new, and adds the earlier ones that depend on them.
func (c *Cell) revise() error {
	c.unchanged()
	changed := maps.Clone(c.rev.changed)
	own := map[string]bool{}
	for _, it := range c.src.items {
		for _, n := range it.defines {
			own[n] = true
		}
		if !it.isDecl() {
			continue
		}
		for _, n := range it.defines {
			if c.s.names[n] != nil && !c.sameSignature(it, n) {
				changed[n] = true
			}
		}
	}
	if err := c.methods(own, changed); err != nil {
		return err
	}
	pulled := map[*declared]bool{}
	for again := true; again; {
		again = false
		for _, n := range slices.Sorted(maps.Keys(c.s.decls)) {
			d := c.s.decls[n]
			if own[n] || pulled[d] || c.rev.stale[n] != "" || !d.uses(changed) {
				continue
			}
			pulled[d], again = true, true
			for _, n := range d.defines {
				changed[n] = true
			}
			if err := c.pull(d); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *declared) uses(names map[string]bool) bool {
	is := func(n string) bool { return names[n] }
	if slices.ContainsFunc(d.free, is) {
		return true
	}
	for _, m := range d.methods {
		if slices.ContainsFunc(m.free, is) {
			return true
		}
	}
	return false
}

// pull adds an earlier definition with its methods.
func (c *Cell) pull(d *declared) error {
	list := []*declared{d}
	for _, n := range slices.Sorted(maps.Keys(d.methods)) {
		list = append(list, d.methods[n])
	}
	for _, d := range list {
		it, err := c.parse(d.chunk, d.cell)
		if err != nil {
			return err
		}
		c.src.items = slices.Insert(c.src.items, 0, it)
	}
	return nil
}

func (it *item) isDecl() bool {
	f, ok := it.node.(*ast.File)
	if !ok || it.stmt != nil {
		return false
	}
	g, ok := f.Decls[0].(*ast.GenDecl)
	return !ok || g.Tok != token.VAR
}

// sameSignature reports whether a function of that name with the same parameters and results is there.
func (c *Cell) sameSignature(it *item, name string) bool {
	fn, ok := it.node.(*ast.File).Decls[0].(*ast.FuncDecl)
	d := c.s.decls[name]
	return ok && d != nil && d.sig != "" && d.sig == signature(fn)
}

func signature(fn *ast.FuncDecl) string {
	var b bytes.Buffer
	printer.Fprint(&b, token.NewFileSet(), fn.Type) //nolint:errcheck // to a buffer
	return b.String()
}

// receiver returns the name of the type that a method belongs to, "" for other items.
func (it *item) receiver() (typ string, fn *ast.FuncDecl) {
	f, ok := it.node.(*ast.File)
	if !ok || it.stmt != nil {
		return "", nil
	}
	fn, ok = f.Decls[0].(*ast.FuncDecl)
	if !ok || fn.Recv == nil || len(fn.Recv.List) != 1 {
		return "", nil
	}
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name, fn
		default:
			return "", nil
		}
	}
}

// unchanged drops types that stand in the cell as they are known already: values of them stay what they are.
func (c *Cell) unchanged() {
	c.src.items = slices.DeleteFunc(c.src.items, func(it *item) bool {
		f, ok := it.node.(*ast.File)
		if !ok || it.stmt != nil {
			return false
		}
		g, ok := f.Decls[0].(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			return false
		}
		for _, n := range it.defines {
			d := c.s.decls[n]
			if d == nil || c.s.names[n] == nil || d.chunk.text != it.chunk.text || c.rev.changed[n] || c.dependsOnOwn(it) {
				return false
			}
		}
		return true
	})
}

// dependsOnOwn reports whether an item uses a name that the cell gives another meaning.
func (c *Cell) dependsOnOwn(it *item) bool {
	for _, other := range c.src.items {
		if other == it || !other.isDecl() {
			continue
		}
		for _, n := range other.defines {
			d := c.s.decls[n]
			if (d == nil || d.chunk.text != other.chunk.text) && slices.ContainsFunc(it.free, func(id *ast.Ident) bool { return id.Name == n }) {
				return true
			}
		}
	}
	return slices.ContainsFunc(it.free, func(id *ast.Ident) bool { return c.rev.changed[id.Name] })
}

// methods handles methods of types of earlier cells: one that is there with the same signature gets a new body; for
// others the type is declared anew with all its methods.
func (c *Cell) methods(own, changed map[string]bool) error {
	anew := map[string]bool{}
	for _, it := range c.src.items {
		t, fn := it.receiver()
		d := c.s.decls[t]
		if t == "" || own[t] || d == nil {
			continue
		}
		m := d.methods[fn.Name.Name]
		named, _ := c.s.names[t].Type().(*types.Named)
		if m == nil || m.sig != signature(fn)+recvText(fn) || named == nil || named.TypeParams().Len() > 0 || changed[t] {
			anew[t] = true
		}
	}
	for _, it := range slices.Clone(c.src.items) {
		t, fn := it.receiver()
		d := c.s.decls[t]
		if t == "" || own[t] || d == nil || anew[t] {
			continue
		}
		c.asFunction(it, fn, c.s.names[t].Type().(*types.Named))
	}
	for _, t := range slices.Sorted(maps.Keys(anew)) {
		d := c.s.decls[t]
		whole := &declared{chunk: d.chunk, cell: d.cell, defines: d.defines, methods: maps.Clone(d.methods)}
		for _, it := range c.src.items {
			if u, fn := it.receiver(); u == t {
				delete(whole.methods, fn.Name.Name)
			}
		}
		for _, n := range d.defines {
			own[n], changed[n] = true, true
		}
		if err := c.pull(whole); err != nil {
			return err
		}
	}
	return nil
}

func recvText(fn *ast.FuncDecl) string {
	var b bytes.Buffer
	printer.Fprint(&b, token.NewFileSet(), fn.Recv.List[0].Type) //nolint:errcheck // to a buffer
	return " " + b.String()
}

// asFunction turns a method into a function whose first parameter is the receiver: the new body of the method.
func (c *Cell) asFunction(it *item, fn *ast.FuncDecl, named *types.Named) {
	for i := range named.NumMethods() {
		if m := named.Method(i); m.Name() == fn.Name.Name {
			it.method = m
		}
	}
	params := &ast.FieldList{Opening: fn.Type.Params.Opening, Closing: fn.Type.Params.Closing}
	recv := *fn.Recv.List[0]
	if len(recv.Names) == 0 && len(fn.Type.Params.List) > 0 && len(fn.Type.Params.List[0].Names) > 0 {
		recv.Names = []*ast.Ident{{Name: "_", NamePos: recv.Type.Pos()}}
	}
	params.List = append([]*ast.Field{&recv}, fn.Type.Params.List...)
	if len(recv.Names) > 0 {
		for _, f := range params.List[1:] {
			if len(f.Names) == 0 {
				f.Names = []*ast.Ident{{Name: "_", NamePos: f.Type.Pos()}}
			}
		}
	}
	t := *fn.Type
	t.Params = params
	fn.Type, fn.Recv = &t, nil
	fn.Name = &ast.Ident{Name: named.Obj().Name() + "ᐧ" + fn.Name.Name, NamePos: fn.Name.NamePos}
}

// needed returns the names that functions, types and variables at the package's level use.
func (c *Cell) needed() map[string]bool {
	m := map[string]bool{}
	for _, it := range c.src.items {
		if it.isDecl() {
			for _, id := range it.free {
				m[id.Name] = true
			}
		}
	}
	for again := true; again; {
		again = false
		for _, it := range c.src.items {
			if it.isDecl() || !slices.ContainsFunc(it.defines, func(n string) bool { return m[n] }) {
				continue
			}
			for _, id := range it.free {
				if !m[id.Name] {
					m[id.Name], again = true, true
				}
			}
		}
	}
	return m
}

// lift declares the variables of a definition apart from giving them their values, so that functions can use them.
func (c *Cell) lift(it *item, list []ast.Stmt) ([]ast.Stmt, error) {
	ch := it.chunk
	a, isAssign := list[0].(*ast.AssignStmt)
	if isAssign {
		off := strings.Index(ch.text, ":=")
		ch.text, ch.tok = "var "+ch.text[:off]+"="+ch.text[off+2:], token.VAR
		ch.col = max(1, ch.col-4)
	}
	decl, err := c.parse(ch, it.cell)
	if err != nil {
		return nil, err
	}
	c.decls = append(c.decls, decl)
	if isAssign {
		a.Tok = token.ASSIGN
		c.lifted(a.Lhs)
		return list, nil
	}
	var out []ast.Stmt
	for _, sp := range list[0].(*ast.DeclStmt).Decl.(*ast.GenDecl).Specs {
		vs := sp.(*ast.ValueSpec)
		if len(vs.Values) == 0 {
			continue
		}
		as := &ast.AssignStmt{Tok: token.ASSIGN, TokPos: vs.Pos(), Rhs: vs.Values}
		for _, n := range vs.Names {
			as.Lhs = append(as.Lhs, n)
		}
		c.lifted(as.Lhs)
		out = append(out, as)
	}
	return out, nil
}

func (c *Cell) lifted(lhs []ast.Expr) {
	for _, x := range lhs {
		if id, ok := x.(*ast.Ident); ok {
			c.u.lifted[id] = true
		}
	}
}

// liftedVar reports whether statements give v its value.
func (c *Cell) liftedVar(v *types.Var) bool {
	for id := range c.u.lifted {
		if c.u.info.Uses[id] == v {
			return true
		}
	}
	return false
}

// outdated notes the earlier definition in which the checker found an error, which is then left out.
func (c *Cell) outdated(e types.Error) bool {
	p := c.u.fset.Position(e.Pos)
	if n, err := strconv.Atoi(p.Filename); err != nil || n == c.u.cell {
		return false
	}
	for _, it := range c.decls {
		if it.cell == c.u.cell || e.Pos < it.node.(*ast.File).Pos() || e.Pos > it.node.(*ast.File).End() {
			continue
		}
		names := it.defines
		if t, _ := it.receiver(); t != "" {
			names = []string{t}
		}
		for _, n := range names {
			c.rev.stale[n] = n + " of cell " + p.Filename + " does not fit any more, in line " + strconv.Itoa(p.Line) + ": " + strings.ReplaceAll(e.Msg, "ᐧ", "")
		}
		c.rev.more = true
		return true
	}
	return false
}

// retyped looks for variables that get another type and are used in earlier definitions.
func (c *Cell) retyped() error {
	for id, obj := range c.u.info.Defs {
		v, ok := obj.(*types.Var)
		if !ok || v.Parent() != c.pkg.Scope() && !c.isTop(id.Pos()) || c.rev.changed[v.Name()] {
			continue
		}
		old := c.s.names[v.Name()]
		if old == nil {
			continue
		}
		if o, ok := old.(*types.Var); ok && types.Identical(o.Type(), v.Type()) {
			continue
		}
		for _, d := range c.s.decls {
			if d.uses(map[string]bool{v.Name(): true}) {
				c.rev.changed[v.Name()], c.rev.more = true, true
			}
		}
	}
	return nil
}

// remember keeps what the cell declares as it was written.
func (c *Cell) remember() {
	s := c.s
	for n, why := range c.rev.stale {
		s.stale[n] = why
		delete(s.names, n)
		delete(s.decls, n)
	}
	for _, it := range c.decls {
		d := &declared{chunk: it.chunk, cell: it.cell, defines: it.defines}
		for _, id := range it.free {
			d.free = append(d.free, strings.TrimPrefix(id.Name, "ᐧ"))
		}
		if it.method != nil {
			t := it.method.Signature().Recv().Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			old := s.decls[t.(*types.Named).Obj().Name()]
			d.sig = old.methods[it.method.Name()].sig
			old.methods[it.method.Name()] = d
			continue
		}
		t, fn := it.receiver()
		if t != "" {
			continue
		}
		if fn, _ = it.node.(*ast.File).Decls[0].(*ast.FuncDecl); fn != nil {
			d.sig = signature(fn)
		}
		if !it.isDecl() {
			for _, n := range it.defines {
				delete(s.decls, n)
			}
			continue
		}
		for _, n := range it.defines {
			s.decls[n] = d
			delete(s.stale, n)
		}
	}
	for _, it := range c.decls {
		if t, fn := it.receiver(); t != "" && it.method == nil && s.decls[t] != nil {
			d := &declared{chunk: it.chunk, cell: it.cell, sig: signature(fn) + recvText(fn)}
			for _, id := range it.free {
				d.free = append(d.free, strings.TrimPrefix(id.Name, "ᐧ"))
			}
			if s.decls[t].methods == nil {
				s.decls[t].methods = map[string]*declared{}
			}
			s.decls[t].methods[fn.Name.Name] = d
		}
	}
	for _, id := range c.tops() {
		delete(s.decls, id.Name)
		delete(s.stale, id.Name)
	}
}
