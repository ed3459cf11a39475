package d3pm

import (
	"fmt"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Scalar is the reverse process in scalar Go: the scratch of one goroutine, for batches of samples. Engines use it
// for the samples that they cannot take.
type Scalar struct {
	*Run
	Step    Step
	Pi, C   []float64 // [batch, edge]; C is empty where all factors are 1, and Pi where no rows are read
	Tilted  []float64 // [edge] row distributions of π given the condition
	Grad    []float64 // [edge] scratch of the guide
	Guided  []float64 // Grad as the last step took it, nil if that was unguided
	LogLast float64   // log of the probability of the last path drawn as a whole

	rows    posterior
	mixed   *mixed // of a denoiser that knows whole paths, under Joint; else nil
	x       []ddps.PALM
	x0      []ddps.Path // of each sample the last x̃_0, of a mover; else nil
	uniform []float64   // [edge] every row uniform
	scored  bool        // a Proposal reads LogLast, which of a whole distribution may be much work
	lean    bool        // Joint without guidance: the rows of a condition with a memory are not read
	walk    []float64   // [edge of a row of the product graph]
	moved   struct {    // Move's batch
		batch
		x     [1]ddps.PALM
		rngs  [1]*rand.Rand
		times [2]int
	}
}

// NewScalar makes scratch for batches of n samples; with rows, Pi is set whatever the settings.
func (r *Run) NewScalar(n int, rows bool) *Scalar {
	g := r.Graph
	E, V := g.NumEdges(), g.NumVertices()
	w := &Scalar{Run: r, lean: r.Lean(), rows: posterior{r.Graph, r.Denoiser}, x: make([]ddps.PALM, n),
		Tilted: make([]float64, E), Grad: make([]float64, E), uniform: make([]float64, E)}
	for e := range w.uniform {
		w.uniform[e] = 1 / float64(g.Degree(g.Tail(e)))
	}
	for i := range w.x {
		w.x[i] = make(ddps.PALM, V)
	}
	w.Step = NewStep(g)
	w.Step.Product = newTilter(r.Condition)
	if r.IsJoint() {
		w.mixed = mixtureOf(r.Denoiser)
	}
	if w.mixed != nil {
		w.Step.Paths, _ = w.mixed.given(r.Condition)
		if !w.mixed.bare() {
			w.C = make([]float64, n*E)
		}
	}
	if _, ok := w.Step.Paths.(mover); ok {
		w.x0 = make([]ddps.Path, n)
		for i := range w.x0 {
			w.x0[i] = make(ddps.Path, g.NumLayers())
		}
	}
	if rows || r.Guide != nil || !w.mixed.bare() {
		w.Pi = make([]float64, n*E)
	}
	return w
}

// Row returns the i-th sample's part of x, [batch, edge]; nil of nothing.
func (w *Scalar) Row(x []float64, i int) []float64 {
	if len(x) == 0 {
		return nil
	}
	E := w.Graph.NumEdges()
	return x[i*E : (i+1)*E]
}

// denoise sets π, and c where there is one, for the samples xt.
func (w *Scalar) denoise(xt []ddps.PALM, t int) error {
	n := len(xt) * w.Graph.NumEdges()
	if w.mixed != nil {
		if w.Pi == nil {
			return nil
		}
		return w.mixed.dists(w.Pi[:n], w.C[:min(n, len(w.C))], xt, t)
	}
	return w.rows.of(w.Pi[:n], xt, t)
}

// batch is samples on their way from times[0] to the last of times.
type batch struct {
	x     []ddps.PALM
	rngs  []*rand.Rand
	times []int
	pi, c []float64 // [batch, edge]
	lo    int       // of the run's paths
	known bool      // x at times[0] and π are there: one step of a sample that is not the run's next
}

// start sets x to x_T.
func (b *batch) start(g *ddps.LayeredGraph) {
	if b.known {
		return
	}
	for i, x := range b.x {
		g.Uniform(x, b.rngs[i])
	}
}

// posterior sets π, and c where there is one, of the batch at the k-th time.
func (w *Scalar) posterior(b *batch, k int) bool {
	if b.known {
		return true
	}
	if k > 0 && !w.Report(len(b.x)) {
		return false
	}
	if w.Traced != nil {
		w.paths(b, w.Traced[k])
	}
	if err := w.denoise(b.x, b.times[k]); err != nil {
		w.Fail(err)
		return false
	}
	return true
}

// decode sets the run's paths to those of the batch.
func (w *Scalar) decode(b *batch) bool {
	if b.known {
		return true
	}
	w.paths(b, w.Paths)
	return w.Report(len(b.x))
}

// paths sets the batch's part of paths to what its samples decode to.
func (w *Scalar) paths(b *batch, paths []ddps.Path) {
	for i, x := range b.x {
		paths[b.lo+i] = w.Graph.Decode(x)
	}
}

// Batch implements Worker.
func (w *Scalar) Batch(lo, hi int) bool {
	return w.reverse(&batch{x: w.x[:hi-lo], rngs: streams(w.Seed, w.First+lo, w.First+hi), times: w.Times, pi: w.Pi,
		c: w.C, lo: lo})
}

// Move takes one sample x from t to s, drawing from Step.Rand, given π and c, what a network makes of a mixture's.
func (w *Scalar) Move(x ddps.PALM, pi, c []float64, t, s int) {
	m := &w.moved
	m.x[0], m.rngs[0], m.times[0], m.times[1] = x, w.Step.Rand, t, s
	m.batch = batch{x: m.x[:], rngs: m.rngs[:], times: m.times[:], pi: pi, c: c, known: true}
	w.reverse(&m.batch)
}

// at readies the step of sample i of the batch from t to s.
func (w *Scalar) at(b *batch, i, t, s int) *Step {
	w.Guided, w.Step.Rand = nil, b.rngs[i]
	if w.x0 != nil {
		w.Step.path, w.Step.moves = w.x0[i], !b.known && t != b.times[0]
	}
	w.Step.Begin(w.Schedule, t, s, b.x[i])
	return &w.Step
}

// Add has the guide's gradient g multiply the step's rows by exp(λ g), when draw draws them.
func (w *Scalar) Add(g []float64) {
	w.Guided = g
	w.CheckSignal(g)
}

// draw draws x_s, line 9 of Algorithm 2, after line 8: row by row, except at s = 0 where the path is drawn as a
// whole.
func (w *Scalar) draw(x ddps.PALM) {
	st := &w.Step
	if st.S == 0 && (st.Product != nil || st.Whole && w.Guided == nil) {
		w.LogLast = w.DrawLast(x)
		return
	}
	if w.Guided != nil || st.Log {
		st.guide(w.Guided, w.Scale)
	}
	for _, v := range st.rows {
		lo, hi := st.Graph.Edges(int(v))
		x[v] = int32(chain.Pick(st.Dist[lo:hi], st.Rand.Float64()))
	}
}

// CheckSignal fails the run where the guide gave something that is not a number.
func (r *Run) CheckSignal(g []float64) {
	for e, x := range g {
		if x != x {
			r.Fail(fmt.Errorf("the guide gave NaN for edge %s → %s", r.Graph.Name(r.Graph.Tail(e)),
				r.Graph.Name(r.Graph.Head(e))))
			return
		}
	}
}

// IsJoint reports whether the kernel is Joint.
func (s *Sampler) IsJoint() bool { return s.Kernel.BuiltIn() == "joint" }

// Lean reports whether the kernel is Joint, without guidance.
func (s *Sampler) Lean() bool { return s.IsJoint() && (s.Guide == nil || s.Scale == 0) }

// fill calls the kernel, Joint by default.
func (w *Scalar) fill(st *Step) {
	if w.Kernel.Fill == nil {
		joint(st)
		return
	}
	w.Kernel.Fill(st)
}

// streams returns the random streams of items lo…hi−1.
func streams(seed uint64, lo, hi int) []*rand.Rand {
	rngs := make([]*rand.Rand, hi-lo)
	for i := range rngs {
		rngs[i] = ddps.Rand(seed, uint64(lo+i))
	}
	return rngs
}
