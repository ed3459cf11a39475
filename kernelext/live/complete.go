package live

import (
	"go/token"
	"maps"
	"path"
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
// nothing beyond the facade and packages while a cell runs.
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
		if strings.HasPrefix(n, prefix) && !strings.Contains(n, "·") {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return names, start
}

// try takes the session if no cell runs.
func (s *Session) try() (release func(), ok bool) {
	busy := s.busy
	select {
	case busy <- struct{}{}:
		return func() { <-busy }, true
	default:
		return func() {}, false
	}
}

func (s *Session) topLevel(set map[string]bool, free bool) {
	for t := token.BREAK; t <= token.VAR; t++ {
		set[t.String()] = true
	}
	for _, n := range strings.Fields("append cap close copy delete len make max min must new panic print println recover true false nil any bool byte error float64 int string") {
		set[n] = true
	}
	for n := range s.names.known {
		set[n] = true
	}
	for n := range s.names.facade {
		if n[0] != '_' { // a wrapper
			set[n] = true
		}
	}
	if free {
		for n := range s.names.own {
			set[n] = true
		}
		for n := range s.names.alias {
			set[n] = true
		}
	}
}

// members adds what may follow "name." : a package's names, or a value's fields and methods.
func (s *Session) members(set map[string]bool, name string, free bool) {
	first, _, _ := strings.Cut(name, ".")
	if p := s.names.packageOf(first); p != "" && first == name && !(free && s.names.own[name]) {
		for n := range s.tables[p+"/"+s.pkgName[p]] {
			if n[0] != '_' {
				set[n] = true
			}
		}
		return
	}
	if !free || !s.names.own[first] {
		return
	}
	if v := s.value(name); v.IsValid() {
		memberNames(set, v.Type())
	}
}

// value returns what a dotted name of variables and fields stands for. It calls nothing.
func (s *Session) value(name string) reflect.Value {
	parts := strings.Split(name, ".")
	v := s.global(parts[0])
	for _, p := range parts[1:] {
		for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) {
			v = v.Elem()
		}
		if !v.IsValid() || v.Kind() != reflect.Struct {
			return reflect.Value{}
		}
		v = v.FieldByName(p)
	}
	if v.IsValid() && v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	return v
}

// global returns a variable of cells.
func (s *Session) global(name string) (v reflect.Value) {
	defer func() {
		if recover() != nil { // it is no value
			v = reflect.Value{}
		}
	}()
	v, err := s.in.Eval(name)
	if err != nil {
		return reflect.Value{}
	}
	return v
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
	if free && s.names.own[first] {
		return s.inspectValue(name)
	}
	if s.names.facade[name] || first == "lab" {
		return facadeText(strings.TrimPrefix(name, "lab."))
	}
	p := s.names.packageOf(first)
	switch {
	case p == "":
		return ""
	case !dotted:
		return "package " + path.Base(p) + " // import \"" + p + "\"\n\n" + strings.Join(slices.DeleteFunc(
			slices.Sorted(maps.Keys(s.tables[p+"/"+s.pkgName[p]])), func(n string) bool { return n[0] == '_' }), " ")
	}
	if v := s.tables[p+"/"+s.pkgName[p]][rest]; v.IsValid() {
		return describeSymbol(name, v)
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

func (s *Session) inspectValue(name string) string {
	v := s.value(name)
	if !v.IsValid() {
		return ""
	}
	set := map[string]bool{}
	memberNames(set, v.Type())
	text := strings.ReplaceAll(name+" "+v.Type().String(), "main.", "")
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
	return slices.Sorted(maps.Keys(s.names.own))
}

// Members returns the exported names of the package that cells call name without importing it, in order, nil if there
// is none; with "" the names of those packages.
func (s *Session) Members(name string) []string {
	if name == "" {
		return slices.Sorted(maps.Keys(s.names.known))
	}
	p, ok := s.names.known[name]
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.tables[p+"/"+s.pkgName[p]])), func(n string) bool { return n[0] == '_' })
}
