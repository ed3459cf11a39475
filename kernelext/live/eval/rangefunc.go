package eval

import (
	"go/ast"
	"go/types"
	"reflect"
	"unsafe"
)

// rangeFunc compiles a loop over a function that calls yield.
func (c *comp) rangeFunc(s *ast.RangeStmt, l *label, x *expr, sig *types.Signature) stmt {
	yield := sig.Params().At(0).Type()
	ys := yield.Underlying().(*types.Signature)
	var vals [2]*expr
	for i := range ys.Params().Len() {
		t := ys.Params().At(i).Type()
		vals[i] = c.local(t, c.slot(c.w.types.rt(t)))
	}
	round := c.loop(s, vals[0], vals[1])
	off, state := c.slot(c.w.types.rt(yield)), c.slot(reflect.TypeFor[*iteration]())
	rt := c.w.types.rt(yield)
	arg := c.local(yield, off)
	run := c.dynamic(sig, x, []*expr{arg}, s.Pos()).run
	_ = state
	return func(fr *frame) ctl {
		it := &iteration{}
		body := func(args []reflect.Value) []reflect.Value {
			it.enter()
			top := fr.th.top
			fr.th.top = fr
			for i, a := range args {
				set(vals[i].rt, unsafe.Add(fr.mem, vals[i].off), a)
			}
			it.k = round(fr)
			fr.th.top = top
			if it.k != next {
				it.out, it.k = loopEnd(fr, it.k, l)
			}
			it.state = ready
			if it.out {
				it.state = done
			}
			return []reflect.Value{reflect.ValueOf(!it.out).Convert(rt.Out(0))}
		}
		*(*unsafe.Pointer)(unsafe.Add(fr.mem, off)) = wordOf(reflect.MakeFunc(rt, body))
		run(fr)
		it.leave()
		if it.out {
			return it.k
		}
		return next
	}
}

// iteration is a loop over a function that is under way.
type iteration struct {
	k     ctl
	out   bool
	state loopState
}

// loopState says whether a loop over a function may call its body.
type loopState int

const (
	ready     loopState = iota
	done                // the body returned false
	panicked            // the body is running, or panicked
	exhausted           // the function returned
)

// enter begins a round, or panics as Go does.
func (it *iteration) enter() {
	switch it.state {
	case done:
		panic(runtimeError("range function continued iteration after function for loop body returned false"))
	case panicked:
		panic(runtimeError("range function continued iteration after loop body panic"))
	case exhausted:
		panic(runtimeError("range function continued iteration after whole loop exit"))
	}
	it.state = panicked
}

// leave ends the loop once the function has returned.
func (it *iteration) leave() {
	if it.state == panicked {
		panic(runtimeError("range function recovered a loop body panic and did not resume panicking"))
	}
	it.state = exhausted
}
