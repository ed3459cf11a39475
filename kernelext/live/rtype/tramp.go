package rtype

import (
	"errors"
	"reflect"
	"unsafe"
)

const trampolines = 8192

// ErrTooMany is returned when all trampolines are in use.
var ErrTooMany = errors.New("too many methods have been declared: restart the session")

// slots holds the closures to which trampolines jump.
var slots [trampolines]unsafe.Pointer

// code returns the address of code that calls f, a function value.
func code(f reflect.Value) (unsafe.Pointer, error) {
	made.mu.Lock()
	defer made.mu.Unlock()
	if stride == 1 {
		return nil, errors.New("types with methods on this CPU")
	}
	if made.used == trampolines {
		return nil, ErrTooMany
	}
	i := made.used
	made.used++
	p := reflect.New(f.Type())
	p.Elem().Set(f)
	slots[i] = *(*unsafe.Pointer)(p.UnsafePointer())
	base := trampolineBase()
	return *(*unsafe.Pointer)(unsafe.Pointer(&[]uintptr{base + uintptr(i)*stride}[0])), nil
}
