package d3pm

import (
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// laneSwarm is swarm on the vector lanes, for the cases of laneWorker. Each particle gets the bits that swarm gives it.
type laneSwarm struct {
	*laneWorker
	*flock
	gains   *proposal           // of the scalar worker
	target  *laneCondition      // the target under the chain π
	aim     *chain.MixtureLanes // the mixture given the target; nil: target serves
	starts  []*[]vec.Lane       // the arrays that a step starts from
	kept    [][][]vec.Lane      // [group of eight][starts] their numbers between the parts of a step
	xt      []vec.Choice        // [V]
	scratch []vec.Lane          // [E]
	tops    []vec.Lane          // [L]
	xs      [2]ddps.PALM        // of one particle: x_t and x_s
}

func (r *particleRun) newLaneSwarm() *laneSwarm {
	g := r.Sampler.Graph
	E, V := g.NumEdges(), g.NumVertices()
	w := &laneSwarm{laneWorker: r.newLaneWorker(r.size * r.K), flock: newFlock(r), xt: make([]vec.Choice, V),
		scratch: make([]vec.Lane, E), tops: make([]vec.Lane, g.NumLayers()), xs: [2]ddps.PALM{make(ddps.PALM, V), make(ddps.PALM, V)}}
	w.gains = newProposal(w.one, r.target)
	switch aim := w.gains.aim; {
	case aim == nil && r.own:
		w.target, w.given.logs = w.given, true
	case aim == nil:
		w.target, w.rows = newLaneCondition(&r.run, w.graph, r.target, nil), true
		w.target.logs = true
	case r.own:
		w.aim = w.whole
	default:
		w.aim = aim.Lanes(w.graph, w.one.mixed.exact.Rows())
	}
	w.keep()
	return w
}

// keep makes room for the numbers that a step of each group starts from.
func (w *laneSwarm) keep() {
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

// batch is swarm's batch.
func (w *laneSwarm) batch(lo, hi int) bool {
	w.flock.start(lo, hi)
	n := len(w.rngs)
	groups := w.seat()
	for k, t := range w.times[:len(w.times)-1] {
		w.begin(t, w.times[k+1])
		if err := w.each(groups, t, func(i int) { w.meet(i, &groups[i]) }); err != nil {
			w.fail(err)
			return false
		}
		if w.twist(lo, hi, k) {
			w.follow(groups)
		}
		for i := range groups {
			w.advance(i, &groups[i])
		}
		if !w.report(n) {
			return false
		}
	}
	w.finish(lo, hi, func(i int) ddps.Path { return w.path(groups, i) })
	return true
}

// seat sets the groups of eight to x_T.
func (w *laneSwarm) seat() []laneGroup {
	n := len(w.rngs)
	groups := w.groups[:(n+vec.Width-1)/vec.Width]
	for i := range groups {
		g := &groups[i]
		g.rngs = w.rngs[i*vec.Width : min(n, (i+1)*vec.Width)]
		g.n = len(g.rngs)
		g.uniform(w.Graph, w.palm)
	}
	return groups
}

// meet sets logm of group i, for which denoise was just called, and keeps its numbers.
func (w *laneSwarm) meet(i int, g *laneGroup) {
	logm := w.logm[i*vec.Width:]
	if w.aim == nil {
		if w.target != w.given { // else denoise did it
			w.target.tilt(w.free, w.law, g.n)
		}
		copy(logm, w.target.logm[:g.n])
	} else {
		for _, m := range []*chain.MixtureLanes{w.aim, w.mix} {
			if m != w.whole { // which is weighed already
				m.Weigh(g.x, w.ratio(), w.c, g.n)
			}
		}
		for k := range g.n {
			logm[k] = w.aim.LogZ[k] - w.mix.LogZ[k] + w.gains.shift
		}
	}
	w.swap(i)
}

// swap exchanges the numbers kept of group i with those that laneWorker works on.
func (w *laneSwarm) swap(i int) {
	for j, x := range w.starts {
		*x, w.kept[i][j] = w.kept[i][j], *x
	}
	if w.given == nil {
		w.pi = w.free
	}
}

// follow gives each particle the x_t and the numbers of its parent.
func (w *laneSwarm) follow(groups []laneGroup) {
	inherit(w.from[:len(w.rngs)], func(i int) []vec.Choice { return groups[i].x })
	for j := range w.starts {
		inherit(w.from[:len(w.rngs)], func(i int) []vec.Lane { return w.kept[i][j] })
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
func (w *laneSwarm) advance(i int, g *laneGroup) {
	copy(w.xt, g.x)
	w.swap(i)
	if w.whole != nil {
		w.whole.Weigh(g.x, w.ratio(), w.c, g.n)
	}
	lost := uint8(0)
	w.pass(g, func(k int) {
		lost |= 1 << k
		w.weigh(i*vec.Width+k, func() float64 {
			w.pair(g, k)
			return w.gains.gain(w.one.row(w.one.pi, 0), w.one.row(w.one.c, 0), w.xs[0], w.xs[1])
		})
	})
	gain, bad := w.gain(g)
	for k := range g.n {
		if lost>>k&1 != 0 {
			continue
		}
		w.weigh(i*vec.Width+k, func() float64 {
			if bad>>k&1 != 0 {
				return w.scalarGain(g, k)
			}
			return gain[k]
		})
	}
	w.swap(i)
}

// pair sets xs to x_t and x_s of lane k.
func (w *laneSwarm) pair(g *laneGroup, k int) {
	palmLane(w.xs[0], w.xt, k)
	palmLane(w.xs[1], g.x, k)
}

// gain is proposal's gain, but for the lanes in bad.
func (w *laneSwarm) gain(g *laneGroup) (gain vec.Lane, bad uint8) {
	switch {
	case w.rates.S == 0:
		return gain, ^uint8(0)
	case w.Condition == nil && w.grad == nil:
		return gain, 0
	case w.joint():
		return w.jointGain(g)
	}
	return w.rowGain(g), 0
}

// rowGain is gain for a kernel that goes row by row.
func (w *laneSwarm) rowGain(g *laneGroup) (gain vec.Lane) {
	w.rowLogs(g, func(k int, log float64) { gain[k] -= log })
	law, pi := w.law, w.pi
	w.law, w.pi = w.scratch, w.free
	w.kernel(w.laneWorker, &laneGroup{n: g.n, x: w.xt})
	if w.logs {
		vec.Guide(w.graph, w.law, nil, 0, true, w.odd)
	}
	w.rowLogs(g, func(k int, log float64) { gain[k] += log })
	w.law, w.pi = law, pi
	return gain
}

// rowLogs calls do with the logarithms of the probabilities of the rows of x_s.
func (w *laneSwarm) rowLogs(g *laneGroup, do func(k int, log float64)) {
	for _, v := range w.graph.Rows {
		for k, choice := range g.x[v][:g.n] {
			do(k, math.Log(w.law[int64(w.graph.First[v])+choice][k]))
		}
	}
}

// jointGain is proposal's.
func (w *laneSwarm) jointGain(g *laneGroup) (gain vec.Lane, bad uint8) {
	vec.Ratios(w.graph, w.step, g.x, w.xt, w.scratch)
	free := w.mix
	if w.whole == nil {
		free = nil
	} else if free != w.whole {
		free.Weigh(w.xt, w.ratio(), w.c, g.n)
	}
	gain, bad = w.logMean(free, w.graph, w.free, w.reach, g.n)
	for k := range g.n {
		if w.grad != nil {
			gain[k] -= w.guides(g, k)
		}
	}
	over, p, m := w.graph, w.pi, w.reach
	if w.given.lifted() {
		over, p, m = w.given.lift, w.given.p, w.given.m
	}
	under, worse := w.logMean(w.whole, over, p, m, g.n)
	for k := range gain {
		gain[k] -= under[k]
	}
	return gain, bad | worse
}

// logMean returns the logarithms of the expectation of the product of scratch over a path of the mixture, or of the chain
// p where that is nil; m is scratch, by state. Lanes in bad have none.
func (w *laneSwarm) logMean(mix *chain.MixtureLanes, over *vec.Graph, p, m []vec.Lane, n int) (log vec.Lane, bad uint8) {
	if mix != nil {
		return mix.LogMean(w.scratch, n), 0
	}
	bad = vec.Mean(over, p, m, w.tops, w.scratch)
	for k := range n {
		log[k] = logScale(w.tops, k)
	}
	return log, bad
}

// guides is proposal's for lane k; scratch holds the ratios.
func (w *laneSwarm) guides(g *laneGroup, k int) float64 {
	w.pair(g, k)
	w.guideLane(k)
	w.one.step.begin(w.Schedule, w.rates.T, w.rates.S, w.xs[0])
	lane(w.gains.ratio, w.scratch, k)
	sum := w.gains.guides(w.xs[0], w.xs[1])
	setLane(w.scratch, w.gains.ratio, k)
	return sum
}

// scalarGain is proposal's gain of lane k.
func (w *laneSwarm) scalarGain(g *laneGroup, k int) float64 {
	w.pair(g, k)
	w.guideLane(k)
	st := &w.one.step
	st.begin(w.Schedule, w.rates.T, w.rates.S, w.xs[0])
	pi, c := w.one.row(w.one.pi, 0), w.one.row(w.one.c, 0)
	lane(pi, w.free, k)
	lane(c, w.c, k)
	st.Pi = w.one.tilted
	lane(st.Pi, w.pi, k)
	if w.given.lifted() {
		lane(st.lifter.P, w.given.p, k)
	}
	st.joint, st.whole = w.joint() && st.S > 0, w.whole != nil
	lane(st.Law, w.law, k)
	w.one.logLast = w.logLast[k]
	if st.whole {
		st.paths.Weigh(st.Xt, w.ratio(), c)
	}
	if st.whole && w.grad == nil {
		w.one.logLast = st.paths.LogProb(w.Graph.Decode(w.xs[1]))
	}
	return w.gains.gain(pi, c, w.xs[0], w.xs[1])
}
