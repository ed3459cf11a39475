package live

import (
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/kernelext/live/lab"
)

// Inspect tells what the name around byte pos of code is: a function of the facade with its documentation, a
// package's name with its type, a variable with its type. "" if it is unknown.
func (s *Session) Inspect(code string, pos int) string {
	end := max(0, min(pos, len(code)))
	for end < len(code) && (code[end] == '_' || code[end] >= '0' && code[end] <= '9' || code[end] >= 'a' &&
		code[end] <= 'z' || code[end] >= 'A' && code[end] <= 'Z') {
		end++
	}
	name, _ := word(code, end)
	if name == "" {
		return ""
	}
	release, free := s.try()
	if free {
		defer release()
	}
	first, rest, dotted := strings.Cut(name, ".")
	if !free {
		return ""
	}
	if s.es.Object(first) != nil {
		return s.inspectOwn(name)
	}
	if slices.Contains(s.es.Bare(), name) || first == "lab" {
		return facadeText(strings.TrimPrefix(name, "lab."))
	}
	pkg := s.es.Package(first)
	switch {
	case pkg == nil:
		return ""
	case !dotted:
		return "package " + pkg.Name() + " // import \"" + pkg.Path() + "\"\n\n" + strings.Join(s.exported(first), " ")
	}
	if v := s.tables[s.key[pkg.Path()]][rest]; v.IsValid() {
		return describeSymbol(name, v)
	}
	if obj := pkg.Scope().Lookup(rest); obj != nil {
		return types.ObjectString(obj, func(p *types.Package) string { return p.Name() })
	}
	return ""
}

func describeSymbol(name string, v reflect.Value) string {
	t := v.Type()
	switch {
	case t.Kind() == reflect.Func:
		return "func " + name + strings.TrimPrefix(t.String(), "func")
	case t.Kind() == reflect.Pointer && v.IsNil():
		set := candidates{}
		memberNames(set, t)
		return "type " + name + " " + t.Elem().Kind().String() + "\n\n" + strings.Join(slices.Sorted(maps.Keys(set)), " ")
	}
	return name + " " + t.String()
}

// inspectOwn describes what cells defined.
func (s *Session) inspectOwn(name string) string {
	parts := strings.Split(name, ".")
	obj := s.es.Object(parts[0])
	if _, ok := obj.(*types.Var); !ok {
		if _, ok := obj.(*types.TypeName); ok && len(parts) == 2 {
			obj, _, _ = types.LookupFieldOrMethod(obj.Type(), true, obj.Pkg(), parts[1])
			parts = parts[1:]
		}
		if obj == nil || len(parts) > 1 {
			return ""
		}
		return ownObject(obj)
	}
	v := s.value(parts)
	if !v.IsValid() {
		return s.inspectMethod(obj, parts[1:])
	}
	set := candidates{}
	memberNames(set, v.Type())
	text := name + " " + strings.ReplaceAll(v.Type().String(), "main.", "")
	if len(set) > 0 {
		text += "\n\n" + strings.Join(slices.Sorted(maps.Keys(set)), " ")
	}
	return text
}

// inspectMethod describes a method, or a field, of a variable along names.
func (s *Session) inspectMethod(obj types.Object, names []string) string {
	for _, name := range names {
		if obj, _, _ = types.LookupFieldOrMethod(obj.Type(), true, obj.Pkg(), name); obj == nil {
			return ""
		}
	}
	return ownObject(obj)
}

// ownObject writes what cells declared, a type with its methods.
func ownObject(obj types.Object) string {
	of := func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		return p.Name()
	}
	text := types.ObjectString(obj, of)
	if t, ok := obj.(*types.TypeName); ok {
		methods := types.NewMethodSet(types.NewPointer(t.Type()))
		for i := range methods.Len() {
			text += "\n" + types.ObjectString(methods.At(i).Obj(), of)
		}
	}
	return text
}

func facadeText(name string) string {
	docs, err := lab.Docs()
	if err != nil {
		return ""
	}
	for _, d := range docs {
		if d.Name == name {
			text := d.Signature + "\n\n" + d.Text
			if d.Example != "" {
				text += "\n\n    " + strings.ReplaceAll(d.Example, "\n", "\n    ")
			}
			return text
		}
	}
	return ""
}
