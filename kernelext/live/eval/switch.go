package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"
)

func (c *comp) switchStmt(s *ast.SwitchStmt, l *label) stmt {
	init := func(*frame) ctl { return next }
	if s.Init != nil {
		init = c.stmt(s.Init, nil)
	}
	keep := func(*frame) {}
	var tag *expr
	if s.Tag != nil {
		e := c.ordered(s.Tag)
		keep, tag = c.copied(e)
		tag.konst = e.konst
		tag.addr = false
	}
	type clause struct {
		conds []boolFn
		body  stmt
	}
	var list []clause
	def := -1
	for i, cl := range s.Body.List {
		cc := cl.(*ast.CaseClause)
		if cc.List == nil {
			def = i
		}
		var k clause
		for _, x := range cc.List {
			e := c.ordered(x)
			if tag == nil && e.k != reflect.Interface {
				k.conds = append(k.conds, e.b)
				continue
			}
			from := tag
			if from == nil {
				from = c.constant(types.Typ[types.Bool], constant.MakeBool(true))
			}
			a, b := c.match(from, e)
			k.conds = append(k.conds, c.compare(token.EQL, a, b))
		}
		k.body = c.block(cc.Body)
		list = append(list, k)
	}
	return func(fr *frame) ctl {
		init(fr)
		keep(fr)
		at := def
	find:
		for i, k := range list {
			for _, cond := range k.conds {
				if cond(fr) {
					at = i
					break find
				}
			}
		}
		for at >= 0 && at < len(list) {
			k := list[at].body(fr)
			if k == fall {
				at++
				continue
			}
			if k == brk && (fr.target == nil || fr.target == l) {
				fr.target = nil
				return next
			}
			return k
		}
		return next
	}
}

// match brings two values that are compared to one type.
func (c *comp) match(a, b *expr) (*expr, *expr) {
	switch {
	case a.isNil:
		return c.zero(b.t), b
	case b.isNil:
		return a, c.zero(a.t)
	case a.k == reflect.Interface && b.k != reflect.Interface:
		return a, c.convert(b, a.t)
	case b.k == reflect.Interface && a.k != reflect.Interface:
		return c.convert(a, b.t), b
	case a.konst != nil && b.konst == nil:
		return c.convert(a, b.t), b
	case b.konst != nil && a.konst == nil:
		return a, c.convert(b, a.t)
	}
	return a, b
}

func (c *comp) typeSwitch(s *ast.TypeSwitchStmt, l *label) stmt {
	init := func(*frame) ctl { return next }
	if s.Init != nil {
		init = c.stmt(s.Init, nil)
	}
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X
	case *ast.AssignStmt:
		x = a.Rhs[0]
	}
	keep, e := c.copied(c.expr(ast.Unparen(x).(*ast.TypeAssertExpr).X))
	type clause struct {
		conds []func(*frame) bool
		bind  func(*frame)
		body  stmt
	}
	var list []clause
	def := -1
	for i, cl := range s.Body.List {
		cc := cl.(*ast.CaseClause)
		if cc.List == nil {
			def = i
		}
		k := clause{bind: func(*frame) {}}
		var only *expr
		for _, tx := range cc.List {
			if c.u.info.Types[tx].IsNil() {
				any := c.toAny(e)
				k.conds = append(k.conds, func(fr *frame) bool { return any(fr) == nil })
				continue
			}
			o, ok := c.asserted(e, c.typeOf(tx))
			p := o.p
			k.conds = append(k.conds, func(fr *frame) bool { p(fr); return *(*bool)(unsafe.Add(fr.mem, ok)) })
			only = o
		}
		if obj := c.u.info.Implicits[cc]; obj != nil {
			pl := c.bind(obj)
			from := e
			if len(cc.List) == 1 && only != nil {
				from = only
			}
			in := c.convert(from, pl.t).into()
			k.bind = func(fr *frame) { pl.put(fr, in) }
		}
		k.body = c.block(cc.Body)
		list = append(list, k)
	}
	return func(fr *frame) ctl {
		init(fr)
		keep(fr)
		at := def
	find:
		for i, k := range list {
			for _, cond := range k.conds {
				if cond(fr) {
					at = i
					break find
				}
			}
		}
		if at < 0 {
			return next
		}
		list[at].bind(fr)
		k := list[at].body(fr)
		if k == brk && (fr.target == nil || fr.target == l) {
			fr.target = nil
			return next
		}
		return k
	}
}
