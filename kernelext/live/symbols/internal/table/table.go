package table

import (
	"bytes"
	"fmt"
	"go/constant"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// table is the source of one package's symbols.
type table struct {
	pkg     *types.Package
	ident   string            // name of the function that returns the table
	imports map[string]string // path → name
	lines   []string
	wraps   bytes.Buffer
}

// newTable returns the table of the exported names that keep takes.
func newTable(pkg *types.Package, keep func(name string) bool) *table {
	t := &table{pkg: pkg, ident: identifier(pkg.Path()), imports: map[string]string{"reflect": "reflect"}}
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		if o := scope.Lookup(name); o.Exported() && keep(name) {
			t.add(o)
		}
	}
	return t
}

// name returns how the file calls a package, and imports it.
func (t *table) name(p *types.Package) string {
	if name, ok := t.imports[p.Path()]; ok {
		return name
	}
	name := p.Name()
	for taken := true; taken; {
		taken = false
		for _, other := range t.imports {
			taken = taken || other == name
		}
		if taken {
			name += "x"
		}
	}
	t.imports[p.Path()] = name
	return name
}

func (t *table) entry(name, value string) {
	t.lines = append(t.lines, fmt.Sprintf("%q: reflect.ValueOf(%s)", name, value))
}

// add enters an exported object. Generic functions and types are left out: the interpreter has no use for them.
func (t *table) add(o types.Object) {
	full := func() string { return t.name(t.pkg) + "." + o.Name() }
	switch o := o.(type) {
	case *types.Const:
		if b, ok := o.Type().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			t.entry(o.Name(), t.untyped(o.Val(), full))
			return
		}
		t.entry(o.Name(), full())
	case *types.Func:
		if o.Signature().TypeParams().Len() == 0 {
			t.entry(o.Name(), full())
		}
	case *types.Var:
		t.lines = append(t.lines, fmt.Sprintf("%q: reflect.ValueOf(&%s).Elem()", o.Name(), full()))
	case *types.TypeName:
		t.typ(o, full)
	}
}

// untyped returns the expression of an untyped constant: numbers as constant.Value, which no type can overflow. Text
// and whole numbers of the standard library are those of the release and the system that compile the table.
func (t *table) untyped(v constant.Value, full func() string) string {
	kind, text := "", v.ExactString()
	switch v.Kind() {
	case constant.Int:
		kind = "INT"
	case constant.Float:
		kind, text = "FLOAT", floatText(constant.ToFloat(v))
	case constant.String:
		kind = "STRING"
	default:
		return full()
	}
	t.imports["go/constant"] = "constant"
	if standard(t.pkg.Path()) {
		if f := maker(v); f != "" {
			return "constant." + f + "(" + full() + ")"
		}
	}
	t.imports["go/token"] = "token"
	return fmt.Sprintf("constant.MakeFromLiteral(%q, token.%s, 0)", text, kind)
}

// maker returns the name of the function of go/constant that keeps a value as it is, "" if there is none.
func maker(v constant.Value) string {
	switch v.Kind() {
	case constant.String:
		return "MakeString"
	case constant.Int:
		if _, fits := constant.Int64Val(v); fits {
			return "MakeInt64"
		}
	}
	return ""
}

func (t *table) typ(o *types.TypeName, full func() string) {
	if n, ok := o.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
		return
	}
	if a, ok := o.Type().(*types.Alias); ok && a.TypeParams().Len() > 0 {
		return
	}
	iface, isInterface := o.Type().Underlying().(*types.Interface)
	if isInterface && !iface.IsMethodSet() {
		return // a constraint
	}
	t.entry(o.Name(), "(*"+full()+")(nil)")
	if isInterface {
		t.wrap(o.Name(), iface)
	}
}

// wrap writes the struct by which an interpreted type satisfies a compiled interface.
func (t *table) wrap(name string, iface *types.Interface) {
	for m := range iface.Methods() {
		if !m.Exported() {
			return // nobody outside can satisfy it
		}
	}
	wrapper := strings.TrimPrefix(t.ident, "of") + name + "Wrapper"
	wrapper = strings.ToLower(wrapper[:1]) + wrapper[1:]
	t.entry("_"+name, "(*"+wrapper+")(nil)")
	fmt.Fprintf(&t.wraps, "\n// %s lets an interpreted value be a %s.\ntype %s struct {\nIValue any\n", wrapper, name, wrapper)
	for m := range iface.Methods() {
		params, results, _ := t.signature(m.Signature())
		fmt.Fprintf(&t.wraps, "W%s func(%s) %s\n", m.Name(), params, results)
	}
	t.wraps.WriteString("}\n")
	for m := range iface.Methods() {
		params, results, args := t.signature(m.Signature())
		ret := ""
		if m.Signature().Results().Len() > 0 {
			ret = "return "
		}
		guard := ""
		if m.Name() == "String" {
			guard = "if w.WString == nil {\nreturn \"\"\n}\n"
		}
		fmt.Fprintf(&t.wraps, "\nfunc (w %s) %s(%s) %s {\n%s%sw.W%s(%s)\n}\n", wrapper, m.Name(), params, results, guard, ret, m.Name(), args)
	}
}

// signature returns parameters, results and the arguments that pass the parameters on.
func (t *table) signature(s *types.Signature) (params, results, args string) {
	var ps, as, rs []string
	for i := range s.Params().Len() {
		typ := types.TypeString(s.Params().At(i).Type(), t.name)
		arg := fmt.Sprintf("a%d", i)
		if s.Variadic() && i == s.Params().Len()-1 {
			typ = "..." + strings.TrimPrefix(typ, "[]")
			ps, as = append(ps, arg+" "+typ), append(as, arg+"...")
			continue
		}
		ps, as = append(ps, arg+" "+typ), append(as, arg)
	}
	for i := range s.Results().Len() {
		rs = append(rs, types.TypeString(s.Results().At(i).Type(), t.name))
	}
	return strings.Join(ps, ", "), "(" + strings.Join(rs, ", ") + ")", strings.Join(as, ", ")
}

// source returns the unformatted file.
func (t *table) source() []byte {
	var b bytes.Buffer
	b.WriteString(header + "import (\n")
	var std, other []string
	for _, p := range slices.Sorted(maps.Keys(t.imports)) {
		line := fmt.Sprintf("%q\n", p)
		if name := t.imports[p]; !strings.HasSuffix("/"+p, "/"+name) {
			line = name + " " + line
		}
		if strings.Contains(strings.SplitN(p, "/", 2)[0], ".") {
			other = append(other, line)
		} else {
			std = append(std, line)
		}
	}
	b.WriteString(strings.Join(std, "") + "\n" + strings.Join(other, "") + ")\n\n")
	fmt.Fprintf(&b, "// %s returns the symbols of package %s.\nfunc %s() map[string]reflect.Value {\nreturn map[string]reflect.Value{\n", t.ident, t.pkg.Path(), t.ident)
	for _, line := range t.lines {
		b.WriteString(line + ",\n")
	}
	b.WriteString("}\n}\n")
	b.Write(t.wraps.Bytes())
	return b.Bytes()
}
