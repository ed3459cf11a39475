package d3pm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

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

// Condition conditions the chain that π defines; package guide has them.
type Condition interface {
	// Tilt sets out to pi given the condition and returns the logarithm of the condition's probability under
	// pi. The slices are by edge and differ. Safe for concurrent use.
	Tilt(pi, out []float64) (logm float64)
}

// DefaultSteps is the number of reverse steps where none is given. The paper takes all 256; Joint needs few.
const DefaultSteps = 16

// Sampler draws paths by the reverse process.
type Sampler struct {
	Graph    *ddps.LayeredGraph
	Denoiser Denoiser
	Schedule *Schedule
	Kernel   Kernel // nil: Joint
	Steps    int    // 0: DefaultSteps

	// Signal is additive guidance (the paper's ∇_z R̄): from π it sets g, both by edge. The law of row v is
	// multiplied by exp(Lambda·g) (the paper's Eq. 13 for a kernel of the paper's kind). nil: none.
	Signal func(pi, g []float64)
	Lambda float64
	// Condition tilts π before anything else. nil: none. One that a Model can never meet is an error. Where the
	// denoiser, at a step, forbids every path that meets it, uniform rows take π's place: it is met all the same.
	Condition Condition

	Batch    int                   // samples a call of the denoiser; 0: 64. Never changes a result.
	Threads  int                   // 0: all processors. Never changes a result.
	Progress func(done, total int) // told of samples × steps done, by one goroutine at a time; may be nil
}

// Sample draws n paths. Sample i depends on the seed and i alone. It stops early with ctx's error.
func (s *Sampler) Sample(ctx context.Context, n int, seed uint64) ([]ddps.Path, error) {
	times, err := s.check(n)
	if err != nil {
		return nil, fmt.Errorf("d3pm: sample: %w", err)
	}
	size := s.Batch
	if size <= 0 {
		size = 64
	}
	threads := s.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	paths := make([]ddps.Path, n)
	r := &run{Sampler: s, ctx: ctx, times: times, seed: seed, paths: paths, size: size}
	var wg sync.WaitGroup
	for range min(threads, (n+size-1)/size) {
		wg.Go(r.work)
	}
	wg.Wait()
	if r.err != nil {
		return nil, fmt.Errorf("d3pm: sample: %w", r.err)
	}
	return paths, nil
}

// check returns the times to visit, or what is wrong with the settings.
func (s *Sampler) check(n int) ([]int, error) {
	switch {
	case n <= 0:
		return nil, fmt.Errorf("n is %d, must be above 0", n)
	case math.IsNaN(s.Lambda) || math.IsInf(s.Lambda, 0):
		return nil, fmt.Errorf("λ is %v, must be a finite number", s.Lambda)
	case s.Graph == nil || s.Denoiser == nil || s.Schedule == nil:
		return nil, errors.New("graph, denoiser and schedule must be set")
	}
	if err := s.checkCondition(); err != nil {
		return nil, err
	}
	steps := s.Steps
	if steps == 0 {
		steps = DefaultSteps
	}
	return s.Schedule.Times(steps)
}

// checkCondition refuses a condition that a model can never meet: what its chain gives probability 0, a residual
// network does not bring back. Other denoisers tell of no law to check.
func (s *Sampler) checkCondition() error {
	m, ok := s.Denoiser.(*Model)
	if s.Condition == nil || !ok || !m.Config.residual() {
		return nil
	}
	if math.IsInf(s.Condition.Tilt(m.Chain.P, make([]float64, len(m.Chain.P))), -1) {
		return errors.New("the condition is impossible: no path to which the model's chain gives a probability above 0 meets it (a pseudo-count kappa above 0 gives one to all paths)")
	}
	return nil
}

// run is one call of Sample.
type run struct {
	*Sampler
	ctx   context.Context
	times []int
	seed  uint64
	paths []ddps.Path
	size  int
	next  atomic.Int64 // first sample of the next batch

	mu   sync.Mutex
	done int
	err  error
}

// fail keeps the first error, which stops all workers.
func (r *run) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

// report counts samples × steps and tells whether to go on.
func (r *run) report(n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return false
	}
	if r.err = r.ctx.Err(); r.err != nil {
		return false
	}
	if r.done += n; r.Progress != nil {
		r.Progress(r.done, len(r.paths)*(len(r.times)-1))
	}
	return true
}

