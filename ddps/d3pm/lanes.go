package d3pm

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/net"
)

// laneWorker is worker on the vector lanes, eight samples of a group at a time: the exact denoiser of a chain or of a
// mixture, bare or corrected by a network, or a network alone; a kernel of this package. Each sample gets the bits that
// worker gives it.
type laneWorker struct {
	*run
	graph  *vec.Graph
	exact  *chain.LaneDenoiser // of a chain; nil: π starts at 1, or is mix's
	mix    *mixture.Lanes      // the mixture; nil: none
	prior  *mixture.Denoiser   // of the mixture
	rows   bool                // somebody reads π
	whole  *mixture.Lanes      // the distribution of x̃_0 under Joint given the condition; nil: that of the chain π
	net    laneNet             // nil: none
	given  *laneCondition      // nil: none
	kernel laneKernel
	groups []laneGroup
	palm   ddps.PALM

	step    *vec.Step
	rates   Step       // of the step, for its rates
	one     *worker    // for samples that the lanes cannot take
	odd     []uint8    // scratch of the kernels
	c       []vec.Lane // [E] what the network makes of the mixture's rows; nil without
	grad    []vec.Lane // [E] the guide's gradient in the last step; nil: there was none
	logLast vec.Lane   // log of the probabilities of the paths that last drew
	free    []vec.Lane // [E] π as the denoiser gives it
	pi, law []vec.Lane // [E] π given the condition, free where there is none, and the step's law
	u       []vec.Lane // [rows]
	reach   []vec.Lane // [V]
	x0      []vec.Choice
	exps    []vec.Single // [D]
	row     []float64    // [D]
	logs    bool         // the kernel gives logarithms
	signals laneSignal
}

// laneGroup is up to eight samples: their x_t, by vertex, and random streams. Lanes without a sample hold choices of
// earlier ones.
type laneGroup struct {
	n    int
	x    []vec.Choice
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
	outputs(i int) (out []vec.Single, stride int)
}

// maxLaneEdges bounds the graphs on which samples are worked on side by side. On larger ones eight samples' numbers by edge,
// 64 bytes each, come from memory at every pass, and samples one by one, whose numbers stay in the cache, are faster.
const maxLaneEdges = 1 << 20

// Fast draws samples eight at a time on the vector lanes: for the exact denoiser of a chain or a mixture, alone or corrected
// by a network, for a plain network, and for the kernels of package d3pm. Each sample gets the bits of the scalar code.
type Fast struct{}

// Take implements Engine.
func (Fast) Take(r *run) (*Crew, error) {
	unit := laneUnit(r)
	if unit == 0 || len(r.each) > 1 {
		return nil, nil
	}
	size := r.batch()
	return &Crew{Size: size, Unit: min(size, unit), New: func() Worker { return newLaneWorker(r, size) }}, nil
}

// maxSwarm bounds the numbers that particles on lanes keep from one part of a step to the next, of float64 a thread.
const maxSwarm = 1 << 24

// TakeParticles implements Engine. It does not take groups of too many particles.
func (Fast) TakeParticles(r *particleRun) *Crew {
	if laneUnit(&r.run) == 0 {
		return nil
	}
	E := r.Sampler.Graph.NumEdges()
	each := E
	if l, _ := lift(r.Condition); l != nil {
		each += len(l.Edge)
	}
	if r.Condition != nil {
		each += E
	}
	if p, _ := net.PartsOf(r.Denoiser); p.Mixture != nil && p.Net != nil {
		each += E
	}
	if !laneSized(r.target) || !mixtureSized(&r.run, r.target) || r.K*each > maxSwarm {
		return nil
	}
	size := min(r.size, max(1, maxSwarm/(r.K*each)))
	return &Crew{Size: size, New: func() Worker { return newLaneSwarm(r, size) }}
}

