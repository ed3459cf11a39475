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

// offerPull gives package iter, which is code of cells, the function pull.
func (s *Session) offerPull(pkg *types.Package) {
	f := reflect.ValueOf(s.pull)
	obj := types.NewFunc(0, pkg, "pull", s.natives.typ(f.Type()).(*types.Signature))
	pkg.Scope().Insert(obj)
	s.values.put(obj, f)
}
