package live

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/ddps-go/ddps/kernelext"
)

// views are the values whose parts can be asked for, by number, since the variables were listed last.
type views struct {
	mu   sync.Mutex
	list []reflect.Value
	last []kernelext.Variable
}

func (v *views) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.list, v.last = nil, nil
}

// mostParts is how many parts of a variable are listed.
const mostParts = 200

// Variables returns the variables of the session, in the order of their names, or with a variable's Ref its parts:
// fields, elements, what a pointer points to; the first 200. While a cell runs they are as they were listed last.
func (s *Session) Variables(ref int) []kernelext.Variable {
	release, free := s.try()
	if free {
		defer release()
	}
	v := &s.views
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case !free && ref == 0:
		return v.last
	case !free || ref < 0 || ref > len(v.list):
		return nil
	case ref > 0:
		return v.parts(v.list[ref-1])
	}
	v.list, v.last = nil, nil
	for _, name := range s.es.Names() {
		if at := s.es.Value(name); at.IsValid() {
			v.last = append(v.last, v.variable(name, at))
		}
	}
	return v.last
}

// variable describes a value, and keeps it if it has parts.
func (v *views) variable(name string, at reflect.Value) kernelext.Variable {
	out := kernelext.Variable{Name: name, Type: typeText(at.Type()), Value: valueText(at), Size: -1}
	switch at.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array, reflect.Chan, reflect.String:
		out.Size = at.Len()
	}
	for at.Kind() == reflect.Interface && !at.IsNil() {
		at = at.Elem()
	}
	if hasParts(at) {
		v.list = append(v.list, at)
		out.Ref = len(v.list)
	}
	return out
}

func hasParts(at reflect.Value) bool {
	switch at.Kind() {
	case reflect.Struct:
		return at.NumField() > 0
	case reflect.Slice, reflect.Array, reflect.Map:
		return at.Len() > 0
	case reflect.Pointer:
		return !at.IsNil()
	}
	return false
}

func (v *views) parts(at reflect.Value) (list []kernelext.Variable) {
	add := func(name string, part reflect.Value) { list = append(list, v.variable(name, part)) }
	switch at.Kind() {
	case reflect.Struct:
		for i := range at.NumField() {
			add(at.Type().Field(i).Name, at.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range min(at.Len(), mostParts) {
			add(fmt.Sprintf("[%d]", i), at.Index(i))
		}
	case reflect.Map:
		keys := at.MapKeys()
		text := func(k reflect.Value) string { return fmt.Sprint(k) }
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(text(a), text(b)) })
		for _, k := range keys[:min(len(keys), mostParts)] {
			add("["+text(k)+"]", at.MapIndex(k))
		}
	case reflect.Pointer:
		if e := at.Elem(); e.Kind() == reflect.Struct {
			return v.parts(e)
		}
		add("*", at.Elem())
	}
	return list
}

// typeText writes a type as cells do.
func typeText(t reflect.Type) string { return strings.ReplaceAll(t.String(), "main.", "") }

// valueText writes a value on a short line. Long lists are not written out to be cut.
func valueText(at reflect.Value) string {
	const most = 50
	switch {
	case (at.Kind() == reflect.Slice || at.Kind() == reflect.Array || at.Kind() == reflect.Map) && at.Len() > most:
		return fmt.Sprintf("%d elements", at.Len())
	case at.CanInterface() && at.IsValid() && nests(indirect(at.Type())) && cyclic(at.Interface()):
		return "holds itself"
	case at.Kind() == reflect.Func:
		return typeText(at.Type())
	case at.Kind() == reflect.String:
		return brief(fmt.Sprintf("%q", at.String()))
	case at.CanInterface():
		return brief(fmt.Sprintf("%+v", at.Interface()))
	}
	return brief(fmt.Sprintf("%+v", at))
}
