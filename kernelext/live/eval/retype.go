package eval

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// lose finds the variables whose types are declared anew with more methods. Their memory is that of the new types,
// unless interfaces or functions in it may have to do with the old ones: such variables are lost.
func (c *Cell) lose(own, changed map[string]bool) (more bool, err error) {
	if len(c.given) == 0 {
		return false, nil
	}
	for _, n := range slices.Sorted(maps.Keys(c.s.names)) {
		v, ok := c.s.names[n].(*types.Var)
		g := c.s.globals.get(v)
		if !ok || g == nil || c.lost[n] != "" || c.kept[n] != nil {
			continue
		}
		uses := madeOf(v.Type(), changed)
		found, unsure := c.s.holds(g, changed)
		switch {
		case !uses && !found:
			continue
		case uses && !found && !unsure && !own[n] && !c.rev.unfit[n] && c.canWrite(v.Type()):
			if err := c.keep(v, g); err != nil {
				return false, err
			}
		default:
			c.lost[n] = strings.Join(c.given, ", ") + " was given a method in cell " + strconv.Itoa(c.u.cell) +
				": values made before have the type without it; run cell " + strconv.Itoa(g.cell) + " again"
		}
		changed[n], more = true, true
	}
	return more, nil
}

// eachNamed calls f with the defined types of which t is made; deep: also with those of which they are.
func eachNamed(t types.Type, deep bool, seen map[types.Type]bool, f func(*types.Named)) {
	each := func(t types.Type) { eachNamed(t, deep, seen, f) }
	if t = types.Unalias(t); seen[t] {
		return
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		f(t)
		for a := range t.TypeArgs().Types() {
			each(a)
		}
		if deep && t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "main" {
			each(t.Underlying())
		}
	case *types.Map:
		each(t.Key())
		each(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			each(v.Type())
		}
	case *types.Signature:
		each(t.Params())
		each(t.Results())
	case *types.Struct:
		for v := range t.Fields() {
			each(v.Type())
		}
	case *types.Interface:
		for m := range t.Methods() {
			each(m.Signature())
		}
	case interface{ Elem() types.Type }:
		each(t.Elem())
	}
}

// madeOf reports whether a type is made of types of cells with these names.
func madeOf(t types.Type, names map[string]bool) (yes bool) {
	eachNamed(t, false, map[types.Type]bool{}, func(n *types.Named) {
		pkg := n.Obj().Pkg()
		yes = yes || pkg != nil && pkg.Path() == "main" && names[n.Obj().Name()]
	})
	return yes
}

// canWrite reports whether cells can write a type, with the names of now.
func (c *Cell) canWrite(t types.Type) bool {
	yes := true
	eachNamed(t, false, map[types.Type]bool{}, func(n *types.Named) {
		obj := n.Obj()
		yes = yes && (obj.Pkg() == nil || c.s.names[obj.Name()] == obj || obj.Pkg() != c.s.pkg && obj.Exported())
	})
	return yes
}

// keep declares a variable anew, with the type that its text now means.
func (c *Cell) keep(v *types.Var, g *global) error {
	paths := map[string]string{}
	text := types.TypeString(v.Type(), func(p *types.Package) string {
		if p == c.s.pkg {
			return ""
		}
		paths[p.Name()] = p.Path()
		return p.Name()
	})
	it, err := c.parse(chunk{text: "var " + v.Name() + " " + text, line: 1, col: 1, tok: token.VAR}, g.cell)
	if err != nil {
		return err
	}
	it.paths = paths
	c.kept[v.Name()] = g
	c.src.items = slices.Insert(c.src.items, 0, it)
	return nil
}

// misfits looks for kept variables whose new types have another layout: what they are made of has changed, too.
func (c *Cell) misfits() {
	for n := range c.kept {
		if now := c.pkg.Scope().Lookup(n); now == nil || described(now.Type()) != described(c.s.names[n].Type()) {
			c.rev.unfit[n], c.rev.more = true, true
		}
	}
}

// described writes a type with all types of cells of which it is made.
func described(t types.Type) string {
	var b strings.Builder
	b.WriteString(types.TypeString(t, nil))
	eachNamed(t, true, map[types.Type]bool{}, func(n *types.Named) {
		b.WriteString("; " + n.String() + " " + types.TypeString(n.Underlying(), nil))
	})
	return b.String()
}

// resume makes v, declared anew, the variable that it was.
func (c *Cell) resume(v *types.Var) (done bool) {
	g := c.kept[v.Name()]
	if g == nil || v.Parent() != c.pkg.Scope() {
		return false
	}
	g.rt, g.defined = c.s.types.rt(v.Type()), func(types.Object) {}
	c.s.names[v.Name()] = v
	c.s.globals.put(v, g)
	c.u.tops[v] = g
	return true
}
