package eval

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// label is a label of a function.
type label struct{ name string }

func (c *comp) label(name string) *label {
	if c.labels[name] == nil {
		c.labels[name] = &label{name}
	}
	return c.labels[name]
}

// block compiles statements that follow each other.
func (c *comp) block(list []ast.Stmt) stmt {
	var run []stmt
	var pos []token.Pos
	at := map[*label]int{}
	for _, s := range list {
		for {
			l, ok := s.(*ast.LabeledStmt)
			if !ok {
				break
			}
			at[c.label(l.Label.Name)] = len(run)
			s = c.unlabel(l)
			if _, again := s.(*ast.LabeledStmt); !again {
				run, pos = append(run, c.stmt(s, c.label(l.Label.Name))), append(pos, s.Pos())
				s = nil
				break
			}
		}
		if s != nil {
			run, pos = append(run, c.stmt(s, nil)), append(pos, s.Pos())
		}
	}
	if len(at) > 0 {
		return jumping(run, pos, at)
	}
	switch len(run) {
	case 0:
		return func(*frame) ctl { return next }
	case 1:
		s, p := run[0], pos[0]
		return func(fr *frame) ctl {
			fr.pos = p
			return s(fr)
		}
	case 2:
		s, p, t, q := run[0], pos[0], run[1], pos[1]
		return func(fr *frame) ctl {
			fr.pos = p
			if k := s(fr); k != next {
				return k
			}
			fr.pos = q
			return t(fr)
		}
	}
	return func(fr *frame) ctl {
		for i, s := range run {
			fr.pos = pos[i]
			if k := s(fr); k != next {
				return k
			}
		}
		return next
	}
}

func (c *comp) unlabel(l *ast.LabeledStmt) ast.Stmt { return l.Stmt }

// jumping runs statements some of which have labels that a goto may name.
func jumping(run []stmt, pos []token.Pos, at map[*label]int) stmt {
	return func(fr *frame) ctl {
		for i := 0; i < len(run); i++ {
			fr.pos = pos[i]
			switch k := run[i](fr); k {
			case next:
			case jump:
				to, ok := at[fr.target]
				if !ok {
					return k
				}
				fr.target = nil
				fr.th.check()
				i = to - 1
			default:
				return k
			}
		}
		return next
	}
}

// stmt compiles a statement, which may have a label.
func (c *comp) stmt(s ast.Stmt, l *label) (out stmt) {
	defer c.locate(s)
	switch s := s.(type) {
	case *ast.EmptyStmt:
		return func(*frame) ctl { return next }
	case *ast.ExprStmt:
		return c.exprStmt(s)
	case *ast.AssignStmt:
		return c.assign(s)
	case *ast.IncDecStmt:
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		return c.update(s.X, op, nil)
	case *ast.DeclStmt:
		return c.declStmt(s.Decl.(*ast.GenDecl))
	case *ast.BlockStmt:
		b := c.block(s.List)
		if l == nil {
			return b
		}
		return func(fr *frame) ctl { return ends(fr, b(fr), l) }
	case *ast.IfStmt:
		st := c.ifStmt(s)
		if l == nil {
			return st
		}
		return func(fr *frame) ctl { return ends(fr, st(fr), l) }
	case *ast.ForStmt:
		return c.forStmt(s, l)
	case *ast.RangeStmt:
		return c.rangeStmt(s, l)
	case *ast.SwitchStmt:
		return c.switchStmt(s, l)
	case *ast.TypeSwitchStmt:
		return c.typeSwitch(s, l)
	case *ast.SelectStmt:
		return c.selectStmt(s, l)
	case *ast.ReturnStmt:
		return c.returnStmt(s)
	case *ast.BranchStmt:
		return c.branch(s)
	case *ast.GoStmt:
		return c.goStmt(s)
	case *ast.DeferStmt:
		return c.deferStmt(s)
	case *ast.SendStmt:
		return c.sendStmt(s)
	}
	panic(unsupported(fmt.Sprintf("this statement (%T)", s)))
}

// locate gives what is not supported its place.
func (c *comp) locate(n ast.Node) {
	if r := recover(); r != nil {
		if u, ok := r.(*Unsupported); ok && !u.Pos.IsValid() {
			u.Pos, u.unit = n.Pos(), c.u
		}
		panic(r)
	}
}

// ends handles a break that leaves the labelled statement l.
func ends(fr *frame, k ctl, l *label) ctl {
	if k == brk && fr.target == l && l != nil {
		fr.target = nil
		return next
	}
	return k
}

func (c *comp) branch(s *ast.BranchStmt) stmt {
	k := map[token.Token]ctl{token.BREAK: brk, token.CONTINUE: cont, token.GOTO: jump, token.FALLTHROUGH: fall}[s.Tok]
	if s.Label == nil {
		return func(*frame) ctl { return k }
	}
	l := c.label(s.Label.Name)
	return func(fr *frame) ctl {
		fr.target = l
		return k
	}
}

