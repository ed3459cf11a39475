package eval

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"unsafe"
)

// std holds, as code of cells, the generic functions of Go's packages: compiled code has no way to offer these.
//
//go:embed std
var std embed.FS

// sources says which packages are code of cells as a whole (those of sourcePaths) and which have additions.
func sources() map[string]string {
	return map[string]string{"cmp": "cmp", "iter": "iter", "maps": "maps", "slices": "slices", "sync": "sync",
		"math/rand/v2": "rand",
		"errors":       "errors", "reflect": "reflect", "sync/atomic": "atomic", "unique": "unique", sessionPath: "session"}
}

const sessionPath = "ddps/session"

func sourcePaths() []string { return []string{"cmp", "iter", "maps", "slices", "unique"} }

func pointerTo() reflect.Type { return reflect.TypeFor[*[]any]() }

func zeroOf(t reflect.Type) unsafe.Pointer { return reflect.New(t).UnsafePointer() }

// sourcePackage returns a package that is, wholly or in part, code of cells; nil for others.
func (s *Session) sourcePackage(p string) *types.Package {
	file, ok := sources()[p]
	if !ok {
		return nil
	}
	if pkg := s.sourced[p]; pkg != nil {
		return pkg
	}
	pkg := s.natives.load(p)
	if pkg == nil {
		pkg = s.natives.pkg(p)
	}
	s.sourced[p] = pkg
	text, err := std.ReadFile("std/" + file + ".go.txt")
	if err != nil {
		panic(err) // embedded
	}
	switch p {
	case "iter":
		s.offer(pkg, "pull", s.pull)
	case "unique":
		s.offer(pkg, "intern", s.intern)
	}
	u := &unit{fset: token.NewFileSet(), pkg: pkg, esc: map[types.Object]bool{}, std: true}
	f, err := parser.ParseFile(u.fset, file+".go", text, parser.SkipObjectResolution)
	if err != nil {
		panic(err)
	}
	u.info = newInfo()
	conf := types.Config{Importer: s}
	if err := types.NewChecker(&conf, u.fset, pkg, u.info).Files([]*ast.File{f}); err != nil {
		panic(err)
	}
	escapes(f, u.info, u.esc)
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			fn := u.info.Defs[fd.Name].(*types.Func)
			s.funcs.put(fn, &source{decl: fd, sig: fn.Signature(), name: file + "." + fn.Name(), u: u})
		}
	}
	return pkg
}

func newInfo() *types.Info {
	return &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses:      map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}}
}

// sequence returns iter.Seq or iter.Seq2 of the types given.
func (s *Session) sequence(name string, args []types.Type) types.Type {
	t, err := types.Instantiate(nil, s.sourcePackage("iter").Scope().Lookup(name).Type(), args, false)
	if err != nil {
		return nil
	}
	return t
}

// prelude puts what the session offers without a package's name into a cell's scope.
func (s *Session) prelude(scope *types.Scope) {
	pkg := s.natives.pkg(sessionPath)
	if pkg.Scope().Lookup("raise") == nil { // what must calls
		errorType := types.Universe.Lookup("error").Type()
		raise := types.NewFunc(0, pkg, "raise", types.NewSignatureType(nil, nil, nil,
			types.NewTuple(types.NewParam(0, nil, "", errorType)), nil, false))
		pkg.Scope().Insert(raise)
		s.values.put(raise, reflect.ValueOf(func(err error) {
			if err != nil {
				panic(&MustError{err})
			}
		}))
		use := types.NewSignatureType(nil, nil, nil,
			types.NewTuple(types.NewParam(0, nil, "", types.NewSlice(types.NewInterfaceType(nil, nil)))), nil, true)
		pkg.Scope().Insert(types.NewFunc(0, pkg, useName, use))
	}
	from := s.sourcePackage(sessionPath).Scope()
	for _, name := range from.Names() {
		if (strings.HasPrefix(name, mustName) || name == useName) && scope.Lookup(name) == nil {
			scope.Insert(from.Lookup(name))
		}
	}
}

// MustError is what must panics with.
type MustError struct{ Err error }

// Error returns the error's message.
func (m *MustError) Error() string { return m.Err.Error() }

// Unwrap returns the error.
func (m *MustError) Unwrap() error { return m.Err }
