package eval

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/ddps-go/ddps/kernelext/live/rtype"
)

// ours reports whether a caller on this goroutine catches panics.
func (w *World) ours() bool {
	id := rtype.G()
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.active[id] > 0
}

// guarded returns a method of v as a function that ends the cell where the method would end the process: it gives back
// a lock that is not held. It is invalid for other methods. run is that of the code that calls it; without one it is a
// function value, which compiled code may call in goroutines in which nobody catches a panic.
func (w *World) guarded(v reflect.Value, name string, run *Run) (f reflect.Value) {
	if name != "Unlock" && name != "RUnlock" && name != "Wait" {
		return f
	}
	if v.Kind() != reflect.Pointer && v.CanAddr() {
		v = v.Addr()
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Type().Elem().PkgPath() != "sync" {
		return f
	}
	fatal := func(text string) {
		why := &Fatal{"fatal error: " + text}
		switch now := w.run.Load(); {
		case run != nil:
			run.fail(why)
		case w.ours():
			now.fail(why)
		case now.Stop(why):
			w.Stray(&Abort{Err: why, of: now}, nil)
		}
	}
	if c, ok := v.Interface().(*sync.Cond); ok && name == "Wait" {
		return reflect.ValueOf(func() {
			if free, text := unheld(reflect.ValueOf(c.L), "Unlock"); free != nil && free() {
				fatal(text)
				return
			}
			c.Wait()
		})
	}
	free, text := unheld(v, name)
	if free == nil {
		return f
	}
	method := v.MethodByName(name).Interface().(func())
	return reflect.ValueOf(func() {
		w.unlocks.Lock() // no two calls give back one lock
		wrong := free()
		if !wrong {
			method()
		}
		if w.unlocks.Unlock(); wrong {
			fatal(text)
		}
	})
}

// methodOf returns a method of what an interface holds.
func (w *World) methodOf(v any, name string, run *Run) reflect.Value {
	r := reflect.ValueOf(v)
	if f := w.guarded(r, name, run); f.IsValid() {
		return f
	}
	return r.MethodByName(name)
}

// unheld returns what reports whether a method that gives back a lock of package sync would end the process, and Go's
// text for it; nil for other methods.
func unheld(v reflect.Value, name string) (free func() bool, text string) {
	if !v.IsValid() || v.Kind() != reflect.Pointer {
		return nil, ""
	}
	if m, ok := v.Interface().(*sync.Mutex); ok && name == "Unlock" {
		return func() bool {
			if m.TryLock() {
				m.Unlock()
				return true
			}
			return false
		}, "sync: unlock of unlocked mutex"
	}
	rw, ok := v.Interface().(*sync.RWMutex)
	if v.Type().String() == "*sync.rlocker" { // of RLocker
		rw, ok, name = (*sync.RWMutex)(v.UnsafePointer()), true, "RUnlock"
	}
	if !ok {
		return nil, ""
	}
	const writing = 1 << 30 // sync.rwmutexMaxReaders, taken off while one writes
	count := fieldOf[int32](reflect.ValueOf(rw), "readerCount")
	switch name {
	case "Unlock":
		return func() bool { return atomic.LoadInt32(count) >= 0 }, "sync: Unlock of unlocked RWMutex"
	case "RUnlock":
		return func() bool { n := atomic.LoadInt32(count); return n == 0 || n == -writing },
			"sync: RUnlock of unlocked RWMutex"
	}
	return nil, ""
}
