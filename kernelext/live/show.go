package live

import (
	"go/ast"
	"strings"

	"github.com/ddps-go/ddps/kernelext"
)

// silent tells whether an expression's values are not worth showing: what fmt.Print… and its kin return.
func silent(x ast.Expr) bool {
	c, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && strings.HasPrefix(id.Name, "fmt") && (strings.HasPrefix(sel.Sel.Name, "Print") || strings.HasPrefix(sel.Sel.Name, "Fprint"))
}

// show displays the values of the last expression. An error as the last of them is raised if it is not nil and
// dropped if it is.
func (s *Session) show(values ...any) {
	if n := len(values); n > 0 {
		err, isErr := values[n-1].(error)
		if isErr {
			panic(&mustError{err})
		}
		if n > 1 && values[n-1] == nil {
			values = values[:n-1]
		}
	}
	for i, v := range values {
		if data, metadata := kernelext.Bundle(v); i == 0 {
			s.out.Result(data, metadata)
		} else {
			s.out.Display(data, metadata, "", false)
		}
	}
}

// gave is show of what a function returned: the nil of one that returns an error alone is not worth showing.
func (s *Session) gave(values ...any) {
	if len(values) != 1 || values[0] != nil {
		s.show(values...)
	}
}

// check raises the last of the values if it is an error.
func (s *Session) check(values ...any) {
	if len(values) == 0 {
		return
	}
	if err, ok := values[len(values)-1].(error); ok {
		panic(&mustError{err})
	}
}
