package d3pm

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/vec"
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

	rows    func(pi []float64, xt []ddps.PALM, t int) error
	mixed   *mixed // of a denoiser that knows whole paths, under Joint; else nil
	x       []ddps.PALM
	x0      []ddps.Path // of each sample the last x̃_0, of a Mover; else nil
	uniform []float64   // [edge] every row uniform
	lean    bool        // Joint without guidance: the rows of a condition with a memory are not read
	walk    []float64   // [edge of a row of the product graph]
}

// NewScalar makes scratch for batches of n samples; with rows, Pi is set whatever the settings.
func (r *Run) NewScalar(n int, rows bool) *Scalar {
	g := r.Graph
	E, V := g.NumEdges(), g.NumVertices()
	w := &Scalar{Run: r, lean: r.Lean(), rows: posteriors(r.Graph, r.Denoiser), x: make([]ddps.PALM, n),
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
	if _, ok := w.Step.Paths.(Mover); ok {
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
	return w.rows(w.Pi[:n], xt, t)
}

// Batch runs the whole reverse process of the samples paths[lo…hi−1] and reports whether to go on.
func (w *Scalar) Batch(lo, hi int) bool {
	x := w.x[:hi-lo]
	rngs := Streams(w.Seed, w.First+lo, w.First+hi)
	for i := range x {
		w.Graph.Uniform(x[i], rngs[i]) // x_T
	}
	for k, t := range w.Times[:len(w.Times)-1] {
		for i := 0; w.Traced != nil && i < len(x); i++ {
			w.Traced[k][lo+i] = w.Graph.Decode(x[i])
		}
		if err := w.denoise(x, t); err != nil {
			w.Fail(err)
			return false
		}
		for i := range x {
			if w.Step.Rand = rngs[i]; w.x0 != nil {
				w.Step.path, w.Step.moves = w.x0[i], k > 0
			}
			w.Move(x[i], w.Row(w.Pi, i), w.Row(w.C, i), t, w.Times[k+1])
		}
		if !w.Report(len(x)) {
			return false
		}
	}
	for i := range x {
		w.Paths[lo+i] = w.Graph.Decode(x[i])
	}
	return true
}

// Move takes one sample x from t to s, the paper's Algorithm 2 line by line, given π, the softmax of its z, and c,
// what a network makes of a mixture's.
func (w *Scalar) Move(x ddps.PALM, pi, c []float64, t, s int) {
	st := &w.Step
	st.Begin(w.Schedule, t, s, x)
	w.Tilt(pi, c)
	w.fill(st)
	if w.Guided = nil; w.Guide != nil && w.Scale != 0 { // g_t ← ∇_z R̄(z)
		w.Guide.Gradient(st.Pi, w.Grad)
		w.Guided = w.Grad
		w.CheckSignal(w.Grad)
	}
	if s == 0 && (st.Product != nil || st.Whole && w.Guided == nil) {
		w.LogLast = w.DrawLast(x)
		return
	}
	if w.Guided != nil || st.Log {
		st.guide(w.Guided, w.Scale)
	}
	for _, v := range st.rows { // x_s ~ Cat
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

// guide multiplies the distribution of each row by exp(λ g) and normalises it.
func (st *Step) guide(g []float64, lambda float64) {
	for _, v := range st.rows {
		lo, hi := st.Graph.Edges(int(v))
		for e := lo; e < hi; e++ {
			if !st.Log {
				st.Dist[e] = vec.Log(st.Dist[e])
			}
			if g != nil {
				st.Dist[e] += clamped(lambda * g[e])
			}
		}
		vec.SoftmaxRow(st.Dist[lo:hi], st.Dist[lo:hi])
	}
	st.Log = false
}

// clamped keeps −Inf + λ g from being NaN.
func clamped(x float64) float64 {
	const limit = 1e300
	return min(max(x, -limit), limit)
}
