package eval

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// builtinStmt compiles a call of a built-in function as a statement.
func (c *comp) builtinStmt(x *ast.CallExpr) stmt {
	run := c.effect(x)
	return func(fr *frame) ctl {
		run(fr)(fr)
		return next
	}
}

// effect compiles a built-in function for what it does: the arguments first, the rest when what it returns is called.
func (c *comp) effect(x *ast.CallExpr) func(*frame) func(*frame) {
	before := c.first(x.Args...)
	run := c.effectOf(x)
	if before == nil {
		return run
	}
	return func(fr *frame) func(*frame) {
		before(fr)
		return run(fr)
	}
}

func (c *comp) effectOf(x *ast.CallExpr) func(*frame) func(*frame) {
	switch name := builtinName(x); name {
	case "panic":
		v := c.toAny(c.convert(c.expr(x.Args[0]), types.NewInterfaceType(nil, nil)))
		return func(fr *frame) func(*frame) {
			a := v(fr)
			return func(*frame) { panic(a) }
		}
	case "close":
		ch := c.value(c.expr(x.Args[0]))
		return func(fr *frame) func(*frame) {
			v := own(ch(fr))
			return func(*frame) { v.Close() }
		}
	case "delete":
		e := c.expr(x.Args[0])
		m, k := c.value(e), c.value(c.convert(c.expr(x.Args[1]), e.t.Underlying().(*types.Map).Key()))
		return func(fr *frame) func(*frame) {
			v := own(m(fr))
			key, th := own(k(fr)), fr.th
			return func(*frame) { th.setMapIndex(v, key, reflect.Value{}) }
		}
	case "clear":
		v := c.value(c.expr(x.Args[0]))
		return func(fr *frame) func(*frame) {
			a := own(v(fr))
			if a.Kind() == reflect.Map {
				th := fr.th
				return func(*frame) { th.clearMap(a) }
			}
			return func(*frame) { a.Clear() }
		}
	case "print", "println":
		return c.printing(x, name == "println")
	case "recover":
		return func(fr *frame) func(*frame) {
			return func(*frame) {
				if fr.failed == nil { // deferred, while a newer panic is under way
					fr.recover()
				}
			}
		}
	default:
		e := c.builtin(x)
		run := c.memory(e)
		return func(fr *frame) func(*frame) {
			run(fr)
			return func(*frame) {}
		}
	}
}

// own returns v in memory of its own.
func own(v reflect.Value) reflect.Value {
	o := reflect.New(v.Type()).Elem()
	o.Set(v)
	return o
}

func (c *comp) printing(x *ast.CallExpr, line bool) func(*frame) func(*frame) {
	var given []*expr
	before := func(*frame) {}
	if t, ok := c.u.info.TypeOf(firstArg(x)).(*types.Tuple); ok {
		before, given = c.spread(c.call(ast.Unparen(x.Args[0]).(*ast.CallExpr)))
		_ = t
	} else {
		for _, a := range x.Args {
			given = append(given, c.expr(a))
		}
	}
	var vals []func(*frame) string
	for _, e := range given {
		if e.isNil {
			e = c.zero(types.Typ[types.UnsafePointer])
		}
		vals = append(vals, c.plain(e))
	}
	return func(fr *frame) func(*frame) {
		before(fr)
		var b strings.Builder
		for i, v := range vals {
			if line && i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(v(fr))
		}
		if line {
			b.WriteByte('\n')
		}
		return func(*frame) { fmt.Fprint(c.w.Stderr, b.String()) }
	}
}

func firstArg(x *ast.CallExpr) ast.Expr {
	if len(x.Args) == 1 {
		return x.Args[0]
	}
	return nil
}

// plain writes a value as the built-in function println does.
func (c *comp) plain(e *expr) func(*frame) string {
	switch e.fam() {
	case famI:
		if signed(e.k) {
			return func(fr *frame) string { return strconv.FormatInt(e.i(fr), 10) }
		}
		return func(fr *frame) string { return strconv.FormatUint(uint64(e.i(fr)), 10) }
	case famF:
		bits := 8 * int(e.rt.Size())
		return func(fr *frame) string { return strconv.FormatFloat(e.f(fr), 'g', -1, bits) }
	case famB:
		return func(fr *frame) string { return strconv.FormatBool(e.b(fr)) }
	case famS:
		return e.s
	case famU:
		return func(fr *frame) string { return fmt.Sprintf("%#x", uintptr(e.u(fr))) }
	}
	p := c.memory(e)
	switch e.k {
	case reflect.Interface:
		return func(fr *frame) string {
			w := *(*rtype.Word)(p(fr))
			return fmt.Sprintf("(%#x,%#x)", uintptr(w.Type), uintptr(w.Data))
		}
	case reflect.Slice:
		return func(fr *frame) string {
			s := *(*slice)(p(fr))
			return fmt.Sprintf("[%d/%d]%#x", s.len, s.cap, uintptr(s.data))
		}
	}
	z := c.complexOf(e)
	bits := 8 * int(e.rt.Size())
	return func(fr *frame) string { return strconv.FormatComplex(z(fr), 'g', -1, bits) }
}
