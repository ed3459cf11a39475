package live

import (
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/kernelext/live/lab"
)

// word returns the dotted name that ends at byte pos of code, "m.Graph.Num", and where its last part starts.
func word(code string, pos int) (name string, start int) {
	pos = max(0, min(pos, len(code)))
	i := pos
	part := func(b byte) bool {
		return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
	}
	for i > 0 && (part(code[i-1]) || code[i-1] == '.') {
		i--
	}
	name = code[i:pos]
	start = pos
	for start > i && part(code[start-1]) {
		start--
	}
	return name, start
}

// Complete returns the names that may stand at byte pos of code, and the byte at which they start. It knows
// little while a cell runs.
func (s *Session) Complete(code string, pos int) (names []string, start int) {
	name, start := word(code, pos)
	dot := strings.LastIndexByte(name, '.')
	set := map[string]bool{}
	release, free := s.try()
	if free {
		defer release()
	}
	if dot < 0 {
		s.topLevel(set, free)
	} else {
		s.members(set, name[:dot], free)
	}
	prefix := name[dot+1:]
	for n := range set {
		if strings.HasPrefix(n, prefix) && n[0] != '_' {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return names, start
}

func (s *Session) topLevel(set map[string]bool, free bool) {
	for t := token.BREAK; t <= token.VAR; t++ {
		set[t.String()] = true
	}
	for _, n := range strings.Fields("append cap close copy delete len make max min must new panic print println recover true false nil any bool byte error float64 int string") {
		set[n] = true
	}
	set["must"] = true
	if !free {
		return
	}
	for _, list := range [][]string{s.es.Packages(), s.es.Bare(), s.es.Names()} {
		for _, n := range list {
			set[n] = true
		}
	}
}

// members adds what may follow "name." : a package's names, or a value's fields and methods.
func (s *Session) members(set map[string]bool, name string, free bool) {
	if !free {
		return
	}
	first, _, _ := strings.Cut(name, ".")
	if s.es.Object(first) == nil {
		if first == name {
			for _, n := range s.exported(name) {
				set[n] = true
			}
		}
		return
	}
	if v := s.value(strings.Split(name, ".")); v.IsValid() {
		memberNames(set, v.Type())
	}
}

// exported returns the names of the package that cells call name.
func (s *Session) exported(name string) (list []string) {
	pkg := s.es.Package(name)
	if pkg == nil {
		return nil
	}
	for _, n := range pkg.Scope().Names() {
		if token.IsExported(n) {
			list = append(list, n)
		}
	}
	return list
}

func memberNames(set map[string]bool, t reflect.Type) {
	for i := range t.NumMethod() {
		set[t.Method(i).Name] = true
	}
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		p := reflect.PointerTo(t)
		for i := range p.NumMethod() {
			set[p.Method(i).Name] = true
		}
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() || f.PkgPath == "main" {
				set[f.Name] = true
			}
		}
	}
}

// Inspect tells what the name around byte pos of code is: a function of the facade with its documentation, a
// package's name with its type, a variable with its type. "" if it is unknown.
func (s *Session) Inspect(code string, pos int) string {
	end := max(0, min(pos, len(code)))
	for end < len(code) && (code[end] == '_' || code[end] >= '0' && code[end] <= '9' || code[end] >= 'a' && code[end] <= 'z' || code[end] >= 'A' && code[end] <= 'Z') {
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
		set := map[string]bool{}
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
		if len(parts) > 1 {
			return ""
		}
		return types.ObjectString(obj, func(p *types.Package) string {
			if p.Path() == "main" {
				return ""
			}
			return p.Name()
		})
	}
	v := s.value(parts)
	if !v.IsValid() {
		return ""
	}
	set := map[string]bool{}
	memberNames(set, v.Type())
	text := name + " " + strings.ReplaceAll(v.Type().String(), "main.", "")
	if len(set) > 0 {
		text += "\n\n" + strings.Join(slices.Sorted(maps.Keys(set)), " ")
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

// Names returns what cells have defined at the top level, in order; nothing while a cell runs.
func (s *Session) Names() []string {
	release, ok := s.try()
	if !ok {
		return nil
	}
	defer release()
	return s.es.Names()
}

// Members returns the exported names of the package that cells call name without importing it, in order, nil if there
// is none; with "" the names of those packages. It knows nothing while a cell runs.
func (s *Session) Members(name string) []string {
	release, ok := s.try()
	if !ok {
		return nil
	}
	defer release()
	if name == "" {
		return s.es.Packages()
	}
	return s.exported(name)
}
