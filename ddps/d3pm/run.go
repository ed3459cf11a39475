package d3pm

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/ddps-go/ddps/ddps"
)

// Run is one call of Sample, Trace or SampleEach, as an Engine reads it. It embeds the first sampler.
type Run struct {
	*Sampler
	Times  []int         // [S+1] the times visited, T first, 0 last
	Seed   uint64        // sample i of a sampler draws from stream First+i of it
	First  int           // number of the sample Paths[0]
	Paths  []ddps.Path   // what workers fill: Per of each sampler, one sampler after the other
	Traced [][]ddps.Path // [step][sample] before each reverse step; nil: not kept
	Size   int           // samples per batch
	Each   []*Sampler    // whose samples they are
	Per    int           // samples of each

	ctx   context.Context
	unit  int // a batch has no less
	crew  *Crew
	total int          // samples × steps
	next  atomic.Int64 // first of the next batch in Paths

	mu    sync.Mutex
	done  int
	err   error
	relay relay
}

// Fail keeps the first error, which stops all workers.
func (r *Run) Fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

// Report counts samples × steps and reports whether to go on.
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
