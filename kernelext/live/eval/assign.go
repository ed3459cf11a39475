package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// place is where a value can be stored: prepare evaluates what it depends on, put stores.
type place struct {
	t       types.Type
	prepare func(*frame)
	put     func(fr *frame, in func(*frame, unsafe.Pointer))
}

// target compiles the left side of an assignment. It evaluates nothing but in prepare and put; with hold, put relies
// on what prepare found.
func (c *comp) target(x ast.Expr, hold bool) place {
	x = ast.Unparen(x)
	if id, ok := x.(*ast.Ident); ok && id.Name == "_" {
		return place{}
	}
	if ix, ok := x.(*ast.IndexExpr); ok {
		if m, ok := c.typeOf(ix.X).Underlying().(*types.Map); ok {
			return c.mapPlace(ix, m)
		}
	}
	if hold {
		if pl, ok := c.held(x); ok {
			return pl
		}
	}
	e := c.expr(x)
	p := e.p
	return place{t: e.t, put: func(fr *frame, in func(*frame, unsafe.Pointer)) { in(fr, p(fr)) }}
}

// held is a place whose operands prepare evaluates; put follows the pointer or checks the index, as Go does when it
// assigns.
func (c *comp) held(x ast.Expr) (place, bool) {
	switch x := x.(type) {
	case *ast.StarExpr:
		keep, p := c.copied(c.expr(x.X))
		return c.putAt(c.deref(p, c.typeOf(x)), keep), true
	case *ast.SelectorExpr:
		sel := c.u.info.Selections[x]
		if sel == nil {
			return place{}, false
		}
		base := c.expr(x.X)
		_, index, _ := types.LookupFieldOrMethod(base.t, true, c.u.pkg, x.Sel.Name)
		if _, ok := base.t.Underlying().(*types.Pointer); ok {
			keep, p := c.copied(base)
			return c.putAt(c.field(p, index), keep), true
		}
		keep, p := c.heldAddress(base)
		return c.putAt(c.field(p, index), keep), true
	case *ast.IndexExpr:
		base := c.expr(x.X)
		keepI, i := c.copied(c.expr(x.Index))
		var keep func(*frame)
		var e *expr
		switch t := base.t.Underlying().(type) {
		case *types.Slice:
			k, s := c.copied(base)
			keep, e = k, c.element(s, t.Elem(), i)
		case *types.Pointer:
			k, p := c.copied(base)
			keep, e = k, c.arrayElement(c.deref(p, t.Elem()), t.Elem().Underlying().(*types.Array), i)
		case *types.Array:
			k, p := c.heldAddress(base)
			keep, e = k, c.arrayElement(p, t, i)
		default:
			return place{}, false
		}
		return c.putAt(e, func(fr *frame) { keep(fr); keepI(fr) }), true
	}
	return place{}, false
}

func (c *comp) putAt(e *expr, keep func(*frame)) place {
	p := e.p
	return place{t: e.t, prepare: keep, put: func(fr *frame, in func(*frame, unsafe.Pointer)) { in(fr, p(fr)) }}
}

// heldAddress keeps the address of a variable.
func (c *comp) heldAddress(e *expr) (keep func(*frame), held *expr) {
	if e.off >= 0 {
		return func(*frame) {}, e
	}
	at, p := c.slot(reflect.TypeFor[unsafe.Pointer]()), e.p
	held = c.load(e.t, func(fr *frame) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Add(fr.mem, at)) })
	held.addr = true
	return func(fr *frame) { *(*unsafe.Pointer)(unsafe.Add(fr.mem, at)) = p(fr) }, held
}

