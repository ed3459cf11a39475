package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"
)

func (c *comp) goStmt(s *ast.GoStmt) stmt {
	prepare := c.laterCall(s.Call)
	return func(fr *frame) ctl {
		run := prepare(fr)
		fr.th.w.goroutine(fr.th.run, func(th *thread) { run(th, nil) })
		return next
	}
}

func (c *comp) deferStmt(s *ast.DeferStmt) stmt {
	c.cd.defers = true
	prepare := c.laterCall(s.Call)
	return func(fr *frame) ctl {
		run := prepare(fr)
		fr.defers = append(fr.defers, func(fr *frame) { run(fr.th, fr) })
		return next
	}
}

// laterCall evaluates a call's function and arguments and returns what makes it.
func (c *comp) laterCall(x *ast.CallExpr) func(*frame) func(*thread, *frame) {
	tv := c.u.info.Types[x.Fun]
	if tv.IsBuiltin() {
		run := c.effect(x)
		return func(fr *frame) func(*thread, *frame) {
			f := run(fr)
			return func(_ *thread, deferrer *frame) { f(deferrer) }
		}
	}
	if tv.IsType() {
		panic(unsupported("a conversion here"))
	}
	return c.call(x).go_
}

func (c *comp) sendStmt(s *ast.SendStmt) stmt {
	e := c.expr(s.Chan)
	ch := c.value(e)
	v := c.value(c.convert(c.expr(s.Value), e.t.Underlying().(*types.Chan).Elem()))
	return func(fr *frame) ctl {
		to := ch(fr)
		fr.th.send(to, v(fr))
		return next
	}
}

func (c *comp) selectStmt(s *ast.SelectStmt, l *label) stmt {
	type arm struct {
		ch, val func(*frame) reflect.Value
		dir     reflect.SelectDir
		got     func(*frame, reflect.Value, bool)
		body    stmt
	}
	var arms []arm
	for _, cl := range s.Body.List {
		cc := cl.(*ast.CommClause)
		a := arm{dir: reflect.SelectDefault}
		switch comm := cc.Comm.(type) {
		case *ast.SendStmt:
			e := c.expr(comm.Chan)
			a.dir, a.ch = reflect.SelectSend, c.value(e)
			a.val = c.value(c.convert(c.expr(comm.Value), e.t.Underlying().(*types.Chan).Elem()))
		case *ast.ExprStmt:
			a.dir, a.ch = reflect.SelectRecv, c.value(c.expr(ast.Unparen(comm.X).(*ast.UnaryExpr).X))
		case *ast.AssignStmt:
			e := c.expr(ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr).X)
			a.dir, a.ch = reflect.SelectRecv, c.value(e)
			a.got = c.received(comm, e.t.Underlying().(*types.Chan).Elem())
		}
		a.body = c.block(cc.Body)
		arms = append(arms, a)
	}
	return func(fr *frame) ctl {
		var cases []reflect.SelectCase
		blocks := true
		for _, a := range arms {
			sc := reflect.SelectCase{Dir: a.dir}
			if a.dir != reflect.SelectDefault {
				sc.Chan = own(a.ch(fr))
			} else {
				blocks = false
			}
			if a.val != nil {
				sc.Send = own(a.val(fr))
			}
			cases = append(cases, sc)
		}
		fr.th.check()
		if blocks {
			cases = append(cases, fr.th.ended())
		}
		i, v, ok := reflect.Select(cases)
		if i == len(arms) {
			fr.th.abort()
		}
		if arms[i].got != nil {
			arms[i].got(fr, v, ok)
		}
		k := arms[i].body(fr)
		if k == brk && (fr.target == nil || fr.target == l) {
			fr.target = nil
			return next
		}
		return k
	}
}

// received compiles what v, ok := <-ch in a select does with what came.
func (c *comp) received(s *ast.AssignStmt, elem types.Type) func(*frame, reflect.Value, bool) {
	rt := c.w.types.rt(elem)
	off, okAt := c.slot(rt), c.slot(reflect.TypeFor[bool]())
	vals := []*expr{c.local(elem, off), c.local(types.Typ[types.Bool], okAt)}
	store := c.store(s.Lhs, vals[:len(s.Lhs)], s.Tok == token.DEFINE)
	return func(fr *frame, v reflect.Value, ok bool) {
		set(rt, unsafe.Add(fr.mem, off), v)
		*(*bool)(unsafe.Add(fr.mem, okAt)) = ok
		store(fr)
	}
}
