// Package rtype makes runtime types that package reflect cannot: defined types with methods, interfaces, structs with
// embedded fields. Values of such types are what compiled code takes them for: fmt finds their String, errors.As their
// pointers, maps and type switches tell them apart.
//
//	abi.go         the runtime's descriptions of types (internal/abi, the same in Go 1.26 and 1.27)
//	link.go        what is linked from the runtime; what must stay reachable
//	named.go       defined types: declared, given an underlying type, given methods
//	iface.go       interface types
//	structs.go     struct types with embedded fields
//	tramp.go       code for methods: trampolines that load a closure and jump to it
//
// A method of a runtime type is the address of code. Closures have no address of their own, so there is a fixed table
// of trampolines, each with a slot for the closure (reflect.MakeFunc's) that it jumps to.
package rtype