// mapPlace is m[k] as a place.
func (c *comp) mapPlace(x *ast.IndexExpr, t *types.Map) place {
	keepM, m := c.copied(c.expr(x.X))
	keepK, k := c.copied(c.convert(c.expr(x.Index), t.Key()))
	mv, kv := c.value(m), c.value(k)
	rt := c.w.types.rt(t.Elem())
	off := c.slot(rt)
	return place{t: t.Elem(),
		prepare: func(fr *frame) { keepM(fr); keepK(fr) },
		put: func(fr *frame, in func(*frame, unsafe.Pointer)) {
			p := unsafe.Add(fr.mem, off)
			in(fr, p)
			mv(fr).SetMapIndex(kv(fr), reflect.NewAt(rt, p).Elem())
		}}
}

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
		run, vals := c.several(s.Rhs[0])
		prepare, store := c.storing(s.Lhs, vals, define)
		return func(fr *frame) ctl {
			prepare(fr)
			run(fr)
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

func (c *comp) assignOne(l, r ast.Expr, define bool) stmt {
	if id, ok := l.(*ast.Ident); ok && id.Name == "_" {
		e := c.expr(r)
		if e.isNil {
			return func(*frame) ctl { return next }
		}
		prepare, _ := c.copied(e)
		return func(fr *frame) ctl { prepare(fr); return next }
	}
	e := c.expr(r)
	pl := place{}
	if obj := c.newVar(l, define); obj != nil {
		pl = c.bind(obj)
	} else {
		pl = c.target(l, calls(l))
	}
	e = c.convert(e, pl.t)
	if id, ok := l.(*ast.Ident); ok {
		if v := c.vars[c.u.info.ObjectOf(id)]; v != nil && v.off >= 0 {
			return storeLocal(v, e)
		}
	}
	if pl.prepare == nil && e.fam() != famP {
		in, put := e.into(), pl.put
		return c.valueFirst(e, in, put)
	}
	in := e.into()
	if e.fam() == famP { // the value first, then the place
		p, rt := e.p, rtype.Of(e.rt)
		at := c.slot(reflect.TypeFor[unsafe.Pointer]())
		in = func(fr *frame, dst unsafe.Pointer) { move(rt, dst, *(*unsafe.Pointer)(unsafe.Add(fr.mem, at))) }
		return func(fr *frame) ctl {
			if pl.prepare != nil {
				pl.prepare(fr)
			}
			*(*unsafe.Pointer)(unsafe.Add(fr.mem, at)) = p(fr)
			pl.put(fr, in)
			return next
		}
	}
	return func(fr *frame) ctl {
		pl.prepare(fr)
		pl.put(fr, in)
		return next
	}
}

// valueFirst stores a scalar after it was evaluated.
func (c *comp) valueFirst(e *expr, _ func(*frame, unsafe.Pointer), put func(*frame, func(*frame, unsafe.Pointer))) stmt {
	prepare, held := c.copied(e)
	in := held.into()
	return func(fr *frame) ctl {
		prepare(fr)
		put(fr, in)
		return next
	}
}

// storeLocal stores e in a local that is not boxed.
func storeLocal(v, e *expr) stmt {
	off := v.off
	switch {
	case v.k == reflect.Int || v.k == reflect.Int64:
		x := e.i
		return func(fr *frame) ctl { *(*int64)(unsafe.Add(fr.mem, off)) = x(fr); return next }
	case v.k == reflect.Float64:
		x := e.f
		return func(fr *frame) ctl { *(*float64)(unsafe.Add(fr.mem, off)) = x(fr); return next }
	}
	in := e.into()
	return func(fr *frame) ctl { in(fr, unsafe.Add(fr.mem, off)); return next }
}

// calls reports whether an expression may call something.
func calls(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

func assignOp(t token.Token) token.Token {
	return t - token.ADD_ASSIGN + token.ADD
}

// update compiles x op= y, and x++ where y is nil.
func (c *comp) update(x ast.Expr, op token.Token, y ast.Expr) stmt {
	x = ast.Unparen(x)
	if ix, ok := x.(*ast.IndexExpr); ok {
		if m, ok := c.typeOf(ix.X).Underlying().(*types.Map); ok {
			return c.updateMap(ix, m, op, y)
		}
	}
	e := c.expr(x)
	right := c.right(e.t, op, y)
	if e.off >= 0 && (e.k == reflect.Int || e.k == reflect.Float64) {
		if s := fastUpdate(e, op, right); s != nil {
			return s
		}
	}
	at := c.slot(reflect.TypeFor[unsafe.Pointer]())
	v := c.load(e.t, func(fr *frame) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Add(fr.mem, at)) })
	in, p := c.result(op, e.t, v, right).into(), e.p
	return func(fr *frame) ctl {
		dst := p(fr)
		*(*unsafe.Pointer)(unsafe.Add(fr.mem, at)) = dst
		in(fr, dst)
		return next
	}
}

