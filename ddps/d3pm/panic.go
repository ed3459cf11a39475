package d3pm

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// relay hands the first panic of goroutines, as of a denoiser or a condition that a caller brings, to the goroutine
// that waits for them: a panic that nobody catches ends the program, and whoever calls Sample could not.
type relay struct{ first atomic.Pointer[relayed] }

// relayed is what the waiting goroutine panics with.
type relayed struct {
	value any
	stack []byte // of the goroutine where it arose
}

// Error says what it was and where.
func (p *relayed) Error() string { return fmt.Sprintf("%v\n\n%s", p.value, p.stack) }

// Panicked returns what the goroutine panicked with.
func (p *relayed) Panicked() any { return p.value }

// catch is deferred in each goroutine, with what stops the others.
func (r *relay) catch(stop func(error)) {
	if v := recover(); v != nil {
		p := &relayed{v, debug.Stack()}
		r.first.CompareAndSwap(nil, p)
		stop(p)
	}
}

// pass panics if a goroutine did.
func (r *relay) pass() {
	if p := r.first.Load(); p != nil {
		panic(p)
	}
}
