// Package symbols holds what live cells can import: the symbol tables of compiled packages, in the form of
// github.com/traefik/yaegi/interp. The files z_*.go are generated:
//
//	go generate ./kernelext/live/symbols
package symbols

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/traefik/yaegi/interp"
)

//go:generate go run ./gen .

// Tables returns the symbols of all packages, by path and name ("math/rand/v2/rand"). The maps are the caller's.
func Tables() interp.Exports {
	t := tables()
	t["."] = map[string]reflect.Value{"MapTypes": reflect.ValueOf(special())}
	return t
}

// special says which methods of an interpreted value a function looks for that takes any.
func special() map[reflect.Value][]reflect.Type {
	text := []reflect.Type{reflect.TypeFor[fmt.Formatter](), reflect.TypeFor[fmt.Stringer]()}
	m := map[reflect.Value][]reflect.Type{
		reflect.ValueOf(json.Marshal):   {reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()},
		reflect.ValueOf(json.Unmarshal): {reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()},
	}
	for _, f := range []any{fmt.Errorf, fmt.Fprint, fmt.Fprintf, fmt.Fprintln, fmt.Print, fmt.Printf, fmt.Println, fmt.Sprint, fmt.Sprintf, fmt.Sprintln} {
		m[reflect.ValueOf(f)] = text
	}
	return m
}