// work takes batches until none is left.
func (r *run) work() {
	w := r.newWorker()
	for {
		lo := int(r.next.Add(int64(r.size))) - r.size
		if lo >= len(r.paths) || !w.batch(lo, min(lo+r.size, len(r.paths))) {
			return
		}
	}
}

// worker is one goroutine's room to work in.
type worker struct {
	*run
	step    Step
	laws    func(pi []float64, xt []ddps.PALM, t int) error
	pi      []float64 // [batch, edge]
	x       []ddps.PALM
	tilted  []float64
	uniform []float64 // every row uniform
	signal  []float64
}

func (r *run) newWorker() *worker {
	g := r.Graph
	E, V := g.NumEdges(), g.NumVertices()
	w := &worker{run: r, laws: posteriors(r.Graph, r.Denoiser), pi: make([]float64, r.size*E), x: make([]ddps.PALM, r.size),
		tilted: make([]float64, E), signal: make([]float64, E), uniform: make([]float64, E)}
	for e := range w.uniform {
		w.uniform[e] = 1 / float64(g.Degree(g.Tail(e)))
	}
	for i := range w.x {
		w.x[i] = make(ddps.PALM, V)
	}
	w.step = Step{Graph: g, Law: make([]float64, E),
		reach: make([]float64, V), path: make(ddps.Path, g.NumLayers()), rows: Rows(g)}
	return w
}

// batch runs the whole reverse process of samples lo…hi−1 and tells whether to go on.
func (w *worker) batch(lo, hi int) bool {
	x := w.x[:hi-lo]
	rngs := newRands(w.seed, lo, hi)
	for i := range x {
		w.Graph.Uniform(x[i], rngs[i]) // x_T
	}
	E := w.Graph.NumEdges()
	for k, t := range w.times[:len(w.times)-1] {
		if err := w.laws(w.pi[:len(x)*E], x, t); err != nil {
			w.fail(err)
			return false
		}
		for i := range x {
			w.step.Rand = rngs[i]
			w.reverse(x[i], w.pi[i*E:(i+1)*E], t, w.times[k+1])
		}
		if !w.report(len(x)) {
			return false
		}
	}
	for i := range x {
		w.paths[lo+i] = w.Graph.Decode(x[i])
	}
	return true
}

// reverse takes one sample x from t to s, the paper's Algorithm 2 line by line, given π, the softmax of its z.
func (w *worker) reverse(x ddps.PALM, pi []float64, t, s int) {
	st := &w.step
	st.T, st.S, st.Xt, st.Pi, st.Log = t, s, x, pi, false
	st.At, st.As = w.Schedule.Abar[t], w.Schedule.Abar[s]
	st.A = st.At / st.As
	if w.Condition != nil {
		if math.IsInf(w.Condition.Tilt(pi, w.tilted), -1) { // the denoiser forbids every path that meets it
			w.Condition.Tilt(w.uniform, w.tilted)
		}
		st.Pi = w.tilted
	}
	kernel := w.Kernel
	if kernel == nil {
		kernel = Joint
	}
	kernel(st)
	if w.Signal != nil && w.Lambda != 0 { // g_t ← ∇_z R̄(z)
		w.Signal(st.Pi, w.signal)
		st.guide(w.signal, w.Lambda)
	} else if st.Log {
		st.guide(nil, 0)
	}
	for _, v := range st.rows { // x_s ~ Cat
		lo, hi := st.Graph.Edges(int(v))
		x[v] = int32(chain.Pick(st.Law[lo:hi], st.Rand.Float64()))
	}
}

// guide multiplies the law of each row by exp(λ g) and normalises it.
func (st *Step) guide(g []float64, lambda float64) {
	const limit = 1e300 // keeps −Inf + λ g from being NaN
	for _, v := range st.rows {
		lo, hi := st.Graph.Edges(int(v))
		for e := lo; e < hi; e++ {
			if !st.Log {
				st.Law[e] = math.Log(st.Law[e])
			}
			if g != nil {
				st.Law[e] += min(max(lambda*g[e], -limit), limit)
			}
		}
		chain.SoftmaxRow(st.Law[lo:hi], st.Law[lo:hi])
	}
	st.Log = false
}
