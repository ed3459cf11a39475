package rtype_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

func method[F any](name string, value bool, fn func(p unsafe.Pointer,
	args []reflect.Value) []reflect.Value) rtype.Method {
	return rtype.Method{Name: name, Value: value, Type: reflect.TypeFor[F](), Fn: fn}
}

func str(s string) []reflect.Value { return []reflect.Value{reflect.ValueOf(s)} }

// A defined int with a method String prints by it, alone, in slices and in fields, and as a number where that is
// wanted.
func TestNamedInt(t *testing.T) {
	n := rtype.Declare("main.C", "main", reflect.TypeFor[int](), 4)
	n.Define(reflect.TypeFor[int]())
	if err := n.SetMethods([]rtype.Method{method[func() string]("String", true, func(p unsafe.Pointer,
		_ []reflect.Value) []reflect.Value {
		return str(fmt.Sprint("C", *(*int)(p)))
	})}); err != nil {
		t.Fatal(err)
	}
	c := n.Type()
	v := reflect.New(c)
	v.Elem().SetInt(7)
	list := reflect.MakeSlice(reflect.SliceOf(c), 2, 2)
	list.Index(1).SetInt(3)
	m := reflect.MakeMap(reflect.MapOf(c, c))
	m.SetMapIndex(v.Elem(), v.Elem())
	got := fmt.Sprintf("%v %d %T %v %v %T %v %03d", v.Elem().Interface(), v.Elem().Interface(), v.Elem().Interface(),
		list.Interface(),
		v.Interface(), v.Interface(), m.Interface(), v.Elem().Interface())
	if got != "C7 7 main.C [C0 C3] C7 *main.C map[C7:C7] 007" {
		t.Error(got)
	}
	if v.Elem().Interface() == any(7) || v.Elem().Interface() != v.Elem().Interface() {
		t.Error("types are confused")
	}
}

// A struct that refers to itself, with an error method of its pointer, is found by errors.As; the collector keeps what
// it refers to.
func TestNamedStruct(t *testing.T) {
	type layout struct {
		Next *int
		Kids map[string]int
		N    int
	}
	n := rtype.Declare("main.E", "main", reflect.TypeFor[layout](), 2)
	e := n.Type()
	pe := reflect.PointerTo(e)
	n.Define(rtype.Struct([]reflect.StructField{{Name: "Next", Type: pe},
		{Name: "Kids", Type: reflect.MapOf(reflect.TypeFor[string](), e)},
		{Name: "N", Type: reflect.TypeFor[int]()}}))
	if err := n.SetMethods([]rtype.Method{method[func() string]("Error", false, func(p unsafe.Pointer,
		_ []reflect.Value) []reflect.Value {
		runtime.GC()
		return str(fmt.Sprint("E", reflect.NewAt(e, p).Elem().Field(2).Int()))
	})}); err != nil {
		t.Fatal(err)
	}
	v := reflect.New(e)
	v.Elem().Field(2).SetInt(5)
	err := fmt.Errorf("x: %w", v.Interface().(error))
	target := reflect.New(pe)
	if !errors.As(err, target.Interface()) || target.Elem().Elem().Field(2).Int() != 5 || err.Error() != "x: E5" {
		t.Error(err)
	}
	for range 100 {
		next := reflect.New(e)
		next.Elem().Field(0).Set(v)
		next.Elem().Field(1).Set(reflect.MakeMap(next.Elem().Field(1).Type()))
		next.Elem().Field(1).SetMapIndex(reflect.ValueOf(strings.Repeat("k", 3)), next.Elem())
		v = next
		runtime.GC()
	}
	depth := 0
	for p := v; !p.IsNil(); p = p.Elem().Field(0) {
		depth++
	}
	if depth != 101 {
		t.Error(depth)
	}
	if b, err := json.Marshal(v.Elem().Field(0).Elem().Field(2).Interface()); err != nil || string(b) != "0" {
		t.Error(string(b), err)
	}
}

// A made interface holds what has its methods, and calls them.
func TestInterface(t *testing.T) {
	i := rtype.Interface("main.I", "main",
		[]rtype.InterfaceMethod{{Name: "String", Type: reflect.TypeFor[func() string]()}})
	v := reflect.New(i).Elem()
	b := &strings.Builder{}
	b.WriteString("built")
	v.Set(reflect.ValueOf(b))
	if got := v.Method(0).Call(nil)[0].String(); got != "built" || v.Type() != i || !reflect.TypeOf(b).Implements(i) ||
		reflect.TypeFor[int]().Implements(i) {
		t.Error(got)
	}
}

// Named types of every kind keep their underlying kind's operations.
func TestKinds(t *testing.T) {
	for i, u := range []reflect.Type{reflect.TypeFor[map[string]int](), reflect.TypeFor[[]int](),
		reflect.TypeFor[[3]int](), reflect.TypeFor[chan int](),
		reflect.TypeFor[func(int, string) (bool, error)](), reflect.TypeFor[*int](), reflect.TypeFor[string](),
		reflect.TypeFor[any](), reflect.TypeFor[float32]()} {
		n := rtype.Declare(fmt.Sprint("main.K", i), "main", u, 3)
		n.Define(u)
		if err := n.SetMethods([]rtype.Method{method[func(int) string]("M", true, func(p unsafe.Pointer,
			a []reflect.Value) []reflect.Value {
			return str(fmt.Sprint(a[0].Int(), reflect.NewAt(u, p).Elem().IsZero()))
		})}); err != nil && u.Kind() != reflect.Interface {
			t.Fatal(err)
		}
		k := n.Type()
		if k.Kind() != u.Kind() || k.Name() != fmt.Sprint("K", i) || k.PkgPath() != "main" || !u.ConvertibleTo(k) || k == u {
			t.Error(k, k.Name(), k.PkgPath())
		}
		if k.Kind() == reflect.Func && (k.NumIn() != 2 || k.In(1).Kind() != reflect.String ||
			k.Out(1) != reflect.TypeFor[error]()) {
			t.Error("parameters of", k)
		}
		if k.Kind() == reflect.Interface {
			continue
		}
		v := reflect.New(k).Elem()
		if got := v.Interface().(interface{ M(int) string }).M(4); got != "4 true" {
			t.Error(k, got)
		}
		if got := v.Method(0).Call([]reflect.Value{reflect.ValueOf(5)})[0].String(); got != "5 true" {
			t.Error(k, got)
		}
	}
}