// laneUnit returns how many samples a laneWorker of the run takes together at least, 0 if the run is none of its cases.
func laneUnit(r *run) int {
	p, ok := net.PartsOf(r.Denoiser)
	if !ok || p.Graph != r.Graph || !vec.Vectors() || newLaneKernel(r) == nil || r.Graph.NumEdges() > maxLaneEdges ||
		!laneSized(r.Condition) || !mixtureSized(r, r.Condition) {
		return 0
	}
	if p.Net == nil {
		return vec.Width
	}
	if n, ok := p.Net.(net.Vectored); ok && n.Native() {
		return laneChunk * vec.Width
	}
	return 0
}

// mixtureSized reports whether the messages of a mixture, given c, are few enough for eight samples at a time.
func mixtureSized(r *run, c Condition) bool {
	p, _ := net.PartsOf(r.Denoiser)
	if p.Mixture == nil {
		return true
	}
	size := p.Mixture.Size()
	if r.joint() && c != nil {
		if given, _ := givenPaths(p.Mixture, c); given != nil {
			size = max(size, given.(*mixture.Paths).Size())
		}
	}
	return size <= maxLaneEdges
}

// laneSized reports whether the product graph of c, if there is one, is small enough for eight samples at a time.
func laneSized(c Condition) bool {
	l, _ := lift(c)
	return l == nil || len(l.Edge) <= maxLaneEdges
}

// newLaneWorker makes room for batches of n samples; which must be one of its cases.
func newLaneWorker(r *run, n int) *laneWorker {
	g := r.Graph
	w := &laneWorker{run: r, kernel: newLaneKernel(r), logs: r.Kernel.BuiltIn() == "algorithm2", graph: vec.NewGraph(g, ddps.Rows(g), nil)}
	w.one = r.newWorker(1, true)
	w.setDenoiser()
	E, V, D := g.NumEdges(), g.NumVertices(), g.MaxDegree()
	w.rates, w.step = newStep(g), vec.NewStep(D)
	w.free, w.law, w.reach, w.u = make([]vec.Lane, E), make([]vec.Lane, E), make([]vec.Lane, V), make([]vec.Lane, len(w.graph.Rows))
	if w.pi = w.free; r.Condition != nil {
		w.given, w.pi = newLaneCondition(r, w.graph, r.Condition, w.one), make([]vec.Lane, E)
	}
	w.odd = make([]uint8, 2*V)
	w.x0, w.exps = make([]vec.Choice, V), make([]vec.Single, D)
	w.row, w.palm = make([]float64, D), make(ddps.PALM, V)
	w.groups = make([]laneGroup, (n+vec.Width-1)/vec.Width)
	for i := range w.groups {
		w.groups[i].x = make([]vec.Choice, V)
	}
	return w
}

// newLaneKernel returns the run's kernel, nil for one that is not of package d3pm.
func newLaneKernel(r *run) laneKernel {
	switch r.Kernel.BuiltIn() {
	case "joint":
		return (*laneWorker).jointRows
	case "austin":
		return (*laneWorker).austin
	case "eq2":
		return (*laneWorker).eq2
	case "occupancy":
		return (*laneWorker).occupancy
	case "algorithm2":
		return (*laneWorker).anneal
	}
	return nil
}

// Batch is worker's batch.
func (w *laneWorker) Batch(lo, hi int) bool {
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
		paths[i] = w.path(groups, i)
	}
}

// path returns what sample i decodes to.
func (w *laneWorker) path(groups []laneGroup, i int) ddps.Path {
	palmLane(w.palm, groups[i/vec.Width].x, i%vec.Width)
	return w.Graph.Decode(w.palm)
}

// start sets the groups of the samples paths[lo…hi−1] to x_T.
func (w *laneWorker) start(lo, hi int) []laneGroup {
	groups := w.groups[:(hi-lo+vec.Width-1)/vec.Width]
	for i := range groups {
		g := &groups[i]
		first := lo + i*vec.Width
		g.n = min(vec.Width, hi-first)
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
