package eval

import (
	"go/ast"
	"go/types"
	"maps"
	"reflect"
	"slices"
)

// Names returns what cells have defined, in order.
func (s *Session) Names() []string { return slices.Sorted(maps.Keys(s.names)) }

// Object returns what a name of cells stands for, nil if nothing.
func (s *Session) Object(name string) types.Object { return s.names[name] }

// Value returns the variable of that name, invalid if there is none. It is the variable itself, not a copy.
func (s *Session) Value(name string) reflect.Value {
	v, ok := s.names[name].(*types.Var)
	if !ok || s.globals.get(v) == nil {
		return reflect.Value{}
	}
	g := s.globals.get(v)
	return reflect.NewAt(g.rt, g.p).Elem()
}

// TypeOf returns the type of the expression with which code ends, nil if it has none. Nothing runs and no name changes.
func (s *Session) TypeOf(code string) types.Type {
	defer s.keep()()
	c, err := s.Check(0, code)
	if err != nil || len(c.body) == 0 {
		return nil
	}
	x, ok := c.body[len(c.body)-1].(*ast.ExprStmt)
	if !ok {
		return nil
	}
	if call, ok := x.X.(*ast.CallExpr); ok {
		if id, ok := call.Fun.(*ast.Ident); ok && id.Name == useName {
			return c.u.info.TypeOf(call.Args[0])
		}
	}
	return c.u.info.TypeOf(x.X)
}

// Members calls yield with the fields and methods of a type that cells can name.
func Members(t types.Type, yield func(types.Object)) {
	seen := map[string]bool{}
	add := func(o types.Object) {
		if !seen[o.Name()] && (o.Exported() || o.Pkg() != nil && o.Pkg().Path() == "main") {
			seen[o.Name()] = true
			yield(o)
		}
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	set := types.NewMethodSet(t)
	if !types.IsInterface(t) {
		set = types.NewMethodSet(types.NewPointer(t))
	}
	for m := range set.Methods() {
		add(m.Obj())
	}
	for list := []types.Type{t}; len(list) > 0; list = list[1:] {
		u := list[0]
		if p, ok := u.Underlying().(*types.Pointer); ok {
			u = p.Elem()
		}
		st, ok := u.Underlying().(*types.Struct)
		if !ok || len(list) > 100 {
			continue
		}
		for f := range st.Fields() {
			if add(f); f.Embedded() {
				list = append(list, f.Type())
			}
		}
	}
}

// TypeString writes a type as cells do.
func TypeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		return p.Name()
	})
}

// Packages returns the names of packages that cells can use, in order.
func (s *Session) Packages() []string {
	return slices.Sorted(func(yield func(string) bool) {
		for n := range s.known {
			if !yield(n) {
				return
			}
		}
		for n := range s.alias {
			if s.known[n] == nil && !yield(n) {
				return
			}
		}
	})
}

// Package returns the package that cells call name, nil if there is none.
func (s *Session) Package(name string) *types.Package {
	p := s.packageOf(name)
	if p == "" {
		return nil
	}
	pkg, err := s.Import(p)
	if err != nil {
		return nil
	}
	return pkg
}

// Bare returns the names that need no package, in order.
func (s *Session) Bare() []string {
	if s.dot == nil {
		return nil
	}
	return s.dot.Scope().Names()
}

// BareObject returns what a name that needs no package stands for.
func (s *Session) BareObject(name string) types.Object { return s.dot.Scope().Lookup(name) }

// LastLine returns the line at which the last statement of the cell starts, 1 if there is none.
func (c *Cell) LastLine() int {
	if n := len(c.body); n > 0 {
		return c.u.fset.Position(c.body[n-1].Pos()).Line
	}
	return 1
}

// FromCall reports whether the last statement is a call: the nil of a function is not worth showing.
func (c *Cell) FromCall() bool {
	n := len(c.body)
	if n == 0 {
		return false
	}
	x, ok := c.body[n-1].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fun.(*ast.Ident)
	return !ok || id.Name != useName
}