func (c *comp) exprStmt(s *ast.ExprStmt) stmt {
	x := ast.Unparen(s.X)
	if call, ok := x.(*ast.CallExpr); ok {
		tv := c.u.info.Types[call.Fun]
		switch {
		case tv.IsBuiltin():
			return c.builtinStmt(call)
		case tv.IsType():
			run := c.memory(c.callOne(call))
			return func(fr *frame) ctl { run(fr); return next }
		}
		if id, ok := call.Fun.(*ast.Ident); ok && id.Name == useName {
			e := c.expr(call.Args[0])
			if e.isNil {
				return func(*frame) ctl { return next }
			}
			run, _ := c.copied(e)
			return func(fr *frame) ctl { run(fr); return next }
		}
		run := c.call(call).run
		return func(fr *frame) ctl { run(fr); return next }
	}
	e := c.expr(x)
	run := c.memory(e)
	return func(fr *frame) ctl { run(fr); return next }
}

func (c *comp) ifStmt(s *ast.IfStmt) stmt {
	var init stmt
	if s.Init != nil {
		init = c.stmt(s.Init, nil)
	}
	pos := s.Cond.Pos()
	cond, then := c.expr(s.Cond).b, c.block(s.Body.List)
	var other stmt
	if s.Else != nil {
		st, p := c.stmt(s.Else, nil), s.Else.Pos()
		other = func(fr *frame) ctl { fr.pos = p; return st(fr) }
	}
	if init == nil && other == nil {
		return func(fr *frame) ctl {
			if cond(fr) {
				return then(fr)
			}
			return next
		}
	}
	return func(fr *frame) ctl {
		fr.pos = pos
		if init != nil {
			init(fr)
		}
		if cond(fr) {
			return then(fr)
		}
		if other != nil {
			return other(fr)
		}
		return next
	}
}

func (c *comp) forStmt(s *ast.ForStmt, l *label) stmt {
	var init, post stmt
	var fresh []func(*frame)
	if s.Init != nil {
		init = c.stmt(s.Init, nil)
		if a, ok := s.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, x := range a.Lhs {
				if id, ok := x.(*ast.Ident); ok {
					fresh = append(fresh, c.renew(c.u.info.Defs[id])...)
				}
			}
		}
	}
	cond := func(*frame) bool { return true }
	if s.Cond != nil {
		cond = c.expr(s.Cond).b
	}
	if s.Post != nil {
		post = c.stmt(s.Post, nil)
	}
	body := c.block(s.Body.List)
	pos := s.Pos()
	return func(fr *frame) ctl {
		if init != nil {
			init(fr)
		}
		stop := &fr.th.run.stop
		for cond(fr) {
			if k := body(fr); k != next {
				out, k := loopEnd(fr, k, l)
				if out {
					return k
				}
			}
			for _, f := range fresh {
				f(fr)
			}
			fr.pos = pos
			if post != nil {
				post(fr)
			}
			if stop.Load() {
				fr.th.abort()
			}
		}
		return next
	}
}

// loopEnd decides what a body that ended early means for its loop.
func loopEnd(fr *frame, k ctl, l *label) (out bool, as ctl) {
	switch k {
	case brk:
		if fr.target == nil || fr.target == l {
			fr.target = nil
			return true, next
		}
	case cont:
		if fr.target == nil || fr.target == l {
			fr.target = nil
			return false, next
		}
	}
	return true, k
}

// renew returns what gives a loop's variable that has memory of its own a copy of it for the next round.
func (c *comp) renew(obj types.Object) []func(*frame) {
	if obj == nil || !c.u.esc[obj] || c.w.globalFor(obj, c.u) != nil {
		return nil
	}
	v := c.vars[obj]
	rt, p := rtype.Of(v.rt), v.p
	off := c.boxAt[obj]
	return []func(*frame){func(fr *frame) {
		n := rtype.New(rt)
		move(rt, n, p(fr))
		*(*unsafe.Pointer)(unsafe.Add(fr.mem, off)) = n
	}}
}

func (c *comp) returnStmt(s *ast.ReturnStmt) stmt {
	if len(s.Results) == 0 {
		return func(*frame) ctl { return ret }
	}
	var to []addrFn
	for i := range c.resT {
		if i < len(c.named) && c.vars[c.named[i]] != nil {
			to = append(to, c.vars[c.named[i]].p)
			continue
		}
		off := c.cd.outs[i]
		to = append(to, func(fr *frame) unsafe.Pointer { return unsafe.Add(fr.mem, off) })
	}
	if len(s.Results) == 1 && len(c.resT) == 1 {
		in, p := c.convert(c.expr(s.Results[0]), c.resT[0]).into(), to[0]
		return func(fr *frame) ctl {
			in(fr, p(fr))
			return ret
		}
	}
	var prep []func(*frame)
	var in []func(*frame, unsafe.Pointer)
	if len(s.Results) == 1 {
		run, vals := c.spread(c.call(ast.Unparen(s.Results[0]).(*ast.CallExpr)))
		prep = append(prep, run)
		for i, v := range vals {
			in = append(in, c.convert(v, c.resT[i]).into())
		}
	} else {
		for i, x := range s.Results {
			p, v := c.copied(c.convert(c.expr(x), c.resT[i]))
			prep, in = append(prep, p), append(in, v.into())
		}
	}
	return func(fr *frame) ctl {
		for _, p := range prep {
			p(fr)
		}
		for i, f := range in {
			f(fr, to[i](fr))
		}
		return ret
	}
}

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
