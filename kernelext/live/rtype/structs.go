package rtype

import (
	"reflect"
	"unsafe"
)

// Struct makes a struct type as reflect.StructOf does, with embedded fields of any kind; their methods are not
// promoted. A struct without embedded fields is reflect's own.
func Struct(fields []reflect.StructField) reflect.Type {
	embedded := false
	plain := make([]reflect.StructField, len(fields))
	for i, f := range fields {
		embedded = embedded || f.Anonymous
		f.Anonymous = false
		plain[i] = f
	}
	t := reflect.StructOf(plain)
	if !embedded {
		return t
	}
	h := block(unsafe.Sizeof(structType{}), 0)
	from := (*structType)(unsafe.Pointer(headerOf(t)))
	to := (*structType)(unsafe.Pointer(h))
	*to = *from
	to.flag &^= flagUncommon
	to.hash, to.ptrToThis = newHash(t.String()), 0
	to.fields = make([]structField, len(fields))
	made.retain(to.fields)
	for i, f := range fields {
		to.fields[i] = from.fields[i]
		name := encodeName(f.Name, string(f.Tag), f.IsExported(), f.Anonymous, 0)
		made.retain(name)
		to.fields[i].name = name
	}
	return typeOf(h)
}
