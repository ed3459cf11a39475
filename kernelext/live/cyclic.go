package live

import (
	"fmt"
	"io"
	"reflect"

	"github.com/ddps-go/ddps/kernelext/live/eval"
)

// deepValue is how deep a value may nest that is written out: what is deeper holds itself, or would end the process.
const deepValue = 10_000

// cyclic reports whether writing v out would not end: a slice, map or interface in it leads back to itself.
func cyclic(v any) bool { return cycle(reflect.ValueOf(v), 0) }

func cycle(v reflect.Value, depth int) bool {
	if depth > deepValue {
		return true
	}
	switch v.Kind() {
	case reflect.Interface:
		return cycle(v.Elem(), depth+1)
	case reflect.Pointer: // followed at the top only
		return depth == 0 && !v.IsNil() && cycle(v.Elem(), 1)
	case reflect.Slice, reflect.Array:
		if !nests(v.Type().Elem()) {
			return false
		}
		for i := range v.Len() {
			if cycle(v.Index(i), depth+1) {
				return true
			}
		}
	case reflect.Map:
		if !nests(v.Type().Elem()) {
			return false
		}
		for it := v.MapRange(); it.Next(); {
			if cycle(it.Value(), depth+1) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if nests(v.Type().Field(i).Type) && cycle(v.Field(i), depth+1) {
				return true
			}
		}
	}
	return false
}

// nests reports whether values of type t may hold others that are written out.
func nests(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Slice, reflect.Map, reflect.Array, reflect.Struct:
		return true
	}
	return false
}

// refuse panics if a value cannot be written out.
func refuse(a []any) {
	for _, v := range a {
		if v != nil && nests(indirect(reflect.TypeOf(v))) && cyclic(v) {
			panic(fmt.Errorf("a value of type %T holds itself: writing it out would not end", v))
		}
	}
}

func indirect(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// overridePrint gives cells the functions of fmt that write values, to the cell's output and without running on for
// ever.
func overridePrint(t eval.Tables, stdout io.Writer) {
	put := func(name string, f any) { t["fmt/fmt"][name] = reflect.ValueOf(f) }
	put("Print", func(a ...any) (int, error) { refuse(a); return fmt.Fprint(stdout, a...) })
	put("Printf", func(format string, a ...any) (int, error) { refuse(a); return fmt.Fprintf(stdout, format, a...) })
	put("Println", func(a ...any) (int, error) { refuse(a); return fmt.Fprintln(stdout, a...) })
	put("Fprint", func(w io.Writer, a ...any) (int, error) { refuse(a); return fmt.Fprint(w, a...) })
	put("Fprintf", func(w io.Writer, format string, a ...any) (int, error) {
		refuse(a)
		return fmt.Fprintf(w, format, a...)
	})
	put("Fprintln", func(w io.Writer, a ...any) (int, error) { refuse(a); return fmt.Fprintln(w, a...) })
	put("Sprint", func(a ...any) string { refuse(a); return fmt.Sprint(a...) })
	put("Sprintf", func(format string, a ...any) string { refuse(a); return fmt.Sprintf(format, a...) })
	put("Sprintln", func(a ...any) string { refuse(a); return fmt.Sprintln(a...) })
	put("Errorf", func(format string, a ...any) error { refuse(a); return fmt.Errorf(format, a...) })
}
