package live

import (
	"fmt"
	"go/ast"
	"go/doc"
	"path"
	"slices"
	"strconv"

	"github.com/traefik/yaegi/interp"
)

// Names that the session adds to cells. No code can contain them.
const (
	showName  = "·show"
	gaveName  = "·gave"
	checkName = "·check"
	goName    = "·go"
	keepName  = "·keep"
	enterName = "·enter"
	leaveName = "·leave"
	mustName  = "must"
)

// names says what the names at the top level of cells mean.
type names struct {
	own     map[string]bool   // what cells defined
	methods map[string]bool   // "T·1.Name" of methods declared apart from their types
	types   map[string]int    // types that cells defined, and how often
	renamed map[string]string // a name in a cell → what the interpreter calls it
	known   map[string]string // name of a package that can be imported unasked → path
	paths   map[string]bool   // what can be imported
	have    map[string]string // path → name under which the interpreter has it
	alias   map[string]string // what a cell calls a package → path
	facade  map[string]bool   // what is there without a package's name
}

// have of one path under one name is for good: the interpreter does not forget an import. Cells may call a package
// what they like; the name is changed in their code.

// resolve makes sure of every free name of it: a package is imported, a renamed type put in, and the error names
// the first one that means nothing. defined are names of the whole cell.
func (s *Session) resolve(it *item, defined map[string]bool) error {
	n := &s.names
	for _, id := range it.free {
		switch name := id.Name; {
		case n.own[name] || defined[name]:
		case it.pkgs[id] && n.packageOf(name) != "":
			use, err := s.use(n.packageOf(name), name)
			if err != nil {
				return err
			}
			id.Name = use
		case n.facade[name] || doc.IsPredeclared(name) || name == mustName || name == "_":
		default:
			hint := ""
			if n.packageOf(name) != "" {
				hint = " (a package is used as " + name + ".Name)"
			}
			return &Error{Name: "compile error", Message: "undefined: " + name + hint, line: s.fset().Position(id.Pos()).Line}
		}
	}
	return nil
}

// packageOf returns the path of the package that cells call name, "" for none.
func (n *names) packageOf(name string) string {
	if p := n.alias[name]; p != "" {
		return p
	}
	return n.known[name]
}

// use imports a package, unless that was done, and returns what the interpreter calls it.
func (s *Session) use(p, name string) (string, error) {
	n := &s.names
	if have, ok := n.have[p]; ok {
		return have, nil
	}
	for _, taken := range n.have {
		if taken == name {
			name += "·" + strconv.Itoa(len(n.have))
			break
		}
	}
	f := &ast.File{Name: ast.NewIdent("main"), Decls: []ast.Decl{&ast.GenDecl{Tok: importTok, Specs: []ast.Spec{
		&ast.ImportSpec{Name: ast.NewIdent(name), Path: &ast.BasicLit{Kind: stringTok, Value: strconv.Quote(p)}}}}}}
	f.Package = s.anchor
	if _, err := s.compile(f); err != nil {
		return "", err
	}
	n.have[p] = name
	return name, nil
}

// imported takes note of an import declaration.
func (s *Session) imported(it *item) error {
	n := &s.names
	for _, spec := range it.imports {
		spec := spec.(*ast.ImportSpec)
		p, err := strconv.Unquote(spec.Path.Value)
		line := s.fset().Position(spec.Pos()).Line
		if err != nil || !n.paths[p] {
			return &Error{Name: "compile error", line: line, Message: fmt.Sprintf(
				"import %s: live cells know some packages only; use a compiled cell for others", spec.Path.Value)}
		}
		name := s.pkgName[p]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		switch name {
		case "_":
		case ".":
			if p != labPath {
				return &Error{Name: "compile error", line: line, Message: "import . is only for " + labPath + ", and done already"}
			}
		default:
			n.alias[name] = p
			delete(n.own, name) // the package hides a variable of that name from now on
		}
	}
	return nil
}

// define takes note of what it defines, and gives a type that was there before a name of its own.
func (s *Session) define(it *item) {
	n := &s.names
	for _, name := range it.defines {
		if name == "_" || name == "init" {
			continue
		}
		n.own[name] = true
		delete(n.alias, name)
	}
}

// methods refuses a method that its type has already: the interpreter would go on calling the first.
func (s *Session) methods(it *item) error {
	f, ok := it.node.(*ast.File)
	if !ok {
		return nil
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || len(fn.Recv.List) != 1 {
			continue
		}
		t := fn.Recv.List[0].Type
		if p, ok := t.(*ast.StarExpr); ok {
			t = p.X
		}
		id, ok := t.(*ast.Ident)
		if !ok {
			continue
		}
		version := s.names.types[id.Name]
		if slices.Contains(it.defines, id.Name) { // declared in the same breath
			version++
		}
		key := id.Name + "·" + strconv.Itoa(version) + "." + fn.Name.Name
		if s.names.methods[key] {
			return &Error{Name: "compile error", line: s.fset().Position(fn.Pos()).Line, Message: fmt.Sprintf(
				"%s has a method %s already: declare the type again in one cell with all its methods", id.Name, fn.Name.Name)}
		}
		s.names.methods[key] = true
	}
	return nil
}

// retype gives the types that it declares, if there were others of the name, names of their own.
func (s *Session) retype(it *item) {
	f, ok := it.node.(*ast.File)
	if !ok {
		return
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			t, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			s.names.types[t.Name.Name]++
			if k := s.names.types[t.Name.Name]; k > 1 {
				name := t.Name.Name + "·" + strconv.Itoa(k)
				s.names.renamed[t.Name.Name] = name
				obj := t.Name.Obj
				ast.Inspect(f, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && id.Obj == obj && obj != nil {
						id.Name = name
					}
					return true
				})
			}
		}
	}
}

// rename puts in what the interpreter calls renamed types.
func (s *Session) rename(it *item) {
	for _, id := range it.free {
		if to := s.names.renamed[id.Name]; to != "" && s.names.types[id.Name] > 1 {
			id.Name = to
		}
	}
}

// base name of the files that positions name: the same for all cells, since imports hold by file.
const base = "cell.go"

func newNames(tables interp.Exports) names {
	n := names{own: map[string]bool{}, methods: map[string]bool{}, types: map[string]int{}, renamed: map[string]string{}, known: map[string]string{},
		paths: map[string]bool{}, have: map[string]string{}, alias: map[string]string{}, facade: map[string]bool{}}
	keys := []string{"cmp/cmp", "maps/maps", "slices/slices"} // the interpreter brings their source
	for k := range tables {
		keys = append(keys, k)
	}
	slices.Sort(keys) // math/rand/v2 after math/rand, and so its rand
	for _, k := range keys {
		if k == "." {
			continue
		}
		p, name := path.Dir(k), path.Base(k)
		n.known[name] = p
		n.paths[p] = true
	}
	return n
}
