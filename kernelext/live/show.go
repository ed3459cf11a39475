package live

import (
	"fmt"
	"reflect"

	"github.com/ddps-go/ddps/kernelext"
)

// show displays the values of the last expression. An error as the last of them is returned if it is not nil and
// dropped if it is; so is the nil of a call.
func (s *Session) show(values []any, call bool) error {
	n := len(values)
	if n == 0 || n == 1 && call && values[0] == nil {
		return nil
	}
	if err, ok := values[n-1].(error); ok {
		return err
	}
	if n > 1 && values[n-1] == nil {
		values = values[:n-1]
	}
	for i, v := range values {
		if v != nil && nests(indirect(reflect.TypeOf(v))) && cyclic(v) {
			v = fmt.Sprintf("a value of type %T that holds itself", v)
		}
		var data, metadata map[string]any
		s.es.Attend(func() { data, metadata = kernelext.Bundle(v) })
		if _, run, _ := s.calm(); run.Fatal() != nil { // its methods do not end
			return run.Fatal()
		}
		if i == 0 {
			s.out.Result(data, metadata)
		} else {
			s.out.Display(data, metadata, "", false)
		}
	}
	return nil
}

// text returns what f gives, which may call methods of cells, or what they end with.
func (s *Session) text(f func() string) (text string) {
	_, run, _ := s.calm()
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("panic in a method: %v", r)
		}
		if why := run.Fatal(); why != nil {
			text = why.Error()
		}
	}()
	s.es.Attend(func() { text = f() })
	return text
}
