package eval

import (
	"go/ast"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

func (c *comp) index(x *ast.IndexExpr) *expr {
	if tv := c.u.info.Types[x.X]; tv.IsValue() {
		if _, ok := tv.Type.Underlying().(*types.Signature); ok {
			return c.instance(x, x.X)
		}
	}
	e := c.expr(x.X)
	switch t := e.t.Underlying().(type) {
	case *types.Map:
		return c.mapIndex(e, t, x, false)
	case *types.Slice:
		return c.element(e, t.Elem(), c.expr(x.Index))
	case *types.Pointer:
		a := t.Elem().Underlying().(*types.Array)
		return c.arrayElement(c.deref(e, t.Elem()), a, c.expr(x.Index))
	case *types.Array:
		return c.arrayElement(e, t, c.expr(x.Index))
	case *types.Basic:
		s := e.s
		i, unsigned := c.indexOf(c.expr(x.Index))
		return c.scalar(c.typeOf(x), func(o *expr) {
			o.i = func(fr *frame) int64 {
				v := s(fr)
				k := i(fr)
				if uint(k) >= uint(len(v)) {
					badIndex(bound{k, unsigned}, len(v))
				}
				return int64(v[k])
			}
		})
	}
	panic(unsupported("this index"))
}

// element returns e[i] of a slice.
func (c *comp) element(e *expr, elem types.Type, index *expr) *expr {
	p := c.memory(e)
	i, unsigned := c.indexOf(index)
	size := uintptr(c.w.types.rt(elem).Size())
	var at addrFn
	if e.off >= 0 && e.addr {
		off := e.off
		at = func(fr *frame) unsafe.Pointer {
			n := i(fr)
			s := (*slice)(unsafe.Add(fr.mem, off))
			if uint(n) >= uint(s.len) {
				badIndex(bound{n, unsigned}, s.len)
			}
			return unsafe.Add(s.data, uintptr(n)*size)
		}
	} else {
		at = func(fr *frame) unsafe.Pointer {
			s := (*slice)(p(fr))
			n := i(fr)
			if uint(n) >= uint(s.len) {
				badIndex(bound{n, unsigned}, s.len)
			}
			return unsafe.Add(s.data, uintptr(n)*size)
		}
	}
	o := c.load(elem, at)
	o.addr = true
	return o
}

func (c *comp) arrayElement(e *expr, t *types.Array, index *expr) *expr {
	p := c.memory(e)
	i, unsigned := c.indexOf(index)
	n, size := int(t.Len()), c.w.types.rt(t.Elem()).Size()
	o := c.load(t.Elem(), func(fr *frame) unsafe.Pointer {
		a := p(fr)
		k := i(fr)
		if uint(k) >= uint(n) {
			badIndex(bound{k, unsigned}, n)
		}
		return unsafe.Add(a, uintptr(k)*size)
	})
	o.addr = e.addr
	return o
}

// indexOf returns an index as an int, and whether it is the bits of an unsigned one.
func (c *comp) indexOf(e *expr) (i func(*frame) int, unsigned bool) {
	if e.fam() != famI {
		e = c.constant(types.Typ[types.Int], e.konst)
	}
	if e.off >= 0 && e.k == reflect.Int {
		off := e.off
		return func(fr *frame) int { return *(*int)(unsafe.Add(fr.mem, off)) }, false
	}
	x := e.i
	return func(fr *frame) int { return int(x(fr)) }, !signed(e.k)
}

// mapIndex returns m[k], with comma also whether it is there, in memory behind it.
func (c *comp) mapIndex(e *expr, t *types.Map, x *ast.IndexExpr, comma bool) *expr {
	k := c.convert(c.expr(x.Index), t.Key())
	m, key := c.memory(e), c.memory(k)
	mt, kt := e.rt, k.rt
	rt := c.w.types.rt(t.Elem())
	off := c.slot(rt)
	ok := -1
	if comma {
		ok = c.slot(reflect.TypeFor[bool]())
	}
	r, zero := rtype.Of(rt), reflect.New(rt).UnsafePointer()
	assigned := x == c.renews
	at := func(fr *frame) unsafe.Pointer {
		had, at := reflect.NewAt(mt, m(fr)).Elem(), reflect.NewAt(kt, key(fr)).Elem()
		p := unsafe.Add(fr.mem, off)
		var v reflect.Value
		if !assigned || had.Len() > 0 { // else a key that has no hash is an error of the assignment
			v = fr.th.mapIndex(had, at)
		}
		if v.IsValid() {
			set(rt, p, v)
		} else {
			move(r, p, zero)
		}
		if comma {
			*(*bool)(unsafe.Add(fr.mem, ok)) = v.IsValid()
		}
		return p
	}
	if fast := fastMap(e.rt, m, key, off, ok); fast != nil {
		at = fast
	}
	o := c.load(t.Elem(), at)
	o.off = -1
	if comma {
		o.isNil = false
		o.second = ok
	}
	return o
}

// fastMap returns the commonest lookups without reflection.
func fastMap(mt reflect.Type, m, key addrFn, off, ok int) addrFn {
	switch mt.Key().Kind() {
	case reflect.String:
		switch mt.Elem().Kind() {
		case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Uint:
			return lookup[string, int](m, key, off, ok)
		case reflect.Float64:
			return lookup[string, float64](m, key, off, ok)
		case reflect.Bool:
			return lookup[string, bool](m, key, off, ok)
		case reflect.String:
			return lookup[string, string](m, key, off, ok)
		}
	case reflect.Int:
		switch mt.Elem().Kind() {
		case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Uint:
			return lookup[int, int](m, key, off, ok)
		case reflect.Float64:
			return lookup[int, float64](m, key, off, ok)
		case reflect.Bool:
			return lookup[int, bool](m, key, off, ok)
		case reflect.String:
			return lookup[int, string](m, key, off, ok)
		}
	}
	return nil
}

// lookup reads maps whose keys and values look in memory like K and V.
func lookup[K comparable, V any](m, key addrFn, off, ok int) addrFn {
	return func(fr *frame) unsafe.Pointer {
		mp := *(*map[K]V)(m(fr))
		k := *(*K)(key(fr))
		var v V
		var have bool
		if fr.th.w.alone() {
			v, have = mp[k]
		} else {
			v, have = sharedLookup(fr.th, mp, k)
		}
		p := unsafe.Add(fr.mem, off)
		*(*V)(p) = v
		if ok >= 0 {
			*(*bool)(unsafe.Add(fr.mem, ok)) = have
		}
		return p
	}
}
