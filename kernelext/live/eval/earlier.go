package eval

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// pull adds an earlier definition with its methods. Names of it that are defined elsewhere by now are left out.
func (c *Cell) pull(d *declared) error {
	here := map[string]bool{}
	for _, it := range c.src.items {
		for _, n := range it.defines {
			here[n] = true
		}
	}
	it, err := c.parse(d.chunk, d.cell)
	if err != nil {
		return err
	}
	it.paths = d.paths
	if len(it.defines) > 1 {
		it.without(func(n string) bool { return here[n] || c.s.decls[n] != d })
	}
	list := []*item{it}
	given := c.givenMethods()
	for _, n := range slices.Sorted(maps.Keys(d.methods)) {
		t, _, _ := strings.Cut(n, ".")
		if given[n] || !slices.Contains(it.defines, t) {
			continue
		}
		m := d.methods[n]
		it, err := c.parse(m.chunk, m.cell)
		if err != nil {
			return err
		}
		it.paths = m.paths
		list = append(list, it)
	}
	slices.Reverse(list)
	c.src.items = slices.Concat(list, c.src.items)
	return nil
}

// without makes names of a declaration blank.
func (it *item) without(gone func(string) bool) {
	it.defines = slices.DeleteFunc(it.defines, gone)
	ast.Inspect(it.node, func(n ast.Node) bool {
		var names []*ast.Ident
		switch n := n.(type) {
		case *ast.TypeSpec:
			names = []*ast.Ident{n.Name}
		case *ast.ValueSpec:
			names = n.Names
		case *ast.FuncLit:
			return false
		}
		for _, id := range names {
			if gone(id.Name) {
				id.Name = "_"
			}
		}
		return true
	})
}

// takeMethods adds to types that the cell declares anew the methods that other cells gave them.
func (c *Cell) takeMethods(own map[string]bool) error {
	given := c.givenMethods()
	for _, t := range slices.Sorted(maps.Keys(own)) {
		d := c.s.decls[t]
		if d == nil {
			continue
		}
		for _, n := range slices.Sorted(maps.Keys(d.methods)) {
			m := d.methods[n]
			if m.cell == d.cell || given[n] || c.rev.stale[n] != "" || !strings.HasPrefix(n, t+".") {
				continue
			}
			if err := c.pull(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// givenMethods returns the methods that the cell has, as Type.Method.
func (c *Cell) givenMethods() map[string]bool {
	given := map[string]bool{}
	for _, it := range c.src.items {
		if t, fn := it.receiver(); t != "" {
			given[t+"."+fn.Name.Name] = true
		}
	}
	return given
}
