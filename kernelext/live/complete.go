package live

import (
	"go/token"
	"reflect"
	"slices"
	"strings"
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
