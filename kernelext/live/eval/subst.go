package eval

import "go/types"

// subst maps type parameters to their arguments.
type subst map[*types.TypeParam]types.Type

// typ returns t with arguments for parameters.
func (s subst) typ(t types.Type) types.Type {
	if len(s) == 0 || t == nil {
		return t
	}
	switch t := t.(type) {
	case *types.TypeParam:
		if a := s[t]; a != nil {
			return a
		}
	case *types.Alias:
		return s.typ(types.Unalias(t))
	case *types.Pointer:
		return types.NewPointer(s.typ(t.Elem()))
	case *types.Slice:
		return types.NewSlice(s.typ(t.Elem()))
	case *types.Array:
		return types.NewArray(s.typ(t.Elem()), t.Len())
	case *types.Map:
		return types.NewMap(s.typ(t.Key()), s.typ(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), s.typ(t.Elem()))
	case *types.Tuple:
		return s.tuple(t)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, s.tuple(t.Params()), s.tuple(t.Results()), t.Variadic())
	case *types.Struct:
		var fields []*types.Var
		var tags []string
		for i := range t.NumFields() {
			f := t.Field(i)
			fields = append(fields, types.NewField(f.Pos(), f.Pkg(), f.Name(), s.typ(f.Type()), f.Embedded()))
			tags = append(tags, t.Tag(i))
		}
		return types.NewStruct(fields, tags)
	case *types.Interface:
		if t.NumMethods() == 0 {
			return t
		}
		var methods []*types.Func
		for m := range t.Methods() {
			methods = append(methods, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), s.typ(m.Type()).(*types.Signature)))
		}
		return types.NewInterfaceType(methods, nil).Complete()
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			if local(t) && mentions(t.Underlying(), s) {
				panic(unsupported("a type declared in a generic function"))
			}
			return t
		}
		var args []types.Type
		for a := range t.TypeArgs().Types() {
			args = append(args, s.typ(a))
		}
		if n, err := types.Instantiate(nil, t.Origin(), args, false); err == nil {
			return n
		}
	}
	return t
}

func (s subst) tuple(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), v.Name(), s.typ(v.Type())))
	}
	return types.NewTuple(vars...)
}

// local reports whether a type was declared in a function.
func local(n *types.Named) bool {
	p := n.Obj().Pkg()
	return p != nil && n.Obj().Parent() != nil && n.Obj().Parent().Parent() != types.Universe
}

// mentions reports whether a type written out refers to a parameter of s.
func mentions(t types.Type, s subst) (found bool) {
	switch t := t.(type) {
	case *types.TypeParam:
		return s[t] != nil
	case *types.Pointer:
		return mentions(t.Elem(), s)
	case *types.Slice:
		return mentions(t.Elem(), s)
	case *types.Array:
		return mentions(t.Elem(), s)
	case *types.Chan:
		return mentions(t.Elem(), s)
	case *types.Map:
		return mentions(t.Key(), s) || mentions(t.Elem(), s)
	case *types.Struct:
		for f := range t.Fields() {
			found = found || mentions(f.Type(), s)
		}
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				found = found || mentions(v.Type(), s)
			}
		}
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			found = found || mentions(a, s)
		}
	}
	return found
}
