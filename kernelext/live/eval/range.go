package eval

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"
)

// loop compiles what a range loop does with the values of a round: key and value are in the frame.
func (c *comp) loop(s *ast.RangeStmt, key, val *expr) (round func(*frame) ctl) {
	var lhs []ast.Expr
	var vals []*expr
	for i, x := range []ast.Expr{s.Key, s.Value} {
		if v := []*expr{key, val}[i]; x != nil && v != nil {
			lhs, vals = append(lhs, x), append(vals, v)
		}
	}
	store := func(*frame) {}
	if len(lhs) > 0 {
		store = c.store(lhs, vals, s.Tok == token.DEFINE)
	}
	if len(lhs) == 1 && s.Tok == token.DEFINE && s.Value == nil { // the commonest: no copies through closures
		if id, ok := lhs[0].(*ast.Ident); ok {
			if v := c.vars[c.u.info.Defs[id]]; v != nil && v.off >= 0 && v.k == reflect.Int && vals[0].k == reflect.Int {
				from, to := vals[0].off, v.off
				store = func(fr *frame) { *(*int64)(unsafe.Add(fr.mem, to)) = *(*int64)(unsafe.Add(fr.mem, from)) }
			}
		}
	}
	body := c.block(s.Body.List)
	pos := s.Pos()
	return func(fr *frame) ctl {
		if fr.th.run.stop.Load() {
			fr.th.abort()
		}
		fr.pos = pos
		store(fr)
		return body(fr)
	}
}

func (c *comp) rangeStmt(s *ast.RangeStmt, l *label) stmt {
	if id, ok := s.Value.(*ast.Ident); ok && id.Name == "_" {
		short := *s
		short.Value, s = nil, &short
	}
	x := c.ordered(s.X)
	t := x.t
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		return c.rangeInt(s, l, x)
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return c.rangeList(s, l, c.deref(x, p.Elem()), p.Elem().Underlying().(*types.Array).Elem(), true)
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return c.rangeList(s, l, x, u.Elem(), false)
	case *types.Array:
		return c.rangeList(s, l, x, u.Elem(), false)
	case *types.Basic:
		return c.rangeString(s, l, x)
	case *types.Map:
		return c.rangeMap(s, l, x, u)
	case *types.Chan:
		return c.rangeChan(s, l, x, u.Elem())
	case *types.Signature:
		return c.rangeFunc(s, l, x, u)
	}
	panic(unsupported("this range"))
}

func (c *comp) rangeInt(s *ast.RangeStmt, l *label, x *expr) stmt {
	t := x.t
	if id, ok := s.Key.(*ast.Ident); ok && s.Tok == token.DEFINE && c.u.info.Defs[id] != nil {
		t = c.sub.typ(c.u.info.Defs[id].Type()) // an untyped bound
		x = c.convert(x, t)
	}
	key := c.local(t, c.slot(x.rt))
	n, off, k := x.i, key.off, x.k
	round := c.loop(s, key, nil)
	return func(fr *frame) ctl {
		end := n(fr)
		for i := int64(0); i < end; i++ {
			storeInt(k, unsafe.Add(fr.mem, off), i)
			if k := round(fr); k != next {
				if out, k := loopEnd(fr, k, l); out {
					return k
				}
			}
		}
		return next
	}
}

func (c *comp) rangeList(s *ast.RangeStmt, l *label, x *expr, elem types.Type, pointer bool) stmt {
	key := c.local(types.Typ[types.Int], c.slot(reflect.TypeFor[int]()))
	rt := c.w.types.rt(elem)
	held := c.slot(reflect.TypeFor[slice]())
	val := c.load(elem, func(fr *frame) unsafe.Pointer {
		return unsafe.Add((*slice)(unsafe.Add(fr.mem, held)).data, uintptr(*(*int)(unsafe.Add(fr.mem, key.off)))*rt.Size())
	})
	var begin func(fr *frame) slice
	if x.k == reflect.Array {
		n, effects := x.rt.Len(), calls(s.X)
		if s.Value == nil && effects && pointer { // a nil pointer will do
			u := c.expr(s.X).u
			x = &expr{rt: x.rt, k: x.k, p: u}
		}
		prepare, p := func(*frame) {}, x.p
		if !pointer && s.Value != nil { // a copy of the array
			pr, h := c.copied(x)
			prepare, p = pr, h.p
		}
		begin = func(fr *frame) slice {
			if s.Value == nil && !effects {
				return slice{nil, n, n}
			}
			prepare(fr)
			return slice{p(fr), n, n}
		}
	} else {
		p := c.memory(x)
		begin = func(fr *frame) slice { return *(*slice)(p(fr)) }
	}
	if s.Value == nil {
		val = nil
	}
	round := c.loop(s, key, val)
	if s.Key == nil {
		round = c.loop(s, nil, nil)
	}
	return func(fr *frame) ctl {
		h := begin(fr)
		for i := 0; i < h.len; i++ {
			*(*slice)(unsafe.Add(fr.mem, held)) = h
			*(*int)(unsafe.Add(fr.mem, key.off)) = i
			if k := round(fr); k != next {
				if out, k := loopEnd(fr, k, l); out {
					return k
				}
			}
		}
		return next
	}
}

func (c *comp) rangeString(s *ast.RangeStmt, l *label, x *expr) stmt {
	key := c.local(types.Typ[types.Int], c.slot(reflect.TypeFor[int]()))
	val := c.local(types.Typ[types.Rune], c.slot(reflect.TypeFor[rune]()))
	round := c.loop(s, key, val)
	return func(fr *frame) ctl {
		for i, r := range x.s(fr) {
			*(*int)(unsafe.Add(fr.mem, key.off)) = i
			*(*rune)(unsafe.Add(fr.mem, val.off)) = r
			if k := round(fr); k != next {
				if out, k := loopEnd(fr, k, l); out {
					return k
				}
			}
		}
		return next
	}
}

func (c *comp) rangeMap(s *ast.RangeStmt, l *label, x *expr, t *types.Map) stmt {
	key, val := c.local(t.Key(), c.slot(c.w.types.rt(t.Key()))), c.local(t.Elem(), c.slot(c.w.types.rt(t.Elem())))
	m := c.value(x)
	round := c.loop(s, key, val)
	return func(fr *frame) ctl {
		over := own(m(fr))
		for it := over.MapRange(); fr.th.mapNext(over, it); {
			reflect.NewAt(key.rt, unsafe.Add(fr.mem, key.off)).Elem().SetIterKey(it)
			reflect.NewAt(val.rt, unsafe.Add(fr.mem, val.off)).Elem().SetIterValue(it)
			if k := round(fr); k != next {
				if out, k := loopEnd(fr, k, l); out {
					return k
				}
			}
		}
		return next
	}
}

func (c *comp) rangeChan(s *ast.RangeStmt, l *label, x *expr, elem types.Type) stmt {
	key := c.local(elem, c.slot(c.w.types.rt(elem)))
	ch := c.value(x)
	round := c.loop(s, key, nil)
	return func(fr *frame) ctl {
		from := own(ch(fr))
		for {
			v, ok := fr.th.receive(from)
			if !ok {
				return next
			}
			set(key.rt, unsafe.Add(fr.mem, key.off), v)
			if k := round(fr); k != next {
				if out, k := loopEnd(fr, k, l); out {
					return k
				}
			}
		}
	}
}
