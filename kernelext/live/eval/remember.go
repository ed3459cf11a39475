package eval

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

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
		if t, fn := it.receiver(); t != "" && c.declares(t) {
			names = []string{t + "." + fn.Name.Name}
		} else if t != "" || it.method != nil {
			names = []string{t + it.of}
		}
		for _, n := range names {
			if c.kept[n] != nil {
				c.rev.unfit[n] = true
				continue
			}
			c.rev.stale[n] = n + " of cell " + p.Filename + " does not fit any more, in line " + strconv.Itoa(p.Line) + ": " +
				c.failure(e).Error()
		}
		c.rev.more = true
		return true
	}
	return false
}

// declares reports whether the cell itself declares a name.
func (c *Cell) declares(name string) bool {
	return slices.ContainsFunc(c.decls, func(it *item) bool {
		return it.cell == c.u.cell && slices.Contains(it.defines, name)
	})
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
			if d.uses(map[string]bool{v.Name(): true}, true) {
				c.rev.changed[v.Name()], c.rev.more = true, true
			}
		}
	}
	return nil
}

// remember keeps what the cell declares as it was written.
func (c *Cell) remember() {
	s := c.s
	for n, why := range c.lost {
		s.stale[n] = why
		delete(s.names, n)
	}
	for n, why := range c.rev.stale {
		s.stale[n] = why
		delete(s.names, n)
		delete(s.decls, n)
	}
	for _, it := range c.same {
		for _, n := range it.defines {
			s.decls[n].chunk, s.decls[n].cell = it.chunk, it.cell
		}
	}
	for _, it := range c.decls {
		d := it.declared()
		if it.method != nil {
			old := s.decls[it.of]
			d.sig = old.methods[it.of+"."+it.method.Name()].sig
			old.methods[it.of+"."+it.method.Name()] = d
			continue
		}
		if t, _ := it.receiver(); t != "" {
			continue
		}
		if fn, _ := it.node.(*ast.File).Decls[0].(*ast.FuncDecl); fn != nil {
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
			d := it.declared()
			d.sig = signature(fn) + recvText(fn)
			if s.decls[t].methods == nil {
				s.decls[t].methods = map[string]*declared{}
			}
			s.decls[t].methods[t+"."+fn.Name.Name] = d
			delete(s.stale, t+"."+fn.Name.Name)
		}
	}
	for _, id := range c.tops() {
		delete(s.decls, id.Name)
		delete(s.stale, id.Name)
	}
}

// declared returns what is to be kept of an item.
func (it *item) declared() *declared {
	d := &declared{chunk: it.chunk, cell: it.cell, defines: it.defines, paths: it.paths}
	fn, _ := it.node.(*ast.File).Decls[0].(*ast.FuncDecl)
	for _, id := range it.free {
		name := strings.TrimLeft(id.Name, "ᐧ")
		d.free = append(d.free, name)
		if fn != nil && id.Pos() < fn.Type.End() {
			d.head = append(d.head, name)
		}
	}
	if len(it.defines) > 1 { // names of the declaration itself
		ast.Inspect(it.node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Obj != nil && id.Obj.Pos() != id.Pos() && slices.Contains(it.defines,
				id.Name) {
				d.free = append(d.free, id.Name)
			}
			return true
		})
	}
	return d
}
