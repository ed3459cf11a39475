package rtype

import (
	"reflect"
	"strconv"
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
	to.flag &^= flagUncommon | flagExtraStar
	str := structString(fields)
	to.str = offset(unsafe.Pointer(encodeName(str, "", false, false, 0)))
	to.hash, to.ptrToThis = newHash(str), 0
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

// structString writes a struct type as package reflect does.
func structString(fields []reflect.StructField) string {
	text := "struct {"
	for i, f := range fields {
		if i > 0 {
			text += ";"
		}
		if !f.Anonymous {
			text += " " + f.Name
		}
		text += " " + f.Type.String()
		if f.Tag != "" {
			text += " " + strconv.Quote(string(f.Tag))
		}
	}
	return text + " }"
}
