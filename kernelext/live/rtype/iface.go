package rtype

import (
	"go/token"
	"reflect"
	"slices"
	"unsafe"
)

// InterfaceMethod is a method of an interface type.
type InterfaceMethod struct {
	Name string
	Type reflect.Type
}

// Interface makes an interface type with at least one method, which prints as str. The types of methods may be of
// types that are still in the making.
func Interface(str, pkg string, list []InterfaceMethod) reflect.Type {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b InterfaceMethod) int { return compareNames(a.Name, b.Name) })
	h := block(unsafe.Sizeof(interfaceType{}), 0)
	*h = *headerOf(reflect.TypeFor[error]())
	h.flag &^= flagExtraStar | flagNamed | flagUncommon
	h.str = offset(unsafe.Pointer(encodeName(str, "", false, false, 0)))
	h.hash, h.ptrToThis = newHash(str), 0
	t := (*interfaceType)(unsafe.Pointer(h))
	t.pkgPath = encodeName(pkg, "", false, false, 0)
	made.retain(t.pkgPath)
	t.methods = make([]imethod, len(list))
	made.retain(t.methods)
	for i, m := range list {
		t.methods[i] = imethod{name: offset(unsafe.Pointer(encodeName(m.Name, "", token.IsExported(m.Name), false, 0))),
			typ: offset(unsafe.Pointer(headerOf(m.Type)))}
	}
	return typeOf(h)
}
