package eval

import (
	"fmt"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// runtimeName writes a type as the compiler writes it for package reflect: interface {} and not any. In type arguments
// packages stand by their paths, also before fields that are not exported.
func runtimeName(t types.Type, arg bool) string {
	name := func(t types.Type) string { return runtimeName(t, arg) }
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return "unsafe.Pointer"
		}
		return types.Typ[t.Kind()].Name() // not byte and rune
	case *types.Named:
		return namedName(t, arg)
	case *types.Pointer:
		return "*" + name(t.Elem())
	case *types.Slice:
		return "[]" + name(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), name(t.Elem()))
	case *types.Map:
		return "map[" + name(t.Key()) + "]" + name(t.Elem())
	case *types.Chan:
		return chanName(t, name(t.Elem()))
	case *types.Signature:
		return "func" + signatureName(t, arg)
	case *types.Struct:
		return structName(t, arg)
	case *types.Interface:
		return interfaceName(t, arg)
	}
	return types.TypeString(t, packageName)
}

func packageText(p *types.Package, arg bool) string {
	if arg {
		return p.Path()
	}
	return p.Name()
}

func namedName(n *types.Named, arg bool) string {
	name := n.Obj().Name()
	if p := n.Obj().Pkg(); p != nil {
		name = packageText(p, arg) + "." + name
	}
	var args []string
	for a := range n.TypeArgs().Types() {
		args = append(args, runtimeName(a, true))
	}
	if len(args) > 0 {
		name += "[" + strings.Join(args, ",") + "]"
	}
	return name
}

func chanName(t *types.Chan, elem string) string {
	switch {
	case t.Dir() == types.SendOnly:
		return "chan<- " + elem
	case t.Dir() == types.RecvOnly:
		return "<-chan " + elem
	case strings.HasPrefix(elem, "<-"):
		return "chan (" + elem + ")"
	}
	return "chan " + elem
}

// signatureName writes parameters and results.
func signatureName(s *types.Signature, arg bool) string {
	var in, out []string
	for p := range s.Params().Variables() {
		in = append(in, runtimeName(p.Type(), arg))
	}
	if n := len(in); s.Variadic() {
		in[n-1] = "..." + strings.TrimPrefix(in[n-1], "[]")
	}
	for p := range s.Results().Variables() {
		out = append(out, runtimeName(p.Type(), arg))
	}
	text := "(" + strings.Join(in, ", ") + ")"
	switch len(out) {
	case 0:
		return text
	case 1:
		return text + " " + out[0]
	}
	return text + " (" + strings.Join(out, ", ") + ")"
}

func structName(t *types.Struct, arg bool) string {
	var fields []string
	for i := range t.NumFields() {
		f := t.Field(i)
		text := runtimeName(f.Type(), arg)
		switch {
		case f.Embedded():
		case arg && !f.Exported() && f.Pkg() != nil:
			text = f.Pkg().Path() + "." + f.Name() + " " + text
		default:
			text = f.Name() + " " + text
		}
		if tag := t.Tag(i); tag != "" {
			text += " " + strconv.Quote(tag)
		}
		fields = append(fields, text)
	}
	return braced("struct", fields)
}

func interfaceName(t *types.Interface, arg bool) string {
	var methods []string
	for m := range t.Methods() {
		name := m.Name()
		if !token.IsExported(name) && m.Pkg() != nil {
			name = packageText(m.Pkg(), arg) + "." + name
		}
		methods = append(methods, name+signatureName(m.Signature(), arg))
	}
	return braced("interface", methods)
}

func braced(word string, list []string) string {
	if len(list) == 0 {
		return word + " {}"
	}
	return word + " { " + strings.Join(list, "; ") + " }"
}
