package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"unsafe"
)

// first compiles the calls among operands ahead of the other operands, where one that a call may change stands before
// a call: the language leaves the order of n and inc() in f(n, inc()) open, and Go's compiler makes all calls of an
// expression first, in order, and reads variables after them. It returns nil where that makes no difference.
func (c *comp) first(xs ...ast.Expr) func(*frame) {
	o := operands{c: c}
	o.list(xs...)
	return c.ahead(o)
}

// ahead compiles the calls that were found, if some are late.
func (c *comp) ahead(o operands) func(*frame) {
	if !o.late {
		return nil
	}
	var run []func(*frame)
	for _, x := range o.calls {
		keep, v := c.copied(c.ordered(x))
		v.addr = false
		if c.early == nil {
			c.early = map[ast.Expr]*expr{}
		}
		c.early[x] = v
		run = append(run, keep)
	}
	return func(fr *frame) {
		for _, f := range run {
			f(fr)
		}
	}
}

// ordered compiles an expression whose calls come first.
func (c *comp) ordered(x ast.Expr) *expr {
	return c.after(c.first(x), func() *expr { return c.expr(x) })
}

// after compiles a value before which something else runs, if that is not nil.
func (c *comp) after(before func(*frame), compile func() *expr) *expr {
	e := compile()
	if before == nil {
		return e
	}
	keep, v := c.copied(e)
	off := v.off
	v = c.load(e.t, func(fr *frame) unsafe.Pointer {
		before(fr)
		keep(fr)
		return unsafe.Add(fr.mem, off)
	})
	v.rt, v.k = e.rt, e.k
	return v
}

// shared reports whether a call of another function may change v.
func (c *comp) shared(v *types.Var) bool {
	return c.u.esc[v] || c.vars[v] == nil
}

// callOperands is first for what a call consists of: what is called, and the arguments.
func (c *comp) callOperands(fun ast.Expr, sig *types.Signature, x *ast.CallExpr) func(*frame) {
	o := operands{c: c}
	f, _ := fun.(*ast.SelectorExpr)
	switch sel := c.u.info.Selections[f]; {
	case f == nil || sel == nil || sel.Kind() != types.MethodVal:
		o.callee(fun)
	case types.IsInterface(sel.Recv()):
		o.callee(f.X)
	default:
		o.walk(f.X)
		_, has := sel.Recv().Underlying().(*types.Pointer)
		_, wants := sel.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
		o.reads = o.reads || has && !wants
	}
	if t, ok := c.u.info.TypeOf(firstArg(x)).(*types.Tuple); ok && t.Len() != 1 {
		o.late = len(o.calls) > 0 // f()(g()): f first
	} else {
		for i, a := range x.Args {
			o.to(a, c.paramType(sig, i, x.Ellipsis.IsValid()))
		}
	}
	return c.ahead(o)
}

// paramType is the type that argument i becomes one of.
func (c *comp) paramType(sig *types.Signature, i int, spread bool) types.Type {
	last := sig.Params().Len() - 1
	if !sig.Variadic() || i < last || spread {
		return c.sub.typ(sig.Params().At(i).Type())
	}
	return c.sub.typ(sig.Params().At(last).Type().Underlying().(*types.Slice).Elem())
}

// statementOperands is first for the operands of a statement that are evaluated together, once.
func (c *comp) statementOperands(s ast.Stmt) func(*frame) {
	o := operands{c: c}
	switch s := s.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) != len(s.Rhs) {
			return nil
		}
		plain := s.Tok == token.ASSIGN || s.Tok == token.DEFINE
		for _, x := range s.Lhs {
			if plain {
				o.place(x)
			} else {
				o.walk(x)
			}
		}
		for i, x := range s.Rhs {
			var t types.Type
			if id, blank := s.Lhs[i].(*ast.Ident); plain && !(blank && id.Name == "_") {
				t = c.typeOf(s.Lhs[i])
			}
			o.to(x, t)
		}
	case *ast.ReturnStmt:
		for i, x := range s.Results {
			var t types.Type
			if len(s.Results) == len(c.resT) {
				t = c.resT[i]
			}
			o.to(x, t)
		}
	case *ast.SendStmt:
		o.list(s.Chan, s.Value)
	}
	return c.ahead(o)
}

// place walks what the place that x names depends on.
func (o *operands) place(x ast.Expr) {
	switch x := ast.Unparen(x).(type) {
	case *ast.SelectorExpr:
		o.list(x.X)
	case *ast.IndexExpr:
		o.list(x.X)
		if m, ok := o.c.typeOf(x.X).Underlying().(*types.Map); ok {
			o.key(x.Index, m)
			return
		}
		o.list(x.Index)
	case *ast.StarExpr:
		o.list(x.X)
	}
}

// placeCalls compiles the calls of a left side, which come before those of the right one.
func (c *comp) placeCalls(lhs []ast.Expr) func(*frame) {
	o := operands{c: c}
	for _, x := range lhs {
		o.place(x)
	}
	if len(o.calls) == 0 {
		return func(*frame) {}
	}
	o.late = true
	return c.ahead(o)
}
