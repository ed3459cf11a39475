package live

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"strconv"
	"strings"

	"github.com/traefik/yaegi/interp"
)

// errUnknown is what the interpreter's own failures on code that it does not understand become.
var errUnknown = errors.New("the interpreter does not know this kind of code")

// beyond tells whether the interpreter could not find the types of a definition at the top level: it looks for them
// before it looks at types of compiled code, and so knows neither d.Paths[0] nor v, ok := m[k] there. Inside a
// function it does.
func beyond(err error) bool {
	return errors.Is(err, errUnknown) || strings.HasSuffix(err.Error(), "definition loop")
}

// definition returns the assignment if it is x, y := … alone.
func definition(it *item) *ast.AssignStmt {
	if it.stmt == nil || len(it.stmt.List) != 1 {
		return nil
	}
	if a, ok := it.stmt.List[0].(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		return a
	}
	return nil
}

// keep runs a definition in a function, and defines the variables by what they held there:
//
//	func() { x, y := …; keep(&x, &y) }()
//	x, y := kept.V0, kept.V1
func (s *Session) keep(ctx context.Context, a *ast.AssignStmt) error {
	pos := a.Pos()
	var kept []any
	fresh := &ast.AssignStmt{TokPos: pos, Tok: token.DEFINE, Rhs: a.Rhs}
	var refs []ast.Expr
	for _, x := range a.Lhs {
		id, ok := x.(*ast.Ident)
		if !ok {
			return errUnknown
		}
		fresh.Lhs = append(fresh.Lhs, use(id))
		if id.Name != "_" {
			refs = append(refs, &ast.UnaryExpr{OpPos: pos, Op: token.AND, X: use(id)})
		}
	}
	body := &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{fresh, &ast.ExprStmt{X: call(keepName, pos, refs...)}}, Rbrace: a.End()}
	lit := &ast.FuncLit{Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{}}, Body: body}
	p, err := s.compileLoops(&ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{&ast.ExprStmt{X: &ast.CallExpr{Fun: lit, Lparen: pos, Rparen: pos}}}, Rbrace: a.End()})
	if err != nil {
		return err
	}
	s.kept = func(values ...any) { kept = values }
	if err := s.execute(ctx, p); err != nil {
		return err
	}
	return s.restore(a, kept)
}

// restore defines the variables on the left of a by the values that pointers lead to.
func (s *Session) restore(a *ast.AssignStmt, pointers []any) error {
	s.temps++
	name := "kept" + strconv.Itoa(s.temps)
	table := map[string]reflect.Value{}
	var lhs, rhs []ast.Expr
	for _, x := range a.Lhs {
		id := x.(*ast.Ident)
		if id.Name == "_" {
			continue
		}
		if len(rhs) == len(pointers) {
			return fmt.Errorf("%w (a value is missing)", errUnknown)
		}
		v := "V" + strconv.Itoa(len(rhs))
		table[v] = reflect.ValueOf(pointers[len(rhs)]).Elem()
		lhs = append(lhs, use(id))
		rhs = append(rhs, &ast.SelectorExpr{X: ident(name, a.Pos()), Sel: ident(v, a.Pos())})
	}
	if err := s.in.Use(interp.Exports{"ddps/" + name + "/" + name: table}); err != nil {
		return err
	}
	if _, err := s.use("ddps/"+name, name); err != nil {
		return err
	}
	for i := range lhs {
		set := &ast.AssignStmt{Lhs: lhs[i : i+1], TokPos: a.Pos(), Tok: token.DEFINE, Rhs: rhs[i : i+1]}
		p, err := s.compile(&ast.BlockStmt{Lbrace: a.Pos(), List: []ast.Stmt{set}, Rbrace: a.End()})
		if err != nil {
			return err
		}
		if err := s.execute(context.Background(), p); err != nil {
			return err
		}
	}
	return nil
}
