package eval

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// declared is a function, type, constant or group of constants of an earlier cell, as it was written.
type declared struct {
	chunk   chunk
	cell    int
	defines []string
	free    []string
	head    []string             // those of free in a method's signature
	sig     string               // of a function
	methods map[string]*declared // of types, by Type.Method
	paths   map[string]string    // what the cell called packages of which there are several of that name
}

// revision is what a cell changes beyond its own definitions: what uses names that it changes is checked once more
// with them.
type revision struct {
	changed map[string]bool   // names that mean something else than before
	stale   map[string]string // definitions that do not fit any more, and why
	unfit   map[string]bool   // variables that cannot get the new types of their values
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
			c.replaces = c.replaces || c.s.names[n] != nil
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
	if err := c.takeMethods(own); err != nil {
		return err
	}
	if err := c.methods(own, changed); err != nil {
		return err
	}
	pulled := map[*declared]bool{}
	for again := true; again; {
		var err error
		if again, err = c.lose(own, changed); err != nil {
			return err
		}
		for _, n := range slices.Sorted(maps.Keys(c.s.decls)) {
			d := c.s.decls[n]
			if own[n] || pulled[d] || c.rev.stale[n] != "" || !d.uses(changed, c.generic(n)) {
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
	for _, it := range c.src.items { // the type is another now, too
		if pulled[c.s.decls[it.of]] && !c.rev.changed[it.of] {
			c.rev.changed[it.of], c.rev.more = true, true
		}
	}
	for _, n := range slices.Sorted(maps.Keys(c.s.decls)) {
		if d := c.s.decls[n]; !own[n] && !pulled[d] && c.rev.stale[n] == "" {
			if err := c.bodies(n, d, changed); err != nil {
				return err
			}
		}
	}
	return nil
}

// uses reports whether a definition uses one of the names, a type also in its methods: in their bodies, too, or in
// their signatures alone.
func (d *declared) uses(names map[string]bool, bodies bool) bool {
	is := func(n string) bool { return names[n] }
	if slices.ContainsFunc(d.free, is) {
		return true
	}
	for _, m := range d.methods {
		if slices.ContainsFunc(m.head, is) || bodies && slices.ContainsFunc(m.free, is) {
			return true
		}
	}
	return false
}

// generic reports whether a name is a type with type parameters, whose methods cannot get new bodies.
func (c *Cell) generic(name string) bool {
	t, ok := c.s.names[name].(*types.TypeName)
	if !ok {
		return false
	}
	n, ok := types.Unalias(t.Type()).(*types.Named)
	return ok && n.TypeParams().Len() > 0
}

// bodies checks once more the methods of a type that stays as it is whose bodies use names that mean something else.
func (c *Cell) bodies(name string, d *declared, changed map[string]bool) error {
	for _, n := range slices.Sorted(maps.Keys(d.methods)) {
		m := d.methods[n]
		given := func(it *item) bool { return it.method != nil && n == it.of+"."+it.method.Name() }
		if !strings.HasPrefix(n, name+".") || !m.uses(changed, false) || slices.ContainsFunc(c.src.items, given) {
			continue
		}
		if err := c.pull(m); err != nil {
			return err
		}
		it := c.src.items[0]
		_, fn := it.receiver()
		c.asFunction(it, fn, c.s.names[name].Type().(*types.Named))
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

// unchanged drops types that stand in the cell as they are known already: values of them stay what they are.
func (c *Cell) unchanged() {
	c.src.items = slices.DeleteFunc(c.src.items, func(it *item) (same bool) {
		defer func() {
			if same {
				c.same = append(c.same, it)
			}
		}()
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
			if (d == nil || d.chunk.text != other.chunk.text) && slices.ContainsFunc(it.free,
				func(id *ast.Ident) bool { return id.Name == n }) {
				return true
			}
		}
	}
	return slices.ContainsFunc(it.free, func(id *ast.Ident) bool { return c.rev.changed[id.Name] })
}
