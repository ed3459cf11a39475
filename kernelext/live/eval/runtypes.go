package eval

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"sync"
	"unsafe"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// runtypes makes runtime types of types of cells, one for each.
type runtypes struct {
	mu    sync.Mutex
	made  typeutil.Map                // types.Type → reflect.Type
	owned map[reflect.Type]types.Type // types of cells with methods
	w     *World
}

// rt returns the runtime type of t, which has no type parameters.
func (r *runtypes) rt(t types.Type) reflect.Type {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.get(t)
}

func (r *runtypes) known(t types.Type, rt reflect.Type) { r.made.Set(t, rt) }

func (r *runtypes) get(t types.Type) reflect.Type {
	t = types.Unalias(t)
	if b, ok := t.(*types.Basic); ok {
		return basicType(b)
	}
	if have := r.made.At(t); have != nil {
		return have.(reflect.Type)
	}
	if n, ok := t.(*types.Named); ok {
		return r.named(n)
	}
	if st, ok := t.(*types.Struct); ok && len(r.methods(st)) > 0 {
		return r.declare(st, structName(st, false), "main", false, func() reflect.Type { return r.literal(st) })
	}
	rt := r.literal(t)
	r.made.Set(t, rt)
	return rt
}

func basicType(b *types.Basic) reflect.Type {
	switch b.Kind() {
	case types.Bool, types.UntypedBool:
		return reflect.TypeFor[bool]()
	case types.Int, types.UntypedInt:
		return reflect.TypeFor[int]()
	case types.Int8:
		return reflect.TypeFor[int8]()
	case types.Int16:
		return reflect.TypeFor[int16]()
	case types.Int32, types.UntypedRune:
		return reflect.TypeFor[int32]()
	case types.Int64:
		return reflect.TypeFor[int64]()
	case types.Uint:
		return reflect.TypeFor[uint]()
	case types.Uint8:
		return reflect.TypeFor[uint8]()
	case types.Uint16:
		return reflect.TypeFor[uint16]()
	case types.Uint32:
		return reflect.TypeFor[uint32]()
	case types.Uint64:
		return reflect.TypeFor[uint64]()
	case types.Uintptr:
		return reflect.TypeFor[uintptr]()
	case types.Float32:
		return reflect.TypeFor[float32]()
	case types.Float64, types.UntypedFloat:
		return reflect.TypeFor[float64]()
	case types.Complex64:
		return reflect.TypeFor[complex64]()
	case types.Complex128, types.UntypedComplex:
		return reflect.TypeFor[complex128]()
	case types.String, types.UntypedString:
		return reflect.TypeFor[string]()
	case types.UnsafePointer:
		return reflect.TypeFor[unsafe.Pointer]()
	case types.UntypedNil:
		return reflect.TypeFor[any]()
	}
	panic(unsupported("the type " + b.Name()))
}

func (r *runtypes) literal(t types.Type) reflect.Type {
	switch t := t.(type) {
	case *types.Pointer:
		return reflect.PointerTo(r.get(t.Elem()))
	case *types.Slice:
		return reflect.SliceOf(r.get(t.Elem()))
	case *types.Array:
		elem := r.get(t.Elem())
		if bytes := float64(t.Len()) * float64(elem.Size()); r.w.memory > 0 && bytes > float64(r.w.memory) {
			panic(unsupported(fmt.Sprintf("an array of %.3g GB, more than this machine has", bytes/1e9)))
		}
		return reflect.ArrayOf(int(t.Len()), elem)
	case *types.Map:
		return reflect.MapOf(r.get(t.Key()), r.get(t.Elem()))
	case *types.Chan:
		dir := map[types.ChanDir]reflect.ChanDir{types.SendRecv: reflect.BothDir, types.SendOnly: reflect.SendDir,
			types.RecvOnly: reflect.RecvDir}
		return reflect.ChanOf(dir[t.Dir()], r.get(t.Elem()))
	case *types.Signature:
		return r.function(t)
	case *types.Struct:
		var fields []reflect.StructField
		for i := range t.NumFields() {
			f := t.Field(i)
			sf := reflect.StructField{Name: f.Name(), Type: r.get(f.Type()), Tag: reflect.StructTag(t.Tag(i)),
				Anonymous: f.Embedded()}
			if !f.Exported() && f.Pkg() != nil {
				sf.PkgPath = f.Pkg().Path()
			}
			fields = append(fields, sf)
		}
		return rtype.Struct(fields)
	case *types.Interface:
		if t.NumMethods() == 0 {
			return reflect.TypeFor[any]()
		}
		var list []rtype.InterfaceMethod
		pkg := "main"
		for m := range t.Methods() {
			if !m.Exported() && m.Pkg() != nil {
				pkg = m.Pkg().Path()
			}
			list = append(list, rtype.InterfaceMethod{Name: m.Name(), Type: r.function(m.Signature())})
		}
		return rtype.Interface(interfaceName(t, false), pkg, list)
	}
	panic(unsupported(fmt.Sprintf("the type %s", t)))
}

func packageName(p *types.Package) string { return p.Name() }

// function returns the runtime type of a function or method, without its receiver.
func (r *runtypes) function(s *types.Signature) reflect.Type {
	var in, out []reflect.Type
	for p := range s.Params().Variables() {
		in = append(in, r.get(p.Type()))
	}
	for p := range s.Results().Variables() {
		out = append(out, r.get(p.Type()))
	}
	return reflect.FuncOf(in, out, s.Variadic())
}

// named makes a defined type: its layout first, so that types that refer to it can be made, then what it is, then its
// methods.
func (r *runtypes) named(n *types.Named) reflect.Type {
	if n.TypeParams().Len() > 0 && n.TypeArgs().Len() == 0 {
		panic(unsupported("a generic type without its arguments"))
	}
	pkg := ""
	if p := n.Obj().Pkg(); p != nil {
		pkg = p.Path()
	}
	return r.declare(n, namedName(n, false), pkg, true, func() reflect.Type { return r.get(n.Underlying()) })
}

// declare makes a type that has methods.
func (r *runtypes) declare(n types.Type, str, pkg string, name bool, underlying func() reflect.Type) reflect.Type {
	methods := r.methods(n)
	d := rtype.Declare(str, pkg, r.layout(n.Underlying()), len(methods))
	if !name {
		d.Unname()
	}
	rt := d.Type()
	r.made.Set(n, rt)
	r.owned[rt] = n
	d.Define(underlying())
	var list []rtype.Method
	for _, m := range methods {
		list = append(list, rtype.Method{Name: m.sel.Obj().Name(), Value: m.value,
			Type: r.function(m.sel.Type().(*types.Signature)), Fn: r.w.invoker(n, m.sel)})
	}
	if err := d.SetMethods(list); err != nil {
		panic(unsupported(err.Error()))
	}
	return rt
}

type methodOf struct {
	sel   *types.Selection // of the pointer's method set
	value bool
}

// methods lists what a defined type or its pointer has, also by embedding.
func (r *runtypes) methods(n types.Type) []methodOf {
	if types.IsInterface(n) {
		return nil
	}
	if _, ok := n.Underlying().(*types.Pointer); ok {
		return nil
	}
	val := types.NewMethodSet(n)
	var list []methodOf
	for sel := range types.NewMethodSet(types.NewPointer(n)).Methods() {
		f := sel.Obj().(*types.Func)
		if !token.IsExported(f.Name()) && f.Pkg() != nil && f.Pkg().Path() != "main" {
			continue
		}
		list = append(list, methodOf{sel, val.Lookup(f.Pkg(), f.Name()) != nil})
	}
	return list
}
