package rtype

import (
	"reflect"
	"sync"
	"unsafe"
)

//go:linkname addReflectOff reflect.addReflectOff
//go:noescape
func addReflectOff(ptr unsafe.Pointer) int32

//go:linkname typedmemmove runtime.typedmemmove
//go:noescape
func typedmemmove(t, dst, src unsafe.Pointer)

//go:linkname unsafeNew reflect.unsafe_New
//go:noescape
func unsafeNew(t unsafe.Pointer) unsafe.Pointer

// Type is a runtime type, for moves and allocations that bypass reflect.
type Type = unsafe.Pointer

// Of returns the runtime type behind t.
func Of(t reflect.Type) Type { return unsafe.Pointer(headerOf(t)) }

// Move copies a value of type t.
func Move(t Type, dst, src unsafe.Pointer) { typedmemmove(t, dst, src) }

// New allocates a zero value of type t.
func New(t Type) unsafe.Pointer { return unsafeNew(t) }

// registry holds what runtime types refer to in ways that the garbage collector does not see. Types are for ever, as
// those that package reflect makes are.
type registry struct {
	mu   sync.Mutex
	keep []any
	used int // trampolines
	hash uint32
}

var made registry //nolint:gochecknoglobals // types belong to the process

func (r *registry) retain(x any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keep = append(r.keep, x)
}

// offset returns the number by which runtime types refer to p, which stays for ever.
func offset(p unsafe.Pointer) int32 {
	made.retain(p)
	return addReflectOff(p)
}

// Pointers reports whether values of type t hold pointers.
func Pointers(t reflect.Type) bool { return headerOf(t).ptrBytes != 0 }

// Equal reports whether two values of type t are equal; it panics as == does. ok is false if they are not comparable.
func Equal(t Type, a, b unsafe.Pointer) bool { return (*header)(t).equal(a, b) }

// Direct reports whether a value of type t is the data word of an interface itself.
func Direct(t Type) bool { return (*header)(t).flag&flagDirect != 0 }

// Word is an interface value in parts: its dynamic type and data word.
type Word struct {
	Type Type
	Data unsafe.Pointer
}

// Any returns the value of an interface type that stands at p; methods reports whether the type has any.
func Any(p unsafe.Pointer, methods bool) any {
	if !methods {
		return *(*any)(p)
	}
	w := *(*Word)(p)
	if w.Type != nil {
		w.Type = *(*unsafe.Pointer)(unsafe.Add(w.Type, 8)) // internal/abi.ITab.Type
	}
	return *(*any)(unsafe.Pointer(&w))
}

// Take returns the parts of an interface value.
func Take(v any) Word { return *(*Word)(unsafe.Pointer(&v)) }
