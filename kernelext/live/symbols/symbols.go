// Package symbols holds what live cells can import: the symbol tables of compiled packages. The files z_*.go are
// generated:
//
//	go generate ./kernelext/live/symbols
package symbols

import "reflect"

//go:generate go run ./gen .

// Tables returns the symbols of all packages, by path and name ("math/rand/v2/rand"), and then by symbol. A function
// or typed constant is its value, an untyped constant a go/constant.Value, a variable addressable, a type a nil pointer
// to it. The maps are the caller's.
func Tables() map[string]map[string]reflect.Value { return tables() }
