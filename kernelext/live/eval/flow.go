package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

func (c *comp) ifStmt(s *ast.IfStmt) stmt {
	var init stmt
	if s.Init != nil {
		init = c.stmt(s.Init, nil)
	}
	pos := s.Cond.Pos()
	cond, then := c.ordered(s.Cond).b, c.block(s.Body.List)
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
		cond = c.ordered(s.Cond).b
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
