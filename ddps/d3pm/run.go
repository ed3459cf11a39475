package d3pm

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/ddps-go/ddps/ddps"
)

// run is one call of Sample or Trace.
type Run struct {
	*Sampler
	ctx    context.Context
	Times  []int
	Seed   uint64
	First  int // number of the sample paths[0]
	Paths  []ddps.Path
	Traced [][]ddps.Path // [step][sample] before each reverse step; nil: not kept
	Size   int           // samples a batch
	unit   int           // a batch has no less
	Each   []*Sampler    // whose samples they are,
	Per    int           // so many of each in turn
	crew   *Crew
	total  int          // samples × steps
	next   atomic.Int64 // first of the next batch in paths

	mu    sync.Mutex
	done  int
	err   error
	relay relay
}

// fail keeps the first error, which stops all workers.
func (r *Run) Fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

// report counts samples × steps and tells whether to go on.
func (r *Run) Report(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return false
	}
	if r.err = r.ctx.Err(); r.err != nil {
		return false
	}
	if r.done += n; r.Progress != nil {
		r.Progress(r.done, r.total)
	}
	return true
}

// work takes batches until none is left.
func (r *Run) work() {
	defer r.relay.catch(r.Fail)
	w := r.crew.New()
	for {
		if lo, hi := r.take(); lo == hi || !w.Batch(lo, hi) {
			return
		}
	}
}

// take returns the samples of the next batch, none if there are no more: as many as a batch has, but towards the end no
// more than half of a thread's share of what is left, so that all threads end together.
func (r *Run) take() (lo, hi int) {
	for {
		lo = int(r.next.Load())
		left := len(r.Paths) - lo
		threads := r.threads()
		share := (left + 2*threads - 1) / (2 * threads)
		n := min((share+r.unit-1)/r.unit*r.unit, r.Size, left)
		if n <= 0 {
			return lo, lo
		}
		if r.next.CompareAndSwap(int64(lo), int64(lo+n)) {
			return lo, lo + n
		}
	}
}
