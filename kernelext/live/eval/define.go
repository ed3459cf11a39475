package eval

import (
	"go/ast"
	"go/types"
)

// define makes the names of the cell known: functions and types at once, variables when they get their values.
func (c *Cell) define() {
	s := c.s
	for _, it := range c.decls {
		switch d := it.node.(*ast.File).Decls[0].(type) {
		case *ast.FuncDecl:
			c.defineFunc(it, d)
		case *ast.GenDecl:
			for id, obj := range c.u.info.Defs {
				if obj != nil && obj.Parent() == c.pkg.Scope() && d.Pos() <= id.Pos() && id.Pos() < d.End() && id.Name != "_" {
					if v, ok := obj.(*types.Var); ok {
						c.top(v)
					} else {
						s.names[id.Name] = obj
					}
				}
			}
		}
	}
	for _, id := range c.tops() {
		if v, ok := c.u.info.Defs[id].(*types.Var); ok {
			c.top(v)
		}
	}
	c.remember()
	s.register(c)
}

// defineFunc makes a function or method known. A function with the signature of an earlier one takes its place for all
// that call it.
func (c *Cell) defineFunc(it *item, d *ast.FuncDecl) {
	s := c.s
	fn, ok := c.u.info.Defs[d.Name].(*types.Func)
	if !ok || d.Body == nil {
		return
	}
	src := &source{decl: d, sig: fn.Signature(), name: fn.Name(), u: c.u}
	if it.method != nil {
		src.name = it.method.Name()
		s.funcs.get(it.method.Origin()).replace(src)
		return
	}
	if old, ok := s.names[fn.Name()].(*types.Func); ok && d.Recv == nil && s.funcs.get(old) != nil &&
		types.Identical(old.Type(), fn.Type()) {
		s.funcs.get(old).replace(src)
		c.u.alias[fn] = s.funcs.get(old)
		return
	}
	s.funcs.put(fn, src)
	if d.Recv == nil && d.Name.Name != "_" && it.entry == nil {
		s.names[fn.Name()] = fn
	}
}

// top makes v a variable of the session: the one that has its name, if it is of the same type.
func (c *Cell) top(v *types.Var) {
	s := c.s
	if c.resume(v) {
		return
	}
	if old, ok := s.names[v.Name()].(*types.Var); ok && s.globals.get(old) != nil && types.Identical(old.Type(),
		v.Type()) {
		c.u.tops[v] = s.globals.get(old)
		c.u.tops[v].cell = c.u.cell
		return
	}
	rt := s.types.rt(v.Type())
	g := &global{rt: rt, p: zeroOf(rt), cell: c.u.cell}
	g.defined = func(obj types.Object) {
		if have := s.names[v.Name()]; have != v {
			s.names[v.Name()] = v
			s.globals.put(v, g)
		}
	}
	c.u.tops[v] = g
}

// register makes variables without a value of their own known.
func (s *Session) register(c *Cell) {
	for v, g := range c.u.tops {
		if v.Parent() == c.pkg.Scope() {
			if g.defined != nil {
				g.defined(v)
			}
		}
	}
}
