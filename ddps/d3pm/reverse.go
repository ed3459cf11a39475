package d3pm

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// worker is one goroutine's room to work in.
type worker struct {
	*run
	step    Step
	laws    func(pi []float64, xt []ddps.PALM, t int) error
	mixed   *mixed    // of a denoiser that is a mixture, under Joint; else nil
	pi, c   []float64 // [batch, edge]; c is empty where nothing corrects a mixture, and pi where nobody asks for rows
	x       []ddps.PALM
	tilted  []float64 // [edge] row laws of π given the condition
	uniform []float64 // [edge] every row uniform
	signal  []float64
	guided  []float64 // the signal of the last step taken, nil if none was used
	lean    bool      // Joint without guidance: nobody reads the rows of a condition with a memory
	logLast float64   // log of the probability of the last path drawn as a whole
	walk    []float64 // [edge of a row of the lift]
}

// newWorker makes room for batches of n samples; rows tells whether their row laws are asked for whatever happens.
func (r *run) newWorker(n int, rows bool) *worker {
	g := r.Graph
	E, V := g.NumEdges(), g.NumVertices()
	w := &worker{run: r, lean: r.lean(), laws: posteriors(r.Graph, r.Denoiser), x: make([]ddps.PALM, n),
		tilted: make([]float64, E), signal: make([]float64, E), uniform: make([]float64, E)}
	for e := range w.uniform {
		w.uniform[e] = 1 / float64(g.Degree(g.Tail(e)))
	}
	for i := range w.x {
		w.x[i] = make(ddps.PALM, V)
	}
	w.step = newStep(g)
	w.step.lifter = newLifter(r.Condition)
	if r.joint() {
		w.mixed = mixtureOf(r.Denoiser)
	}
	if w.mixed != nil {
		w.step.paths, _ = w.mixed.given(r.Condition)
		if !w.mixed.bare() {
			w.c = make([]float64, n*E)
		}
	}
	if rows || r.Signal != nil || !w.mixed.bare() {
		w.pi = make([]float64, n*E)
	}
	return w
}

// row returns the i-th sample's part of x, [batch, edge]; nil of nothing.
func (w *worker) row(x []float64, i int) []float64 {
	if len(x) == 0 {
		return nil
	}
	E := w.Graph.NumEdges()
	return x[i*E : (i+1)*E]
}

// denoise sets π, and c where there is one, for the samples xt.
func (w *worker) denoise(xt []ddps.PALM, t int) error {
	n := len(xt) * w.Graph.NumEdges()
	if w.mixed != nil {
		if w.pi == nil {
			return nil
		}
		return w.mixed.laws(w.pi[:n], w.c[:min(n, len(w.c))], xt, t)
	}
	return w.laws(w.pi[:n], xt, t)
}

// Batch runs the whole reverse process of the samples paths[lo…hi−1] and tells whether to go on.
func (w *worker) Batch(lo, hi int) bool {
	x := w.x[:hi-lo]
	rngs := newRands(w.seed, w.first+lo, w.first+hi)
	for i := range x {
		w.Graph.Uniform(x[i], rngs[i]) // x_T
	}
	for k, t := range w.times[:len(w.times)-1] {
		for i := 0; w.trace != nil && i < len(x); i++ {
			w.trace[k][lo+i] = w.Graph.Decode(x[i])
		}
		if err := w.denoise(x, t); err != nil {
			w.fail(err)
			return false
		}
		for i := range x {
			w.step.Rand = rngs[i]
			w.reverse(x[i], w.row(w.pi, i), w.row(w.c, i), t, w.times[k+1])
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

// reverse takes one sample x from t to s, the paper's Algorithm 2 line by line, given π, the softmax of its z, and c,
// what a network makes of a mixture's.
func (w *worker) reverse(x ddps.PALM, pi, c []float64, t, s int) {
	st := &w.step
	st.begin(w.Schedule, t, s, x)
	w.tilt(pi, c)
	w.fill(st)
	if w.guided = nil; w.Signal != nil && w.Lambda != 0 { // g_t ← ∇_z R̄(z)
		w.Signal(st.Pi, w.signal)
		w.guided = w.signal
		w.checkSignal(w.signal)
	}
	if s == 0 && (st.lifter != nil || st.whole && w.guided == nil) {
		w.logLast = w.last(x)
		return
	}
	if w.guided != nil || st.Log {
		st.guide(w.guided, w.Lambda)
	}
	for _, v := range st.rows { // x_s ~ Cat
		lo, hi := st.Graph.Edges(int(v))
		x[v] = int32(chain.Pick(st.Law[lo:hi], st.Rand.Float64()))
	}
}

// checkSignal fails the run where the guide gave something that is not a number.
func (r *run) checkSignal(g []float64) {
	for e, x := range g {
		if x != x {
			r.fail(fmt.Errorf("the guide gave NaN for edge %s → %s", r.Graph.Name(r.Graph.Tail(e)), r.Graph.Name(r.Graph.Head(e))))
			return
		}
	}
}

// joint reports whether the kernel is Joint.
func (s *Sampler) joint() bool { return s.Kernel.BuiltIn() == "joint" }

// lean reports whether the kernel is Joint, without guidance.
func (s *Sampler) lean() bool { return s.joint() && (s.Signal == nil || s.Lambda == 0) }

// fill calls the kernel, Joint by default.
func (w *worker) fill(st *Step) {
	if w.Kernel.Fill == nil {
		joint(st)
		return
	}
	w.Kernel.Fill(st)
}

// guide multiplies the law of each row by exp(λ g) and normalises it.
func (st *Step) guide(g []float64, lambda float64) {
	for _, v := range st.rows {
		lo, hi := st.Graph.Edges(int(v))
		for e := lo; e < hi; e++ {
			if !st.Log {
				st.Law[e] = vec.Log(st.Law[e])
			}
			if g != nil {
				st.Law[e] += clamped(lambda * g[e])
			}
		}
		vec.SoftmaxRow(st.Law[lo:hi], st.Law[lo:hi])
	}
	st.Log = false
}

// clamped keeps −Inf + λ g from being NaN.
func clamped(x float64) float64 {
	const limit = 1e300
	return min(max(x, -limit), limit)
}
