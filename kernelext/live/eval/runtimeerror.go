package eval

import (
	"go/types"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// caught returns what f panics with.
func caught(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}

// texted returns an error like sample, a string of one of package runtime's types, with another text.
func texted(sample any, text string) any {
	v := reflect.New(reflect.TypeOf(sample)).Elem()
	v.SetString(text)
	return v.Interface()
}

// runtimeError returns the runtime.errorString of a text, which its message has behind "runtime error: ".
func runtimeError(text string) any {
	n := -1
	return texted(caught(func() { _ = make([]byte, n) }), text)
}

// plainError returns the runtime.plainError of a text.
func plainError(text string) any { return texted(caught(func() { close(chan int(nil)) }), text) }

// exceeded is the check that an index or a bound failed, as Go's runtime tells them apart.
type exceeded int

const (
	inLength     exceeded = iota // s[:x] of a string or an array
	inCapacity                   // s[:x] of a slice
	inOrder                      // s[x:y]
	in3Length                    // s[::x] of an array
	in3Capacity                  // s[::x] of a slice
	in3High                      // s[:x:y]
	in3Order                     // s[x:y:]
	inConversion                 // [x]T(s) of y elements
)

// outOfBounds panics with Go's runtime.boundsError: x is not in what y bounds.
func outOfBounds(of exceeded, x bound, y int) {
	one, two := 1, 2
	var a [1]int
	s := a[:]
	sample := caught([]func(){
		inLength:     func() { _ = a[:two] },
		inCapacity:   func() { _ = s[:two] },
		inOrder:      func() { _ = s[one:0] },
		in3Length:    func() { _ = a[0:0:two] },
		in3Capacity:  func() { _ = s[0:0:two] },
		in3High:      func() { _ = s[0:one:0] },
		in3Order:     func() { _ = s[one:0:one] },
		inConversion: func() { _ = [2]int(s) },
	}[of])
	v := reflect.New(reflect.TypeOf(sample))
	v.Elem().Set(reflect.ValueOf(sample))
	*fieldOf[int64](v, "x") = int64(x.n)
	*fieldOf[bool](v, "signed") = !x.unsigned
	*fieldOf[int](v, "y") = y
	panic(v.Elem().Interface())
}

// fieldOf returns the address of a field, which need not be exported, of the struct that v points to.
func fieldOf[T any](v reflect.Value, name string) *T {
	f, _ := v.Elem().Type().FieldByName(name)
	return (*T)(unsafe.Add(v.UnsafePointer(), f.Offset))
}

// bound is an index or a bound of a slice expression.
type bound struct {
	n        int
	unsigned bool // of an unsigned type: n is its bits
}

// past reports whether x is not in [0, y].
func (x bound) past(y int) bool { return uint(x.n) > uint(y) }

// badIndex panics as Go does for an index of n elements.
func badIndex(i bound, n int) {
	if i.unsigned {
		_ = make([]struct{}, n)[uint(i.n)]
	}
	_ = make([]struct{}, n)[i.n]
}

// assertionError returns the error of v.(to) where v is an interface of type from.
func assertionError(v any, from, to reflect.Type) any {
	e := reflect.New(reflect.TypeFor[runtime.TypeAssertionError]())
	put := func(field string, t reflect.Type) { *fieldOf[rtype.Type](e, field) = rtype.Of(t) }
	put("asserted", to)
	switch {
	case v == nil && to.Kind() == reflect.Interface:
	case v == nil:
		put("_interface", from)
	case to.Kind() == reflect.Interface:
		put("concrete", reflect.TypeOf(v))
		*fieldOf[string](e, "missingMethod") = missingMethod(reflect.TypeOf(v), to)
	default:
		put("_interface", from)
		put("concrete", reflect.TypeOf(v))
	}
	return e.Interface()
}

// missingMethod returns the first method of an interface that t, which does not implement it, has not. Package reflect
// does not list methods that are not exported: the first of them stands for all.
func missingMethod(t, iface reflect.Type) string {
	for i := range iface.NumMethod() {
		want := iface.Method(i)
		have, ok := t.MethodByName(want.Name)
		if !ok || !sameWithout(have.Type, want.Type) {
			return want.Name
		}
	}
	return ""
}

// sameWithout reports whether a method's type is want but for its receiver.
func sameWithout(method, want reflect.Type) bool {
	same := method.NumIn() == want.NumIn()+1 && method.NumOut() == want.NumOut() &&
		method.IsVariadic() == want.IsVariadic()
	for i := 0; same && i < want.NumIn(); i++ {
		same = method.In(i+1) == want.In(i)
	}
	for i := 0; same && i < want.NumOut(); i++ {
		same = method.Out(i) == want.Out(i)
	}
	return same
}

// nilReceiver returns what a method of T panics with that is called by way of a nil *T.
func nilReceiver(t *types.Named, method string) any {
	name := t.Obj().Name()
	if t.TypeArgs().Len() > 0 {
		name += "[...]"
	}
	return plainError("value method " + t.Obj().Pkg().Path() + "." + name + "." + method + " called using nil *" + name +
		" pointer")
}
