package eval

import (
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"strings"
)

// Tables holds the symbols of compiled packages: by "path/name", as "math/rand/v2/rand", and by name. A function or
// typed constant is its value, an untyped constant a constant.Value, a variable addressable, a type a nil pointer to
// it.
type Tables map[string]map[string]reflect.Value

// natives makes go/types packages of compiled ones, from the runtime types of what they export.
type natives struct {
	tables Tables
	paths  map[string]string // path → key of tables
	pkgs   map[string]*types.Package
	done   map[string]bool // packages whose names are all there
	types  map[reflect.Type]types.Type
	todo   []reflect.Type            // defined types without underlying type yet
	sealed []reflect.Type            // interfaces with methods that are not exported
	own    map[string][]reflect.Type // defined types by package
	known  func(types.Type, reflect.Type)
	values *table[types.Object, reflect.Value]
	seq    func(name string, args []types.Type) types.Type // iter.Seq and iter.Seq2 with arguments
}

func newNatives(t Tables, known func(types.Type, reflect.Type)) *natives {
	n := &natives{tables: t, paths: map[string]string{}, pkgs: map[string]*types.Package{}, done: map[string]bool{},
		types: map[reflect.Type]types.Type{}, known: known, own: map[string][]reflect.Type{}}
	for k := range t {
		n.paths[path.Dir(k)] = k
	}
	errorType := reflect.TypeFor[error]()
	n.types[errorType] = types.Universe.Lookup("error").Type()
	known(n.types[errorType], errorType)
	return n
}

// pkg returns the package of a path, without its names if they were not wanted yet.
func (n *natives) pkg(p string) *types.Package {
	if n.pkgs[p] == nil {
		name := path.Base(p)
		if k, ok := n.paths[p]; ok {
			name = path.Base(k)
		}
		n.pkgs[p] = types.NewPackage(p, name)
	}
	return n.pkgs[p]
}

// load returns a compiled package with its names, nil if there is none.
func (n *natives) load(p string) *types.Package {
	k, ok := n.paths[p]
	if !ok {
		return nil
	}
	pkg := n.pkg(p)
	if n.done[p] {
		return pkg
	}
	n.done[p] = true
	for name, v := range n.tables[k] {
		o := n.object(pkg, name, v)
		pkg.Scope().Insert(o)
		if v.CanAddr() || v.Kind() == reflect.Func {
			n.values.put(o, v)
		}
	}
	n.finish()
	pkg.MarkComplete()
	return pkg
}

func (n *natives) object(pkg *types.Package, name string, v reflect.Value) types.Object {
	t := v.Type()
	if c, ok := v.Interface().(constant.Value); ok && !v.CanAddr() {
		kind := map[constant.Kind]types.BasicKind{constant.Int: types.UntypedInt, constant.Float: types.UntypedFloat,
			constant.String: types.UntypedString, constant.Bool: types.UntypedBool}[c.Kind()]
		return types.NewConst(token.NoPos, pkg, name, types.Typ[kind], c)
	}
	switch {
	case v.CanAddr():
		return types.NewVar(token.NoPos, pkg, name, n.typ(t))
	case t.Kind() == reflect.Func:
		return types.NewFunc(token.NoPos, pkg, name, n.typ(t).(*types.Signature))
	case t.Kind() == reflect.Pointer && v.IsNil():
		elem := n.typ(t.Elem())
		if named, ok := elem.(*types.Named); ok && named.Obj().Pkg() == pkg && named.Obj().Name() == name {
			return named.Obj()
		}
		return types.NewTypeName(token.NoPos, pkg, name, elem)
	}
	typ := n.typ(t)
	return types.NewConst(token.NoPos, pkg, name, typ, constantOf(v))
}

