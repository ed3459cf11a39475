package eval

import (
	"go/token"
	"go/types"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// direct compiles a call of code of cells.
func (c *comp) direct(sig *types.Signature, get func() *code, caps func(*frame) []unsafe.Pointer,
	recv func(*frame, unsafe.Pointer), args []*expr, pos token.Pos) *result {
	r := c.outcome(sig)
	var in []func(*frame, unsafe.Pointer)
	if recv != nil {
		in = append(in, recv)
	}
	for _, a := range args {
		in = append(in, a.into())
	}
	enter := func(fr *frame) *frame {
		cd := get()
		cf := fr.th.enter(cd)
		if caps != nil {
			cf.caps = caps(fr)
		}
		for i, f := range in {
			f(fr, unsafe.Add(cf.mem, cd.ins[i]))
		}
		return cf
	}
	r.run = func(fr *frame) unsafe.Pointer {
		cf := enter(fr)
		mem := cf.mem
		fr.pos = pos
		fr.th.call(cf)
		return mem
	}
	r.go_ = func(fr *frame) func(*thread, *frame) { return later(enter(fr)) }
	return r
}

// later returns what makes a call whose frame is ready, perhaps in another goroutine.
func later(cf *frame) func(*thread, *frame) {
	cd, mem, caps := cf.code, cf.mem, cf.caps
	return func(th *thread, deferrer *frame) {
		fr := &frame{th: th, code: cd, mem: mem, caps: caps, deferrer: deferrer}
		th.call(fr)
	}
}

// callMethod compiles a call of a method that was found.
func (c *comp) callMethod(m methodOn, args []*expr, pos token.Pos) *result {
	sig := c.sub.typ(m.fn.Signature()).(*types.Signature)
	if types.IsInterface(m.recv.t) {
		return c.interfaceCall(m, sig, c.stoppable(m.fn, args), pos)
	}
	if c.source(m.fn) == nil {
		args = c.stoppable(m.fn, args)
		v, name, w := c.value(m.recv), m.fn.Name(), c.w
		get := func(fr *frame) reflect.Value { return w.nativeMethod(v(fr), name, fr.th.run) }
		return c.nativeCall(sig, get, reflect.Value{}, args, pos)
	}
	return c.direct(sig, c.code(m), nil, c.receiver(m), args, pos)
}

// code returns what gets the code of a method of cells.
func (c *comp) code(m methodOn) func() *code {
	src := c.source(m.fn)
	var targs []types.Type
	t := types.Unalias(m.recv.t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		for a := range n.TypeArgs().Types() {
			targs = append(targs, a)
		}
	}
	return func() *code { return src.code(c.w, targs) }
}

// site remembers the method of the type that an interface call saw last.
type site struct {
	typ rtype.Type
	to  *dispatch
}

// interfaceCall compiles a call of a method of an interface.
func (c *comp) interfaceCall(m methodOn, sig *types.Signature, args []*expr, pos token.Pos) *result {
	r := c.outcome(sig)
	recv, methods := c.memory(m.recv), m.recv.rt.NumMethod() > 0
	name, pkg := m.fn.Name(), m.fn.Pkg()
	native := c.nativeCall(sig, nil, reflect.Value{}, args, pos)
	var in []func(*frame, unsafe.Pointer)
	for _, a := range args {
		in = append(in, a.into())
	}
	var last atomic.Pointer[site]
	w := c.w
	find := func(fr *frame) (any, *dispatch) {
		v := rtype.Any(recv(fr), methods)
		word := rtype.Take(v)
		if word.Type == nil {
			fr.pos = pos
			nilPanic()
		}
		s := last.Load()
		if s == nil || s.typ != word.Type {
			s = &site{word.Type, w.dispatch(reflect.TypeOf(v), name, pkg)}
			last.Store(s)
		}
		if s.to != nil && s.to.inside != nil {
			return w.held(v, name, pkg)
		}
		return v, s.to
	}
	enter := func(fr *frame, v any, d *dispatch) *frame {
		cd := d.code()
		cf := fr.th.enter(cd)
		d.receive(rtype.Take(v).Data, unsafe.Add(cf.mem, cd.ins[0]))
		for i, f := range in {
			f(fr, unsafe.Add(cf.mem, cd.ins[i+1]))
		}
		return cf
	}
	r.run = func(fr *frame) unsafe.Pointer {
		v, d := find(fr)
		if m.known && rtype.Take(v).Data == nil {
			fr.pos = pos
			nilPanic()
		}
		if d == nil {
			return native.via(fr, w.methodOf(v, name, fr.th.run))
		}
		cf := enter(fr, v, d)
		mem := cf.mem
		fr.pos = pos
		fr.th.call(cf)
		return mem
	}
	r.go_ = func(fr *frame) func(*thread, *frame) {
		v, d := find(fr)
		if d == nil {
			return native.viaLater(fr, w.methodOf(v, name, fr.th.run))
		}
		cd := d.code()
		mem := rtype.New(cd.memory)
		for i, f := range in {
			f(fr, unsafe.Add(mem, cd.ins[i+1]))
		}
		return func(th *thread, deferrer *frame) { // a nil receiver panics now
			d.receive(rtype.Take(v).Data, unsafe.Add(mem, cd.ins[0]))
			th.call(&frame{th: th, code: cd, mem: mem, deferrer: deferrer})
		}
	}
	return r
}

// dynamic compiles a call of a function value.
func (c *comp) dynamic(sig *types.Signature, f *expr, args []*expr, pos token.Pos) *result {
	r := c.outcome(sig)
	native := c.nativeCall(sig, nil, reflect.Value{}, args, pos)
	u, rt, w := f.u, f.rt, c.w
	var in []func(*frame, unsafe.Pointer)
	for _, a := range args {
		in = append(in, a.into())
	}
	unused := func(fr *frame) { // arguments of a call that fails
		for i, f := range in {
			f(fr, rtype.New(rtype.Of(args[i].rt)))
		}
	}
	enter := func(fr *frame, cl *closure) *frame {
		cd := cl.ready()
		cf := fr.th.enter(cd)
		cf.caps = cl.caps
		ins := cd.ins
		if cl.recv != nil {
			ins = ins[1:]
		}
		for i, f := range in {
			f(fr, unsafe.Add(cf.mem, ins[i]))
		}
		return cf
	}
	r.run = func(fr *frame) unsafe.Pointer {
		word := u(fr)
		if word == nil {
			unused(fr)
			fr.pos = pos
			nilPanic()
		}
		if cl := w.bridges.closure(word); cl != nil {
			cf := enter(fr, cl)
			mem := cf.mem
			fr.pos = pos
			if cl.recv != nil {
				cl.recv(unsafe.Add(mem, cf.code.ins[0]))
			}
			fr.th.call(cf)
			return mem
		}
		return native.via(fr, reflect.NewAt(rt, unsafe.Pointer(&word)).Elem())
	}
	r.go_ = func(fr *frame) func(*thread, *frame) {
		word := u(fr)
		if word == nil { // the arguments are evaluated now, the call fails later
			unused(fr)
			return func(*thread, *frame) { nilPanic() }
		}
		if cl := w.bridges.closure(word); cl != nil {
			cf := enter(fr, cl)
			call, mem, at := later(cf), cf.mem, cf.code
			if cl.recv == nil {
				return call
			}
			return func(th *thread, deferrer *frame) { // a nil receiver panics now
				cl.recv(unsafe.Add(mem, at.ins[0]))
				call(th, deferrer)
			}
		}
		return native.viaLater(fr, reflect.NewAt(rt, unsafe.Pointer(&word)).Elem())
	}
	return r
}
