package d3pm

import (
	"context"
	"runtime"
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
	plan  *Plan
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
	w := r.plan.New()
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

// resolve checks the settings and returns a sampler that knows whether it draws directly, and from what.
func (s *Sampler) resolve(ctx context.Context, n int) (*Sampler, error) {
	if _, err := s.check(n); err != nil || !s.Direct() {
		return s, err
	}
	own := *s
	var err error
	if b, ok := s.base().(PathModel); ok {
		own.draws, err = s.whole(ctx, b)
	} else {
		own.known, err = s.distribution()
	}
	return &own, err
}

// drawn reports whether a resolved sampler draws directly.
func (s *Sampler) drawn() bool { return s.known != nil || s.draws != nil }

// span draws the samples lo…hi−1 of n of each sampler, one after the other in the run's paths, and keeps what the x_t
// before the last decode to if traced. It returns nil where nobody draws those of several samplers together.
func (s *Sampler) span(ctx context.Context, each []*Sampler, lo, hi, n int, seed uint64, traced bool) (*Run, error) {
	times, err := s.check(n)
	if err != nil {
		return nil, err
	}
	steps := len(times) - 1
	if s.drawn() {
		steps = 1
	}
	r := &Run{Sampler: s, ctx: ctx, Times: times, Seed: seed, First: lo, Per: hi - lo, Each: each,
		Paths: make([]ddps.Path, len(each)*(hi-lo)), done: lo * steps, total: len(each) * n * steps}
	if traced {
		r.Traced = make([][]ddps.Path, steps)
		for k := range r.Traced {
			r.Traced[k] = make([]ddps.Path, len(r.Paths))
		}
	}
	if r.plan, err = r.choose(); r.plan == nil || err != nil {
		return nil, err
	}
	if r.plan.Free != nil {
		defer r.plan.Free()
	}
	threads := s.threads()
	if r.Size, r.unit = r.plan.Size, r.plan.Unit; r.plan.Threads > 0 {
		threads = min(threads, r.plan.Threads)
	}
	var wg sync.WaitGroup
	for range min(threads, (len(r.Paths)+r.unit-1)/r.unit) {
		wg.Go(r.work)
	}
	wg.Wait()
	r.relay.pass()
	return r, r.err
}

// choose returns the plan by which the samples are drawn: directly, the engine, or the scalar code.
func (r *Run) choose() (*Plan, error) {
	if r.draws != nil && len(r.Each) == 1 {
		return &Plan{Size: batchOf(r.draws), Unit: batchOf(r.draws), Threads: 1,
			New: func() Worker { return &pathModelWorker{r} }}, nil
	}
	if r.known != nil && len(r.Each) == 1 {
		return &Plan{Size: directBatch, Unit: directBatch, New: func() Worker { return &directWorker{r, r.known.Share()} }},
			nil
	}
	if r.Engine != nil {
		if p, err := r.Engine.Take(r); p != nil || err != nil {
			return p, err
		}
	}
	if len(r.Each) > 1 {
		return nil, nil
	}
	size := r.BatchSize()
	return &Plan{Size: size, Unit: size, New: func() Worker { return r.NewScalar(size, false) }}, nil
}

// directBatch is how many samples that are drawn directly a goroutine takes together.
const directBatch = 256

// callSize bounds samples × edges of a call of the denoiser where Batch does not say: a few arrays of float64 of this
// size a thread.
const callSize = 1 << 22

// BatchSize returns the number of samples per call of the denoiser.
func (s *Sampler) BatchSize() int {
	if s.Batch > 0 {
		return s.Batch
	}
	return min(64, max(1, callSize/max(1, s.Graph.NumEdges())))
}

// threads returns the number of goroutines.
func (s *Sampler) threads() int {
	if s.Threads > 0 {
		return s.Threads
	}
	return runtime.GOMAXPROCS(0)
}