// right returns y as what op takes on its right side; 1 where y is nil.
func (c *comp) right(t types.Type, op token.Token, y ast.Expr) *expr {
	if y == nil {
		return c.constant(t, one)
	}
	if op == token.SHL || op == token.SHR {
		return c.expr(y)
	}
	return c.convert(c.expr(y), t)
}

func (c *comp) result(op token.Token, t types.Type, a, b *expr) *expr {
	if op == token.SHL || op == token.SHR {
		return c.shift(op, t, a, b)
	}
	return c.arith(op, t, a, b)
}

func fastUpdate(e *expr, op token.Token, y *expr) stmt {
	off := e.off
	if e.k == reflect.Int {
		x := y.i
		switch {
		case y.konst != nil && op == token.ADD:
			k := constInt(y.konst)
			return func(fr *frame) ctl { *(*int64)(unsafe.Add(fr.mem, off)) += k; return next }
		case y.off >= 0 && op == token.ADD:
			at := y.off
			return func(fr *frame) ctl {
				*(*int64)(unsafe.Add(fr.mem, off)) += *(*int64)(unsafe.Add(fr.mem, at))
				return next
			}
		case op == token.ADD:
			return func(fr *frame) ctl { v := x(fr); *(*int64)(unsafe.Add(fr.mem, off)) += v; return next }
		case op == token.SUB:
			return func(fr *frame) ctl { v := x(fr); *(*int64)(unsafe.Add(fr.mem, off)) -= v; return next }
		}
		return nil
	}
	x := y.f
	switch op {
	case token.ADD:
		return func(fr *frame) ctl { v := x(fr); *(*float64)(unsafe.Add(fr.mem, off)) += v; return next }
	case token.MUL:
		return func(fr *frame) ctl { v := x(fr); *(*float64)(unsafe.Add(fr.mem, off)) *= v; return next }
	}
	return nil
}

func (c *comp) updateMap(x *ast.IndexExpr, t *types.Map, op token.Token, y ast.Expr) stmt {
	keepM, m := c.copied(c.expr(x.X))
	keepK, k := c.copied(c.convert(c.expr(x.Index), t.Key()))
	mv, kv := c.value(m), c.value(k)
	rt := c.w.types.rt(t.Elem())
	off := c.slot(rt)
	old := c.local(t.Elem(), off)
	res := c.result(op, t.Elem(), old, c.right(t.Elem(), op, y))
	prepare, held := c.copied(res)
	val := c.value(held)
	r, zero := rtype.Of(rt), reflect.New(rt).UnsafePointer()
	return func(fr *frame) ctl {
		keepM(fr)
		keepK(fr)
		p := unsafe.Add(fr.mem, off)
		move(r, p, zero)
		if v := mv(fr).MapIndex(kv(fr)); v.IsValid() {
			set(rt, p, v)
		}
		prepare(fr)
		mv(fr).SetMapIndex(kv(fr), val(fr))
		return next
	}
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
			run = append(run, c.assign(&ast.AssignStmt{Lhs: lhs, Tok: token.DEFINE, Rhs: vs.Values, TokPos: vs.Pos()}))
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
