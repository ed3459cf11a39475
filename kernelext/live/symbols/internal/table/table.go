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

// add enters an exported object. Generic functions and types are left out: there is no value of them.
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
	iface, ok := o.Type().Underlying().(*types.Interface)
	if ok && !iface.IsMethodSet() {
		return // a constraint
	}
	t.entry(o.Name(), "(*"+full()+")(nil)")
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
	fmt.Fprintf(&b, "// %s returns the symbols of package %s.\nfunc %s() map[string]reflect.Value {\nreturn "+
		"map[string]reflect.Value{\n", t.ident, t.pkg.Path(), t.ident)
	for _, line := range t.lines {
		b.WriteString(line + ",\n")
	}
	b.WriteString("}\n}\n")
	return b.Bytes()
}
