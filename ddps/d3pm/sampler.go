package d3pm

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Denoiser is anything that gives p̃_θ(x̃_0 | x_t).
type Denoiser interface {
	// Logits sets z, [batch, edge] row-major, to the logits for each x_t of the batch at time t in 1…T, up to
	// a constant a row; −Inf forbids an edge. A sample's logits must not depend on the rest of the batch. Safe
	// for concurrent use.
	Logits(z []float32, xt []ddps.PALM, t int) error
}

// posteriors returns what gives π, [batch, edge], for a batch: the softmax of the denoiser's logits, or its own
// Posteriors where it has them.
func posteriors(g *ddps.LayeredGraph, d Denoiser) func(pi []float64, xt []ddps.PALM, t int) error {
	if own, ok := d.(interface {
		Posteriors(pi []float64, xt []ddps.PALM, t int) error
	}); ok {
		return own.Posteriors
	}
	var z []float32
	return func(pi []float64, xt []ddps.PALM, t int) error {
		if len(z) < len(pi) {
			z = make([]float32, len(pi))
		}
		if err := d.Logits(z[:len(pi)], xt, t); err != nil {
			return err
		}
		E := g.NumEdges()
		for i, l := range z[:len(pi)] {
			if l != l || l > math.MaxFloat32 {
				return fmt.Errorf("the denoiser gave %v for edge %d at time %d", l, i%E, t)
			}
			pi[i] = float64(l)
		}
		for i := range xt {
			chain.Softmax(g, pi[i*E:(i+1)*E], pi[i*E:(i+1)*E])
		}
		return nil
	}
}

// Guide gives the gradient that guides a sampler (package guide has them). One may also have these methods:
//
//	Graph() *ddps.LayeredGraph         the graph it is made for, which Check compares
//	Gradients(pi, grad [][8]float64)   Gradient of eight samples at a time, [edge][sample], with the same results
//	Reward() []float64                 by edge, where it is the gradient of this expected reward
type Guide interface {
	// Gradient sets grad from pi, both by edge. Safe for concurrent use.
	Gradient(pi, grad []float64)
}

// DefaultSteps is the number of reverse steps where none is given. The paper takes all 256; Joint needs few.
const DefaultSteps = 16

// Sampler draws paths by the reverse process.
type Sampler struct {
	Graph    *ddps.LayeredGraph
	Denoiser Denoiser
	Schedule *Schedule
	Kernel   Kernel // the zero value: Joint
	Steps    int    // 0: none where the samples can be drawn directly (see Direct), else DefaultSteps

	// Guide is additive guidance (the paper's ∇_z R̄): the distribution of row v is multiplied by exp(Scale·g), g the
	// guide's gradient (the paper's Eq. 13 for a kernel of the paper's kind). nil: none.
	Guide Guide
	Scale float64 // guidance scale λ; without a Guide it must be 0
	// Condition tilts π before anything else; every sample meets it, whatever the kernel and the Guide. nil: none.
	// One that a Model can never meet is an error. Where the denoiser, at a step, forbids every path that meets it,
	// uniform rows take π's place: it is met all the same.
	Condition Condition

	// Engine draws samples in place of the scalar code, with the same results, where it can; nil: the scalar code does.
	Engine Engine
	// Backend is the GoMLX backend on which an Engine that has any runs whole reverse steps: "xla:cpu", "xla:cuda",
	// "xla:/abs/x.so". "": the host, or what the Engine chooses. The same seed gives the same random numbers
	// everywhere; paths agree but where numbers that were rounded otherwise fall on two sides of one.
	Backend string

	// samples a call of the denoiser on the host; 0: 64, less on huge graphs. Never changes a result.
	Batch   int
	Threads int // 0: all CPU. Never changes a result.
	// called with samples × steps done (samples where there are no steps), by one goroutine at a time; may be nil
	Progress func(done, total int)

	known PathDistribution // what Sample draws from directly; nil: it takes reverse steps
	draws Draws            // the same, of a Whole
}

// Sample draws n paths. Sample i depends on the seed and i alone. It stops early with ctx's error.
func (s *Sampler) Sample(ctx context.Context, n int, seed uint64) ([]ddps.Path, error) {
	s, err := s.resolve(n)
	if err != nil {
		return nil, fmt.Errorf("d3pm: sample: %w", err)
	}
	r, err := s.span(ctx, []*Sampler{s}, 0, n, n, seed, false)
	if err != nil {
		return nil, fmt.Errorf("d3pm: sample: %w", err)
	}
	return r.Paths, nil
}

// resolve checks the settings and returns a sampler that knows whether it draws directly, and from what.
func (s *Sampler) resolve(n int) (*Sampler, error) {
	if _, err := s.check(n); err != nil || !s.Direct() {
		return s, err
	}
	own := *s
	var err error
	if b, ok := s.base().(Whole); ok {
		own.draws, err = s.whole(b)
	} else {
		own.known, err = s.distribution()
	}
	return &own, err
}

// drawn reports whether a resolved sampler draws directly.
func (s *Sampler) drawn() bool { return s.known != nil || s.draws != nil }

// Trace draws paths by the reverse process, those that Sample draws unless that draws directly, and returns what they
// were on the way: paths[k][i] is what sample i's x_t decodes to at t = times[k], from noise at T to the sample
// itself at 0. It keeps n · (S+1) paths.
func (s *Sampler) Trace(ctx context.Context, n int, seed uint64) (times []int, paths [][]ddps.Path, err error) {
	r, err := s.span(ctx, []*Sampler{s}, 0, n, n, seed, true)
	if err != nil {
		return nil, nil, fmt.Errorf("d3pm: trace: %w", err)
	}
	return r.Times, append(r.Traced, r.Paths), nil
}

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
	if r.crew, err = r.hire(); r.crew == nil || err != nil {
		return nil, err
	}
	if r.crew.Free != nil {
		defer r.crew.Free()
	}
	threads := s.threads()
	if r.Size, r.unit = r.crew.Size, r.crew.Unit; r.crew.Threads > 0 {
		threads = min(threads, r.crew.Threads)
	}
	var wg sync.WaitGroup
	for range min(threads, (len(r.Paths)+r.unit-1)/r.unit) {
		wg.Go(r.work)
	}
	wg.Wait()
	r.relay.pass()
	return r, r.err
}

// hire returns who draws the samples: directly, the engine, or the scalar code.
func (r *Run) hire() (*Crew, error) {
	if r.draws != nil && len(r.Each) == 1 {
		return &Crew{Size: wholeBatch, Unit: wholeBatch, Threads: 1, New: func() Worker { return &wholeWorker{r} }}, nil
	}
	if r.known != nil && len(r.Each) == 1 {
		return &Crew{Size: directBatch, Unit: directBatch, New: func() Worker { return &directWorker{r, r.known.Share()} }},
			nil
	}
	if r.Engine != nil {
		if crew, err := r.Engine.Take(r); crew != nil || err != nil {
			return crew, err
		}
	}
	if len(r.Each) > 1 {
		return nil, nil
	}
	size := r.BatchSize()
	return &Crew{Size: size, Unit: size, New: func() Worker { return r.NewScalar(size, false) }}, nil
}

// directBatch is how many samples that are drawn directly a goroutine takes together.
const directBatch = 256

// callSize bounds samples × edges of a call of the denoiser where Batch does not say: a few arrays of float64 of this
// size a thread.
const callSize = 1 << 22

// BatchSize returns the number of samples a call of the denoiser.
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
