package fast

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/net"
)

// worker is worker on the vector lanes, eight samples of a group at a time: the exact denoiser of a chain or of a
// mixture, bare or corrected by a network, or a network alone; a kernel of this package. Each sample gets the bits that
// worker gives it.
type worker struct {
	*d3pm.Run
	graph  *vec.Graph
	exact  *Chain            // of a chain; nil: π starts at 1, or is mix's
	mix    *Mixture          // the mixture; nil: none
	prior  *mixture.Denoiser // of the mixture
	rows   bool              // somebody reads π
	whole  *Mixture          // the distribution of x̃_0 under Joint given the condition; nil: that of the chain π
	net    laneNet           // nil: none
	given  *laneCondition    // nil: none
	kernel laneKernel
	groups []laneGroup
	palm   ddps.PALM

	step     *vec.Step
	rates    d3pm.Step    // of the step, for its rates
	one      *d3pm.Scalar // for samples that the lanes cannot take
	odd      []uint8      // scratch of the kernels
	c        []vec.Lane   // [E] what the network makes of the mixture's rows; nil without
	grad     []vec.Lane   // [E] the guide's gradient in the last step; nil: there was none
	logLast  vec.Lane     // log of the probabilities of the paths that last drew
	free     []vec.Lane   // [E] π as the denoiser gives it
	ones     []vec.Lane   // [E] 1, of a network alone
	pi, dist []vec.Lane   // [E] π given the condition, free where there is none, and the step's distribution
	u        []vec.Lane   // [rows]
	reach    []vec.Lane   // [V]
	x0       []vec.Choice
	exps     []vec.Single // [D]
	row      []float64    // [D]
	logs     bool         // the kernel gives logarithms
	signals  laneSignal
}

// laneKernel sets w.distribution from w.pi.
type laneKernel func(w *worker, g *laneGroup)

// laneNet is a network that works on groups.
type laneNet interface {
	// begin readies it for time t.
	begin(t int)
	// load takes up to laneChunk groups.
	load(groups []laneGroup)
	// outputs returns what it gives for group i of those, edge e's at e·stride.
	outputs(i int) (out []vec.Single, stride int)
}

// maxLaneEdges bounds the graphs on which samples are worked on together. On larger ones eight samples' numbers by
// edge,
// 64 bytes each, come from memory at every pass, and samples one by one, whose numbers stay in the cache, are faster.
const maxLaneEdges = 1 << 20

// Engine draws samples eight at a time on the vector lanes: for the exact denoiser of a chain or a mixture, alone or
// corrected by a network, for a plain network, and for the kernels of package d3pm. Each sample gets the bits of the
// scalar code.
type Engine struct{}

// Take implements Engine.
func (Engine) Take(r *d3pm.Run) (*d3pm.Plan, error) {
	unit := laneUnit(r)
	if unit == 0 || len(r.Each) > 1 {
		return nil, nil
	}
	size := r.BatchSize()
	return &d3pm.Plan{Size: size, Unit: min(size, unit), New: func() d3pm.Worker { return newLaneWorker(r, size) }}, nil
}

// MaxSwarm bounds the numbers that particles on lanes keep from one part of a step to the next, of float64 a thread.
const MaxSwarm = 1 << 24

// TakeParticles implements Engine. It does not take groups of too many particles.
func (Engine) TakeParticles(r *d3pm.ParticleRun) *d3pm.Plan {
	if laneUnit(&r.Run) == 0 {
		return nil
	}
	E := r.Sampler.Graph.NumEdges()
	each := E
	if l, _ := d3pm.ProductOf(r.Condition); l != nil {
		each += len(l.Edge)
	}
	if r.Condition != nil {
		each += E
	}
	if p, _ := net.PartsOf(r.Denoiser); p.Mixture != nil && p.Net != nil {
		each += E
	}
	if !laneSized(r.Target) || !mixtureSized(&r.Run, r.Target) || r.K*each > MaxSwarm {
		return nil
	}
	size := min(r.Size, max(1, MaxSwarm/(r.K*each)))
	return &d3pm.Plan{Size: size, New: func() d3pm.Worker { return newLaneSwarm(r, size) }}
}

// laneUnit returns how many samples a worker of the run takes together at least, 0 if the run is none of its cases.
func laneUnit(r *d3pm.Run) int {
	p, ok := net.PartsOf(r.Denoiser)
	if !ok || !p.Graph.Equal(r.Graph) || !vec.Vectors() || newLaneKernel(r) == nil || r.Graph.NumEdges() > maxLaneEdges ||
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
func mixtureSized(r *d3pm.Run, c d3pm.Condition) bool {
	p, _ := net.PartsOf(r.Denoiser)
	if p.Mixture == nil {
		return true
	}
	size := p.Mixture.Size()
	if r.IsJoint() && c != nil {
		if given, _ := d3pm.GivenPaths(p.Mixture, c); given != nil {
			size = max(size, given.(*mixture.Paths).Size())
		}
	}
	return size <= maxLaneEdges
}

// laneSized reports whether the product graph of c, if there is one, is small enough for eight samples at a time.
func laneSized(c d3pm.Condition) bool {
	l, _ := d3pm.ProductOf(c)
	return l == nil || len(l.Edge) <= maxLaneEdges
}

// newLaneWorker makes scratch for batches of n samples; which must be one of its cases.
func newLaneWorker(r *d3pm.Run, n int) *worker {
	g := r.Graph
	w := &worker{Run: r, kernel: newLaneKernel(r), logs: r.Kernel.BuiltIn() == "algorithm2", graph: vec.NewGraph(g,
		ddps.Rows(g), nil)}
	w.one = r.NewScalar(1, true)
	w.setDenoiser()
	E, V, D := g.NumEdges(), g.NumVertices(), g.MaxDegree()
	w.rates, w.step = d3pm.NewStep(g), vec.NewStep(D)
	w.free, w.dist, w.reach, w.u = make([]vec.Lane, E), make([]vec.Lane, E), make([]vec.Lane, V),
		make([]vec.Lane, len(w.graph.Rows))
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
func newLaneKernel(r *d3pm.Run) laneKernel {
	switch r.Kernel.BuiltIn() {
	case "joint":
		return (*worker).jointRows
	case "austin":
		return (*worker).austin
	case "eq2":
		return (*worker).eq2
	case "occupancy":
		return (*worker).occupancy
	case "algorithm2":
		return (*worker).anneal
	}
	return nil
}

// Batch is worker's batch.
func (w *worker) Batch(lo, hi int) bool {
	groups := w.start(lo, hi)
	for k, t := range w.Times[:len(w.Times)-1] {
		if w.Traced != nil {
			w.decode(groups, w.Traced[k][lo:hi])
		}
		if err := w.reverse(groups, t, w.Times[k+1]); err != nil {
			w.Fail(err)
			return false
		}
		if !w.Report(hi - lo) {
			return false
		}
	}
	w.decode(groups, w.Paths[lo:hi])
	return true
}

// decode sets paths to what the samples decode to.
func (w *worker) decode(groups []laneGroup, paths []ddps.Path) {
	for i := range paths {
		paths[i] = w.path(groups, i)
	}
}

// path returns what sample i decodes to.
func (w *worker) path(groups []laneGroup, i int) ddps.Path {
	palmLane(w.palm, groups[i/vec.Width].x, i%vec.Width)
	return w.Graph.Decode(w.palm)
}
