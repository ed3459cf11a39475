package rtype

import (
	"reflect"
	"unsafe"
)

// header is the part that all runtime types share: internal/abi.Type.
type header struct {
	size, ptrBytes    uintptr
	hash              uint32
	flag              uint8
	align, fieldAlign uint8
	kind              uint8
	equal             func(unsafe.Pointer, unsafe.Pointer) bool
	gcData            *byte
	str               int32
	ptrToThis         int32
}

// Bits of header.flag.
const (
	flagUncommon  = 1 << 0
	flagExtraStar = 1 << 1
	flagNamed     = 1 << 2
)

// uncommon is internal/abi.UncommonType.
type uncommon struct {
	pkgPath        int32
	mcount, xcount uint16
	moff           uint32
	_              uint32
}

// method is internal/abi.Method.
type method struct{ name, typ, ifn, tfn int32 }

// imethod is internal/abi.Imethod.
type imethod struct{ name, typ int32 }

// structType is internal/abi.StructType.
type structType struct {
	header
	pkgPath *byte
	fields  []structField
}

type structField struct {
	name *byte
	_    *header // type
	_    uintptr // offset
}

// ptrType is internal/abi.PtrType.
type ptrType struct {
	header
	elem *header
}

// interfaceType is internal/abi.InterfaceType.
type interfaceType struct {
	header
	pkgPath *byte
	methods []imethod
}

// funcType is internal/abi.FuncType; pointers to the types of parameters and results follow it.
type funcType struct {
	header
	in, out uint16
}

// kindSize is the size of the runtime type of a kind, without what follows it.
func kindSize(k reflect.Kind) uintptr {
	switch k {
	case reflect.Struct:
		return unsafe.Sizeof(structType{})
	case reflect.Interface:
		return unsafe.Sizeof(interfaceType{})
	case reflect.Pointer, reflect.Slice:
		return unsafe.Sizeof(ptrType{})
	case reflect.Func:
		return unsafe.Sizeof(funcType{})
	case reflect.Array:
		return unsafe.Sizeof(ptrType{}) + 16
	case reflect.Chan:
		return unsafe.Sizeof(ptrType{}) + 8
	case reflect.Map:
		return mapSize()
	}
	return unsafe.Sizeof(header{})
}

// probe is a type whose runtime type mapSize measures: it differs between versions of Go.
type probe map[int]int

// A, B and C give probe a known number of methods.
func (probe) A() {}

// B is a method.
func (probe) B() {}

// C is a method.
func (probe) C() {}

// mapSize finds where the list of methods of a compiled map type starts.
func mapSize() uintptr {
	t := unsafe.Pointer(headerOf(reflect.TypeFor[probe]()))
	for off := uintptr(96); off < 192; off += 8 {
		u := (*uncommon)(unsafe.Add(t, off))
		if u.mcount == 3 && u.xcount == 3 && u.moff == uint32(unsafe.Sizeof(uncommon{})) {
			return off
		}
	}
	panic("rtype: the runtime's type of maps is not the one that is known")
}

type eface struct{ typ, data unsafe.Pointer }

// headerOf returns the runtime's type behind t.
func headerOf(t reflect.Type) *header { return (*header)((*eface)(unsafe.Pointer(&t)).data) }

// typeOf returns the reflect.Type of a runtime type: the dynamic type of an interface value that has it.
func typeOf(h *header) reflect.Type {
	e := eface{typ: unsafe.Pointer(h)}
	return reflect.TypeOf(*(*any)(unsafe.Pointer(&e)))
}

// encodeName encodes a name as internal/abi.Name does. pkgPath is written only if it is not zero.
func encodeName(name, tag string, exported, embedded bool, pkgPath int32) *byte {
	bits := byte(0)
	if exported {
		bits |= 1
	}
	if tag != "" {
		bits |= 2
	}
	if pkgPath != 0 {
		bits |= 4
	}
	if embedded {
		bits |= 8
	}
	b := append(appendVarint([]byte{bits}, len(name)), name...)
	if tag != "" {
		b = append(appendVarint(b, len(tag)), tag...)
	}
	if pkgPath != 0 {
		off := *(*[4]byte)(unsafe.Pointer(&pkgPath))
		b = append(b, off[:]...)
	}
	return &b[0]
}

func appendVarint(b []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(b, byte(n))
}
