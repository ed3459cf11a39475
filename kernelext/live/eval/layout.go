package eval

import (
	"fmt"
	"go/types"
	"reflect"
)

// layout returns a type of the same size, with pointers at the same places and equal values under the same conditions,
// that refers to no type of cells.
func (r *runtypes) layout(t types.Type) reflect.Type {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return basicType(t)
	case *types.Pointer:
		return reflect.TypeFor[*byte]()
	case *types.Slice:
		return reflect.TypeFor[[]byte]()
	case *types.Map:
		return reflect.TypeFor[map[int]int]()
	case *types.Chan:
		return reflect.TypeFor[chan int]()
	case *types.Signature:
		return reflect.FuncOf(fill(t.Params().Len(), t.Variadic()), fill(t.Results().Len(), false), t.Variadic())
	case *types.Interface:
		if t.NumMethods() == 0 {
			return reflect.TypeFor[any]()
		}
		return reflect.TypeFor[error]()
	case *types.Array:
		return reflect.ArrayOf(int(t.Len()), r.layout(t.Elem()))
	case *types.Struct:
		var fields []reflect.StructField
		for i := range t.NumFields() {
			fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", i), Type: r.layout(t.Field(i).Type())})
		}
		return reflect.StructOf(fields)
	}
	panic(unsupported(fmt.Sprintf("the type %s", t)))
}

func fill(n int, variadic bool) []reflect.Type {
	list := make([]reflect.Type, n)
	for i := range list {
		list[i] = reflect.TypeFor[int]()
	}
	if variadic {
		list[n-1] = reflect.TypeFor[[]int]()
	}
	return list
}
