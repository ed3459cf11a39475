package eval

import (
	"go/token"
	"go/types"
	"reflect"
)

// finish gives defined types their underlying types and methods.
func (n *natives) finish() {
	var made []reflect.Type
	sealed := len(n.sealed)
	for len(n.todo) > 0 {
		t := n.todo[len(n.todo)-1]
		n.todo = n.todo[:len(n.todo)-1]
		named := n.types[t].(*types.Named)
		named.SetUnderlying(n.literal(t))
		if t.Kind() == reflect.Interface {
			n.seal(t)
			continue
		}
		n.methods(named, t, named, map[string]bool{})
		made = append(made, t)
	}
	for _, i := range n.sealed[sealed:] {
		for _, t := range n.own[i.PkgPath()] {
			n.hidden(t, i)
		}
	}
	for _, t := range made {
		n.own[t.PkgPath()] = append(n.own[t.PkgPath()], t)
		for _, i := range n.sealed {
			if i.PkgPath() == t.PkgPath() {
				n.hidden(t, i)
			}
		}
	}
}

// seal notes an interface that only its own package's types can satisfy.
func (n *natives) seal(t reflect.Type) {
	for i := range t.NumMethod() {
		if t.Method(i).PkgPath != "" {
			n.sealed = append(n.sealed, t)
			return
		}
	}
}

// hidden gives a type the methods that it has for an interface and that package reflect does not show.
func (n *natives) hidden(t, iface reflect.Type) {
	named := n.types[t].(*types.Named)
	var recv types.Type = named
	if !t.Implements(iface) {
		if recv = types.NewPointer(named); !reflect.PointerTo(t).Implements(iface) {
			return
		}
	}
	for i := range iface.NumMethod() {
		if m := iface.Method(i); m.PkgPath != "" {
			v := types.NewParam(token.NoPos, nil, "", recv)
			named.AddMethod(types.NewFunc(token.NoPos, named.Obj().Pkg(), m.Name, n.signature(m.Type, v, 0)))
		}
	}
}

// methods adds the methods of t, then those of its pointer.
func (n *natives) methods(named *types.Named, t reflect.Type, recv types.Type, have map[string]bool) {
	for i := range t.NumMethod() {
		if m := t.Method(i); !have[m.Name] {
			have[m.Name] = true
			v := types.NewParam(token.NoPos, nil, "", recv)
			named.AddMethod(types.NewFunc(token.NoPos, named.Obj().Pkg(), m.Name, n.signature(m.Type, v, 1)))
		}
	}
	if t.Kind() != reflect.Pointer && recv == types.Type(named) {
		n.methods(named, reflect.PointerTo(t), types.NewPointer(named), have)
	}
}
