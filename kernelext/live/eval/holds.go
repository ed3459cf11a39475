package eval

import (
	"reflect"
	"regexp"
)

// holds reports whether interfaces in what a variable holds have values of types of cells with these names, and
// whether that is not certain: functions may make such values, or there is too much to look through.
func (s *Session) holds(g *global, names map[string]bool) (found, unsure bool) {
	l := &look{names: names, plain: map[reflect.Type]bool{}, seen: map[seenValue]bool{}}
	if l.isPlain(g.rt) {
		return false, false
	}
	if !s.alone() { // goroutines may change it meanwhile
		return false, true
	}
	l.at(reflect.NewAt(g.rt, g.p).Elem(), 0)
	return l.found, l.unsure
}

// look goes through what a variable holds.
type look struct {
	names         map[string]bool
	plain         map[reflect.Type]bool // types whose values need no look
	seen          map[seenValue]bool
	n             int
	found, unsure bool
}

type seenValue struct {
	t   reflect.Type
	p   uintptr
	len int
}

// The most values that a look goes through, and how deep they nest.
const (
	maxLook      = 1_000_000
	maxLookDepth = 10_000
)

func (l *look) at(v reflect.Value, depth int) {
	if !v.IsValid() || l.found || l.isPlain(v.Type()) {
		return
	}
	if l.n++; l.n > maxLook || depth > maxLookDepth {
		l.unsure = true
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		at := seenValue{v.Type(), v.Pointer(), 0}
		if v.Kind() == reflect.Slice {
			at.len = v.Len()
		}
		if l.seen[at] {
			return
		}
		l.seen[at] = true
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.Kind() == reflect.Interface && !v.IsNil() {
			l.found = l.found || l.mentions(v.Elem().Type())
		}
		l.at(v.Elem(), depth+1)
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			l.at(it.Key(), depth+1)
			l.at(it.Value(), depth+1)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			l.at(v.Index(i), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			l.at(v.Field(i), depth+1)
		}
	default: // functions, channels of what is not plain, unsafe.Pointer
		l.unsure = l.unsure || !v.IsZero()
	}
}

// isPlain reports whether values of t lead to no interface, function or unsafe.Pointer.
func (l *look) isPlain(t reflect.Type) bool {
	p, ok := l.plain[t]
	if !ok {
		p = plainType(t, map[reflect.Type]bool{})
		l.plain[t] = p
	}
	return p
}

func plainType(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface, reflect.Func, reflect.UnsafePointer:
		return false
	case reflect.Map:
		return plainType(t.Key(), seen) && plainType(t.Elem(), seen)
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		return plainType(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if !plainType(t.Field(i).Type, seen) {
				return false
			}
		}
	}
	return true
}

var ofMain = regexp.MustCompile(`\bmain\.([\pL_][\pL\d_]*)`)

// mentions reports whether a type is made of one of the names.
func (l *look) mentions(t reflect.Type) bool {
	for _, m := range ofMain.FindAllStringSubmatch(t.String(), -1) {
		if l.names[m[1]] {
			return true
		}
	}
	return false
}
