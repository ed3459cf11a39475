package eval

import (
	"go/types"
	"iter"
	"reflect"
	"sync"
)

// pull runs f and the caller of more in turn, by way of Go's own iter.Pull: f goes on until it calls yield, the caller
// when more is true. What f panics with, more or stop panics with.
func (w *World) pull(f func(yield func() bool)) (more func() bool, stop func()) {
	next, end := iter.Pull(func(yield func(struct{}) bool) {
		w.Attend(func() { f(func() bool { return yield(struct{}{}) }) })
	})
	var busy sync.Mutex // Go ends the program where two calls meet
	take := func() {
		if !busy.TryLock() {
			w.run.Load().fail(&Fatal{"fatal error: iter.Pull: next or stop was called before the last call of them returned"})
		}
	}
	more = func() bool {
		take()
		defer busy.Unlock()
		_, ok := next()
		return ok
	}
	stop = func() {
		take()
		defer busy.Unlock()
		end()
	}
	return more, stop
}

// intern returns what stands for a key, which make makes once for all keys that are equal.
func (w *World) intern(key any, make func() any) any {
	if v, ok := w.unique.Load(key); ok {
		return v
	}
	v, _ := w.unique.LoadOrStore(key, make())
	return v
}

// offer gives a package that is code of cells a compiled function.
func (s *Session) offer(pkg *types.Package, name string, f any) {
	v := reflect.ValueOf(f)
	obj := types.NewFunc(0, pkg, name, s.natives.typ(v.Type()).(*types.Signature))
	pkg.Scope().Insert(obj)
	s.values.put(obj, v)
}
