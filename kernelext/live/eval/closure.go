package eval

import (
	"reflect"
	"unsafe"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// closure is a function value of cells.
type closure struct {
	code *code
	get  func() *code // of a declared function, which may be defined again; code is nil
	caps []unsafe.Pointer
	recv func(dst unsafe.Pointer) // stores the receiver, of a method value
	w    *World
}

// bridge is how compiled code calls it, on whatever goroutine.
func (c *closure) bridge(args []reflect.Value) []reflect.Value {
	return c.w.enter(c.ready(), c.caps, c.recv, args)
}

// ready returns the code to call.
func (c *closure) ready() *code {
	if c.code == nil {
		return c.get()
	}
	return c.code
}

// value returns the word of a Go function that does what c does.
func (c *closure) value(t reflect.Type) unsafe.Pointer { return wordOf(reflect.MakeFunc(t, c.bridge)) }

// wordOf returns the data word of a function, map, channel or pointer.
func wordOf(v reflect.Value) unsafe.Pointer {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return *(*unsafe.Pointer)(p.UnsafePointer())
}

// bridges knows function values that are closures of cells by how they look in memory.
type bridges struct {
	stub, code uintptr // code of reflect.MakeFunc's functions, and of closure.bridge
	at         uintptr // where in a MakeFunc function the function given to it stands
}

func newBridges() bridges {
	c := &closure{}
	f := c.bridge
	fv := *(*unsafe.Pointer)(unsafe.Pointer(&f))
	word := wordOf(reflect.MakeFunc(reflect.TypeFor[func()](), f))
	b := bridges{stub: *(*uintptr)(word), code: *(*uintptr)(fv)}
	for off := uintptr(8); off < 48; off += 8 {
		if *(*unsafe.Pointer)(unsafe.Add(word, off)) == fv && *(**closure)(unsafe.Add(fv, 8)) == c {
			b.at = off
		}
	}
	return b
}

// closure returns the closure that a function's word is, nil if it is compiled code.
func (b *bridges) closure(word unsafe.Pointer) *closure {
	if b.at == 0 || *(*uintptr)(word) != b.stub {
		return nil
	}
	fv := *(*unsafe.Pointer)(unsafe.Add(word, b.at))
	if fv == nil || *(*uintptr)(fv) != b.code {
		return nil
	}
	return *(**closure)(unsafe.Add(fv, 8))
}

// enter runs code of cells for compiled code. recv stores the receiver, and is nil for functions.
func (w *World) enter(cd *code, caps []unsafe.Pointer, recv func(dst unsafe.Pointer), args []reflect.Value) (
	out []reflect.Value) {
	th, leave := w.attach()
	defer func() {
		if r := recover(); r != nil {
			out = leave(r, cd)
			return
		}
		leave(nil, cd)
	}()
	fr := th.enter(cd)
	fr.caps = caps
	ins := cd.ins
	if recv != nil {
		recv(unsafe.Add(fr.mem, ins[0]))
		ins = ins[1:]
	}
	for i, a := range args {
		set(a.Type(), unsafe.Add(fr.mem, ins[i]), a)
	}
	mem := fr.mem
	th.call(fr)
	for i, off := range cd.outs {
		out = append(out, reflect.NewAt(cd.outT[i], unsafe.Add(mem, off)).Elem())
	}
	return out
}

// set stores v, which is of type t, at p.
func set(t reflect.Type, p unsafe.Pointer, v reflect.Value) { reflect.NewAt(t, p).Elem().Set(v) }

// zeros returns the zero results of a function.
func zeros(cd *code) (out []reflect.Value) {
	for _, t := range cd.outT {
		out = append(out, reflect.Zero(t))
	}
	return out
}

// move copies a value of type t.
func move(t rtype.Type, dst, src unsafe.Pointer) { rtype.Move(t, dst, src) }