func constantOf(v reflect.Value) constant.Value {
	switch {
	case v.CanInt():
		return constant.MakeInt64(v.Int())
	case v.CanUint():
		return constant.MakeUint64(v.Uint())
	case v.CanFloat():
		return constant.MakeFloat64(v.Float())
	case v.Kind() == reflect.String:
		return constant.MakeString(v.String())
	case v.Kind() == reflect.Bool:
		return constant.MakeBool(v.Bool())
	}
	return constant.MakeUnknown()
}

// typ returns the type that t is.
func (n *natives) typ(t reflect.Type) types.Type {
	if have, ok := n.types[t]; ok {
		return have
	}
	if t.Name() != "" && t.PkgPath() == "" || t.Kind() == reflect.UnsafePointer && t.Name() == "Pointer" {
		return basic(t.Kind())
	}
	if name, _, ok := strings.Cut(t.Name(), "["); ok && t.PkgPath() == "iter" && n.seq != nil {
		var args []types.Type
		for i := range t.In(0).NumIn() {
			args = append(args, n.typ(t.In(0).In(i)))
		}
		if seq := n.seq(name, args); seq != nil {
			n.types[t] = seq
			n.known(seq, t)
			return seq
		}
	}
	if t.Name() != "" {
		obj := types.NewTypeName(token.NoPos, n.pkg(t.PkgPath()), t.Name(), nil)
		named := types.NewNamed(obj, nil, nil)
		n.types[t] = named
		n.known(named, t)
		n.todo = append(n.todo, t)
		return named
	}
	u := n.literal(t)
	n.types[t] = u
	n.known(u, t)
	return u
}

func basic(k reflect.Kind) types.Type {
	for _, b := range types.Typ {
		if b.Name() == k.String() {
			return b
		}
	}
	return types.Typ[types.UnsafePointer]
}

// literal returns the type that describes t itself.
func (n *natives) literal(t reflect.Type) types.Type {
	switch t.Kind() {
	case reflect.Pointer:
		return types.NewPointer(n.typ(t.Elem()))
	case reflect.Slice:
		return types.NewSlice(n.typ(t.Elem()))
	case reflect.Array:
		return types.NewArray(n.typ(t.Elem()), int64(t.Len()))
	case reflect.Map:
		return types.NewMap(n.typ(t.Key()), n.typ(t.Elem()))
	case reflect.Chan:
		dir := map[reflect.ChanDir]types.ChanDir{reflect.BothDir: types.SendRecv, reflect.SendDir: types.SendOnly,
			reflect.RecvDir: types.RecvOnly}
		return types.NewChan(dir[t.ChanDir()], n.typ(t.Elem()))
	case reflect.Func:
		return n.signature(t, nil, 0)
	case reflect.Struct:
		var fields []*types.Var
		var tags []string
		for i := range t.NumField() {
			f := t.Field(i)
			fields = append(fields, types.NewField(token.NoPos, n.owner(f.PkgPath), f.Name, n.typ(f.Type), f.Anonymous))
			tags = append(tags, string(f.Tag))
		}
		return types.NewStruct(fields, tags)
	case reflect.Interface:
		var methods []*types.Func
		for i := range t.NumMethod() {
			m := t.Method(i)
			methods = append(methods, types.NewFunc(token.NoPos, n.owner(m.PkgPath), m.Name, n.signature(m.Type, nil, 0)))
		}
		return types.NewInterfaceType(methods, nil).Complete()
	}
	return basic(t.Kind())
}

func (n *natives) owner(p string) *types.Package {
	if p == "" {
		return nil
	}
	return n.pkg(p)
}

func (n *natives) signature(t reflect.Type, recv *types.Var, skip int) *types.Signature {
	var in, out []*types.Var
	for i := skip; i < t.NumIn(); i++ {
		in = append(in, types.NewParam(token.NoPos, nil, "", n.typ(t.In(i))))
	}
	for i := range t.NumOut() {
		out = append(out, types.NewParam(token.NoPos, nil, "", n.typ(t.Out(i))))
	}
	return types.NewSignatureType(recv, nil, nil, types.NewTuple(in...), types.NewTuple(out...), t.IsVariadic())
}
