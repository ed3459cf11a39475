package fast

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// particleWorker is that of d3pm on the vector lanes, for the cases of worker. Each particle gets the same bits.
type particleWorker struct {
	*worker
	*d3pm.ParticleWeights
	gains   *d3pm.Proposal // of the scalar worker
	target  *laneCondition // the target under the chain π
	aim     *Mixture       // the mixture given the target; nil: target serves
	starts  []*[]vec.Lane  // the arrays that a step starts from
	kept    [][][]vec.Lane // [group of eight][starts] their numbers between the parts of a step
	xt      []vec.Choice   // [V]
	scratch []vec.Lane     // [E]
	tops    []vec.Lane     // [L]
	xs      [2]ddps.PALM   // of one particle: x_t and x_s
}

func newLaneSwarm(r *d3pm.ParticleRun, size int) *particleWorker {
	g := r.Sampler.Graph
	E, V := g.NumEdges(), g.NumVertices()
	w := &particleWorker{worker: newLaneWorker(&r.Run, size*r.K), ParticleWeights: r.NewParticleWeights(),
		xt:      make([]vec.Choice, V),
		scratch: make([]vec.Lane, E), tops: make([]vec.Lane, g.NumLayers())}
	w.xs = [2]ddps.PALM{make(ddps.PALM, V), make(ddps.PALM, V)}
	w.gains = w.one.NewProposal(r.Target)
	switch aim := w.gains.Aim; {
	case aim == nil && r.Own:
		w.target, w.given.logs = w.given, true
	case aim == nil:
		w.target, w.rows = newLaneCondition(&r.Run, w.graph, r.Target, nil), true
		w.target.logs = true
	case r.Own:
		w.aim = w.whole
	default:
		w.aim = NewMixture(aim.(*mixture.Paths).Weighted, w.graph, w.prior.Rows())
	}
	w.keep()
	return w
}

// keep makes scratch for the numbers that a step of each group starts from.
func (w *particleWorker) keep() {
	if w.rows {
		w.starts = append(w.starts, &w.free)
	}
	if w.c != nil {
		w.starts = append(w.starts, &w.c)
	}
	if c := w.given; w.tilted() && c.lifted() {
		w.starts = append(w.starts, &c.p)
	}
	if w.tilted() && (!w.given.lifted() || w.given.rows) {
		w.starts = append(w.starts, &w.pi)
	}
	w.kept = make([][][]vec.Lane, len(w.groups))
	for i := range w.kept {
		for _, x := range w.starts {
			w.kept[i] = append(w.kept[i], make([]vec.Lane, len(*x)))
		}
	}
}

// Batch is particleWorker's batch.
func (w *particleWorker) Batch(lo, hi int) bool {
	w.ParticleWeights.Start(lo, hi)
	n := len(w.Rngs)
	groups := w.seat()
	for k, t := range w.Times[:len(w.Times)-1] {
		w.begin(t, w.Times[k+1])
		if err := w.each(groups, t, func(i int) { w.meet(i, &groups[i]) }); err != nil {
			w.Fail(err)
			return false
		}
		if w.Reweight(lo, hi, k) {
			w.follow(groups)
		}
		for i := range groups {
			w.advance(i, &groups[i])
		}
		if !w.Report(n) {
			return false
		}
	}
	w.Finish(lo, hi, func(i int) ddps.Path { return w.path(groups, i) })
	return true
}

// seat sets the groups of eight to x_T.
func (w *particleWorker) seat() []laneGroup {
	n := len(w.Rngs)
	groups := w.groups[:(n+vec.Width-1)/vec.Width]
	for i := range groups {
		g := &groups[i]
		g.rngs = w.Rngs[i*vec.Width : min(n, (i+1)*vec.Width)]
		g.n = len(g.rngs)
		g.uniform(w.Graph, w.palm)
	}
	return groups
}

// meet sets logm of group i, for which denoise was just called, and keeps its numbers.
func (w *particleWorker) meet(i int, g *laneGroup) {
	logm := w.Logm[i*vec.Width:]
	if w.aim == nil {
		if w.target != w.given { // else denoise did it
			w.target.tilt(w.free, w.dist, g.n)
		}
		copy(logm, w.target.logm[:g.n])
	} else {
		for _, m := range []*Mixture{w.aim, w.mix} {
			if m != w.whole { // which is weighed already
				m.Weigh(g.x, w.ratio(), w.c, g.n)
			}
		}
		for k := range g.n {
			logm[k] = w.aim.LogZ[k] - w.mix.LogZ[k] + w.gains.Shift
		}
	}
	w.swap(i)
}

// swap exchanges the numbers kept of group i with those that worker works on.
func (w *particleWorker) swap(i int) {
	for j, x := range w.starts {
		*x, w.kept[i][j] = w.kept[i][j], *x
	}
	if w.given == nil {
		w.pi = w.free
	}
}

// follow gives each particle the x_t and the numbers of its parent.
func (w *particleWorker) follow(groups []laneGroup) {
	inherit(w.From[:len(w.Rngs)], func(i int) []vec.Choice { return groups[i].x })
	for j := range w.starts {
		inherit(w.From[:len(w.Rngs)], func(i int) []vec.Lane { return w.kept[i][j] })
	}
}

// inherit gives particle i the numbers of particle from[i]; in returns those of a group of eight.
func inherit[T any](from []int, in func(i int) [][vec.Width]T) {
	old := make([]T, len(from))
	for e := range in(0) {
		for i := range old {
			old[i] = in(i / vec.Width)[e][i%vec.Width]
		}
		for i, parent := range from {
			in(i / vec.Width)[e][i%vec.Width] = old[parent]
		}
	}
}

// advance takes group i to x_s, and weighs the step.
func (w *particleWorker) advance(i int, g *laneGroup) {
	copy(w.xt, g.x)
	w.swap(i)
	if w.whole != nil {
		w.whole.Weigh(g.x, w.ratio(), w.c, g.n)
	}
	lost := uint8(0)
	w.pass(g, func(k int) {
		lost |= 1 << k
		w.Weigh(i*vec.Width+k, func() float64 {
			w.pair(g, k)
			return w.gains.Gain(w.one.Row(w.one.Pi, 0), w.one.Row(w.one.C, 0), w.xs[0], w.xs[1])
		})
	})
	gain, bad := w.gain(g)
	for k := range g.n {
		if lost>>k&1 != 0 {
			continue
		}
		w.Weigh(i*vec.Width+k, func() float64 {
			if bad>>k&1 != 0 {
				return w.scalarGain(g, k)
			}
			return gain[k]
		})
	}
	w.swap(i)
}
