package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

func (c *comp) assign(s *ast.AssignStmt) stmt {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		return c.update(s.Lhs[0], assignOp(s.Tok), s.Rhs[0])
	}
	define := s.Tok == token.DEFINE
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		return c.assignOne(s.Lhs[0], s.Rhs[0], define)
	}
	var prep []func(*frame)
	var in []func(*frame, unsafe.Pointer)
	switch {
	case len(s.Rhs) > 1:
		targets, puts := c.targets(s.Lhs, define)
		for i, x := range s.Rhs {
			e := c.expr(x)
			if t := targets[i]; t != nil {
				e = c.convert(e, t)
			} else if e.isNil {
				e = c.zero(types.Typ[types.UnsafePointer])
			}
			p, v := c.copied(e)
			prep, in = append(prep, p), append(in, v.into())
		}
		return func(fr *frame) ctl {
			puts.prepare(fr)
			for _, p := range prep {
				p(fr)
			}
			puts.store(fr, in)
			return next
		}
	default:
		before := c.placeCalls(s.Lhs)
		run, vals := c.several(s.Rhs[0])
		prepare, store := c.storing(s.Lhs, vals, define)
		return func(fr *frame) ctl {
			before(fr)
			run(fr)
			prepare(fr)
			store(fr)
			return next
		}
	}
}

// several returns the values of one expression that gives more than one.
func (c *comp) several(x ast.Expr) (run func(*frame), vals []*expr) {
	if call, ok := ast.Unparen(x).(*ast.CallExpr); ok {
		return c.spread(c.call(call))
	}
	v, ok := c.pair(x)
	if v == nil {
		panic(unsupported("this assignment"))
	}
	prepare, held := c.copied(v)
	return prepare, []*expr{held, ok}
}

// putter stores values in several places.
type putter struct {
	prepare func(*frame)
	store   func(*frame, []func(*frame, unsafe.Pointer))
}

func (c *comp) targets(lhs []ast.Expr, define bool) (ts []types.Type, p putter) {
	var places []place
	for _, x := range lhs {
		pl := c.left(x, define)
		places, ts = append(places, pl), append(ts, pl.t)
	}
	p.prepare = func(fr *frame) {
		for _, pl := range places {
			if pl.prepare != nil {
				pl.prepare(fr)
			}
		}
	}
	p.store = func(fr *frame, in []func(*frame, unsafe.Pointer)) {
		for i, pl := range places {
			if pl.put != nil {
				pl.put(fr, in[i])
			}
		}
	}
	return ts, p
}

// store compiles the assignment of values that are there to the left side.
func (c *comp) store(lhs []ast.Expr, vals []*expr, define bool) func(*frame) {
	prepare, store := c.storing(lhs, vals, define)
	return func(fr *frame) {
		prepare(fr)
		store(fr)
	}
}

// storing is store in two steps: the operands of the left side, and the assignment.
func (c *comp) storing(lhs []ast.Expr, vals []*expr, define bool) (prepare, store func(*frame)) {
	ts, p := c.targets(lhs, define)
	in := make([]func(*frame, unsafe.Pointer), len(vals))
	for i, v := range vals {
		if ts[i] != nil {
			vals[i] = c.convert(v, ts[i])
		}
		in[i] = vals[i].into()
	}
	return p.prepare, func(fr *frame) { p.store(fr, in) }
}

// left compiles one name or place on the left side.
func (c *comp) left(x ast.Expr, define bool) place {
	if obj := c.newVar(x, define); obj != nil {
		return c.bind(obj)
	}
	return c.target(x, true)
}

// newVar returns the variable that x begins, nil if there is one already.
func (c *comp) newVar(x ast.Expr, define bool) types.Object {
	id, ok := x.(*ast.Ident)
	switch {
	case !ok || id.Name == "_":
		return nil
	case c.u.lifted[id]:
		return c.u.info.Uses[id]
	case define:
		return c.u.info.Defs[id]
	}
	return nil
}

// bind is a new variable as a place.
func (c *comp) bind(obj types.Object) place {
	t := c.sub.typ(obj.Type())
	rt := rtype.Of(c.w.types.rt(t))
	if g := c.w.globalFor(obj, c.u); g != nil {
		return place{t: t, put: func(fr *frame, in func(*frame, unsafe.Pointer)) {
			p := rtype.New(rt)
			in(fr, p)
			g.set(p, obj, fr.th.w)
		}}
	}
	v, _ := c.declare(obj)
	if off, ok := c.boxAt[obj]; ok {
		return place{t: t, put: func(fr *frame, in func(*frame, unsafe.Pointer)) {
			p := rtype.New(rt)
			in(fr, p)
			*(*unsafe.Pointer)(unsafe.Add(fr.mem, off)) = p
		}}
	}
	off := v.off
	return place{t: t, put: func(fr *frame, in func(*frame, unsafe.Pointer)) { in(fr, unsafe.Add(fr.mem, off)) }}
}

func (c *comp) declStmt(d *ast.GenDecl) stmt {
	if d.Tok == token.TYPE && len(c.sub) > 0 {
		panic(unsupported("a type declared in a generic function"))
	}
	if d.Tok != token.VAR {
		return func(*frame) ctl { return next }
	}
	var run []stmt
	for _, sp := range d.Specs {
		vs := sp.(*ast.ValueSpec)
		var lhs []ast.Expr
		for _, n := range vs.Names {
			lhs = append(lhs, n)
		}
		switch {
		case len(vs.Values) > 0:
			run = append(run, c.stmt(&ast.AssignStmt{Lhs: lhs, Tok: token.DEFINE, Rhs: vs.Values, TokPos: vs.Pos()}, nil))
		default:
			for _, n := range vs.Names {
				if obj := c.u.info.Defs[n]; obj != nil && n.Name != "_" {
					_, begin := c.declare(obj)
					run = append(run, func(fr *frame) ctl { begin(fr); return next })
				}
			}
		}
	}
	return func(fr *frame) ctl {
		for _, s := range run {
			s(fr)
		}
		return next
	}
}
