package eval

import (
	"fmt"
	"go/ast"
	"go/token"
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
	before := c.statementOperands(s)
	st := c.stmtOf(s, l)
	if before == nil {
		return st
	}
	return func(fr *frame) ctl {
		before(fr)
		return st(fr)
	}
}

func (c *comp) stmtOf(s ast.Stmt, l *label) (out stmt) {
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
		run := c.call(call).run
		return func(fr *frame) ctl { run(fr); return next }
	}
	e := c.expr(x)
	run := c.memory(e)
	return func(fr *frame) ctl { run(fr); return next }
}
