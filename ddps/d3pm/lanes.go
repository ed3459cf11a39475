package d3pm

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/octet"
)

// laneWorker is what a worker is for the usual cases, the eight samples of a group side by side: a chain's exact
// denoiser, bare or corrected by a network, or a network alone; a kernel of this package. Each sample gets the bits that
// worker gives it.
type laneWorker struct {
	*run
	graph  *octet.Graph
	exact  *chain.LaneDenoiser // nil: π starts at 1
	net    laneNet             // nil: none
	given  *laneCondition      // nil: none
	kernel laneKernel
	groups []laneGroup
	palm   ddps.PALM

	step    *octet.Step
	rates   Step         // of the step, for its rates
	free    []octet.Lane // [E] π as the denoiser gives it
	pi, law []octet.Lane // [E] π given the condition, free where there is none, and the step's law
	u       []octet.Lane // [rows]
	reach   []octet.Lane // [V]
	x0      []octet.Choice
	exps    []octet.Single // [D]
	row     []float64      // [D]
	logs    bool           // the kernel gives logarithms
	signals laneSignal
}

// laneGroup is up to eight samples: their x_t, by vertex, and random streams. Lanes without a sample hold choices of
// earlier ones.
type laneGroup struct {
	n    int
	x    []octet.Choice
	rngs []*rand.Rand
}

// laneKernel sets w.law from w.pi.
type laneKernel func(w *laneWorker, g *laneGroup)

// laneNet is a network that works on groups.
type laneNet interface {
	// begin readies it for time t.
	begin(t int)
	// load takes up to laneChunk groups.
	load(groups []laneGroup)
	// outputs returns what it gives for group i of those, edge e's at e·stride.
	outputs(i int) (out []octet.Single, stride int)
}

// maxLaneEdges bounds the graphs on which samples are worked on side by side. On larger ones eight samples' numbers by edge,
// 64 bytes each, come from memory at every pass, and samples one by one, whose numbers stay in the cache, are faster.
const maxLaneEdges = 1 << 20

// laneUnit returns how many samples a laneWorker of the run takes together at least, 0 if the run is none of its cases.
func (r *run) laneUnit() int {
	if r.single || r.laneKernel() == nil || r.Graph.NumEdges() > maxLaneEdges || !laneSized(r.Condition) {
		return 0
	}
	switch d := r.Denoiser.(type) {
	case *chain.Denoiser:
		if d.Graph() == r.Graph {
			return octet.Width
		}
	case *Model:
		if _, ok := d.exact.(*chain.Denoiser); ok && d.Graph == r.Graph {
			return netUnit(d)
		}
	}
	return 0
}

// laneSized tells whether the lift of c, if there is one, is small enough for samples side by side.
func laneSized(c Condition) bool {
	l, _ := lift(c)
	return l == nil || len(l.Edge) <= maxLaneEdges
}

// netUnit is laneUnit for a model on a chain.
func netUnit(m *Model) int {
	switch net := m.Net.(type) {
	case *MLP:
		return laneChunk * octet.Width
	case *UNet:
		if !net.onDevice() {
			return laneChunk * octet.Width
		}
	case nil:
		return octet.Width
	}
	return 0
}

// newLaneWorker makes room for batches of n samples; laneUnit must not be 0.
func (r *run) newLaneWorker(n int) *laneWorker {
	g := r.Graph
	w := &laneWorker{run: r, kernel: r.laneKernel(), logs: r.is(Algorithm2), graph: octet.NewGraph(g, Rows(g))}
	w.setDenoiser()
	E, V, D := g.NumEdges(), g.NumVertices(), g.MaxDegree()
	w.rates, w.step = newStep(g), octet.NewStep(D)
	w.free, w.law, w.reach, w.u = make([]octet.Lane, E), make([]octet.Lane, E), make([]octet.Lane, V), make([]octet.Lane, len(w.graph.Rows))
	if w.pi = w.free; r.Condition != nil {
		w.given, w.pi = newLaneCondition(r, w.graph, r.Condition, r.newWorker(1, true)), make([]octet.Lane, E)
	}
	w.x0, w.exps = make([]octet.Choice, V), make([]octet.Single, D)
	w.row, w.palm = make([]float64, D), make(ddps.PALM, V)
	w.groups = make([]laneGroup, (n+octet.Width-1)/octet.Width)
	for i := range w.groups {
		w.groups[i].x = make([]octet.Choice, V)
	}
	return w
}

// setDenoiser sets what gives π.
func (w *laneWorker) setDenoiser() {
	m, ok := w.Denoiser.(*Model)
	if !ok {
		w.exact = w.Denoiser.(*chain.Denoiser).Lanes(w.graph)
		return
	}
	if m.Net == nil || m.Config.residual() {
		w.exact = m.exact.(*chain.Denoiser).Lanes(w.graph)
	}
	if m.Net != nil {
		w.net = newLaneNet(m)
	}
}

// laneKernel returns the run's kernel, nil for one that it does not know.
func (r *run) laneKernel() laneKernel {
	if r.joint() {
		return (*laneWorker).joint
	}
	switch {
	case r.is(Undivided):
		return (*laneWorker).undivided
	case r.is(Mixture):
		return (*laneWorker).mixture
	case r.is(Occupancy):
		return (*laneWorker).occupancy
	case r.is(Algorithm2):
		return (*laneWorker).annealed
	}
	return nil
}

// batch is worker's batch.
func (w *laneWorker) batch(lo, hi int) bool {
	groups := w.start(lo, hi)
	for k, t := range w.times[:len(w.times)-1] {
		if w.trace != nil {
			w.decode(groups, w.trace[k][lo:hi])
		}
		if err := w.reverse(groups, t, w.times[k+1]); err != nil {
			w.fail(err)
			return false
		}
		if !w.report(hi - lo) {
			return false
		}
	}
	w.decode(groups, w.paths[lo:hi])
	return true
}

// decode sets paths to what the samples decode to.
func (w *laneWorker) decode(groups []laneGroup, paths []ddps.Path) {
	for i := range paths {
		g, k := &groups[i/octet.Width], i%octet.Width
		for v := range w.palm {
			w.palm[v] = int32(g.x[v][k])
		}
		paths[i] = w.Graph.Decode(w.palm)
	}
}

// start sets the groups of the samples paths[lo…hi−1] to x_T.
func (w *laneWorker) start(lo, hi int) []laneGroup {
	groups := w.groups[:(hi-lo+octet.Width-1)/octet.Width]
	for i := range groups {
		g := &groups[i]
		first := lo + i*octet.Width
		g.n = min(octet.Width, hi-first)
		g.rngs = newRands(w.seed, w.first+first, w.first+first+g.n)
		g.uniform(w.Graph, w.palm)
	}
	return groups
}

// uniform sets the samples to x_T; palm is room for one.
func (g *laneGroup) uniform(graph *ddps.LayeredGraph, palm ddps.PALM) {
	for k, rng := range g.rngs {
		graph.Uniform(palm, rng)
		for v, c := range palm {
			g.x[v][k] = int64(c)
		}
	}
}
