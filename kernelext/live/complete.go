package live

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/live/eval"
)

// word returns the dotted name that ends at byte pos of code, "m.Graph.Num", and where its last part starts.
func word(code string, pos int) (name string, start int) {
	pos = max(0, min(pos, len(code)))
	i := pos
	for i > 0 && (named(code[i-1]) || code[i-1] == '.') {
		i--
	}
	name = code[i:pos]
	start = pos
	for start > i && named(code[start-1]) {
		start--
	}
	return name, start
}

// named reports whether a byte may be of a name.
func named(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// Complete returns what may stand at byte pos of code, in the order of names, and the byte at which it starts. It knows
// little while a cell runs.
func (s *Session) Complete(code string, pos int) (list []kernelext.Candidate, start int) {
	name, start := word(code, pos)
	dot := strings.LastIndexByte(name, '.')
	set := candidates{}
	release, free := s.try()
	if free {
		defer release()
	}
	switch {
	case dot < 0:
		s.topLevel(set, free)
	case free:
		s.members(set, name[:dot])
		if len(set) == 0 {
			s.typed(set, code, start-1)
		}
	}
	prefix := name[dot+1:]
	for n, c := range set {
		if strings.HasPrefix(n, prefix) && n[0] != '_' {
			c.Name = n
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b kernelext.Candidate) int { return strings.Compare(a.Name, b.Name) })
	return list, start
}

// candidates are names with what they are; the first that is said of one holds.
type candidates map[string]kernelext.Candidate

func (c candidates) add(kind, typ string, names ...string) {
	for _, n := range names {
		if _, ok := c[n]; !ok {
			c[n] = kernelext.Candidate{Kind: kind, Type: typ}
		}
	}
}

func (c candidates) object(obj types.Object) {
	kind := "variable"
	switch obj.(type) {
	case *types.Func:
		kind = "function"
	case *types.TypeName:
		kind = "type"
	case *types.Const:
		kind = "constant"
	}
	c.add(kind, eval.TypeString(obj.Type()), obj.Name())
}

func (s *Session) topLevel(set candidates, free bool) {
	if free {
		for _, n := range s.es.Names() {
			set.object(s.es.Object(n))
		}
		for _, n := range s.es.Bare() {
			set.object(s.es.BareObject(n))
		}
	}
	for t := token.BREAK; t <= token.VAR; t++ {
		set.add("keyword", "", t.String())
	}
	set.add("function", "", strings.Fields("append cap clear close copy delete len make max min must new panic print "+
		"println recover")...)
	set.add("constant", "", "true", "false", "nil")
	set.add("type", "", strings.Fields("any bool byte error float64 int rune string")...)
	if free {
		set.add("package", "", s.es.Packages()...)
	}
}

// typed adds the fields and methods of the expression before the dot at byte dot of code, which the lines above it may
// explain.
func (s *Session) typed(set candidates, code string, dot int) {
	from := operand(code, dot)
	line := strings.LastIndexByte(code[:from], '\n') + 1
	above := code[:line]
	t := s.es.TypeOf(above + code[from:dot])
	if t == nil && above != "" {
		t = s.es.TypeOf(code[from:dot])
	}
	if t == nil {
		return
	}
	eval.Members(t, func(o types.Object) {
		kind := "field"
		if _, ok := o.(*types.Func); ok {
			kind = "method"
		}
		set.add(kind, eval.TypeString(o.Type()), o.Name())
	})
}

// operand returns the byte where the operand that ends at byte end of code begins: names, calls and indices in a row.
func operand(code string, end int) int {
	depth, i := 0, end
	for ; i > 0; i-- {
		switch b := code[i-1]; {
		case b == ')' || b == ']' || b == '}':
			depth++
		case (b == '(' || b == '[' || b == '{') && depth > 0:
			depth--
		case depth > 0 && b != '\n', b == '.', named(b):
		default:
			return i
		}
	}
	return i
}

// members adds what may follow "name." : a package's names, or a value's fields and methods.
func (s *Session) members(set candidates, name string) {
	first, _, _ := strings.Cut(name, ".")
	if s.es.Object(first) == nil {
		if pkg := s.es.Package(name); first == name && pkg != nil {
			for _, n := range pkg.Scope().Names() {
				if token.IsExported(n) {
					set.object(pkg.Scope().Lookup(n))
				}
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

// memberNames adds the methods and fields of a type.
func memberNames(set candidates, t reflect.Type) {
	methods := func(t reflect.Type, receiver bool) {
		for i := range t.NumMethod() {
			text := typeText(t.Method(i).Type)
			if receiver { // the first parameter
				text = "func(" + strings.TrimPrefix(strings.TrimPrefix(text, "func("+typeText(t)), ", ")
			}
			set.add("method", text, t.Method(i).Name)
		}
	}
	methods(t, t.Kind() != reflect.Interface)
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		methods(reflect.PointerTo(t), true)
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() || f.PkgPath == "main" {
				set.add("field", typeText(f.Type), f.Name)
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
