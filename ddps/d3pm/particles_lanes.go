package d3pm

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// laneSwarm is a swarm with eight particles side by side, by Joint without a guide, for the cases of laneWorker. Each
// particle gets the bits that swarm gives it.
type laneSwarm struct {
	*laneWorker
	*flock
	target  *laneCondition // the run's condition, or one of the target's own
	one     *worker
	gains   *proposal     // of one
	laws    []laneLaws    // by group of eight
	xt      []vec.Choice  // [V]
	numbers []float64     // by particle
	choices []int64       // by particle
	ratio   []vec.Lane    // [E]
	m       [2][]vec.Lane // [states] messages of the free chain and of the conditioned
	tops    [2][]vec.Lane // [L]
	xs      [2]ddps.PALM
}

// laneLaws is what a step of a group starts from.
type laneLaws struct {
	free []vec.Lane // [E] π
	pi   []vec.Lane // π given the run's condition, or the lift's chain; nil: there is none
}

func (r *particleRun) newLaneSwarm() *laneSwarm {
	n, g := r.size*r.K, r.Sampler.Graph
	E, V, L := g.NumEdges(), g.NumVertices(), g.NumLayers()
	w := &laneSwarm{laneWorker: r.newLaneWorker(n), flock: newFlock(r)}
	w.xt, w.choices, w.xs = make([]vec.Choice, V), make([]int64, n), [2]ddps.PALM{make(ddps.PALM, V), make(ddps.PALM, V)}
	w.numbers, w.ratio = make([]float64, n), make([]vec.Lane, E)
	w.laws = make([]laneLaws, len(w.groups))
	states := V
	for i := range w.laws {
		w.laws[i].free = make([]vec.Lane, E)
		if c := w.given; c.lifted() {
			w.laws[i].pi, states = make([]vec.Lane, len(c.p)), len(c.m)
		} else if c != nil {
			w.laws[i].pi = make([]vec.Lane, E)
		}
	}
	for i, n := range []int{V, states} {
		w.m[i], w.tops[i] = make([]vec.Lane, n), make([]vec.Lane, L)
	}
	if r.own {
		w.target, w.one = w.given, w.given.one
	} else {
		w.target, w.one = newLaneCondition(&r.run, w.graph, r.target, nil), r.newWorker(1, true)
	}
	w.target.logs, w.gains = true, newProposal(w.one, r.target)
	return w
}

// batch is swarm's batch.
func (w *laneSwarm) batch(lo, hi int) bool {
	w.flock.start(lo, hi)
	n := len(w.rngs)
	groups := w.seat()
	for k, t := range w.times[:len(w.times)-1] {
		w.begin(t, w.times[k+1])
		if err := w.each(groups, t, func(i int) { w.meet(i, groups[i].n) }); err != nil {
			w.fail(err)
			return false
		}
		if w.twist(lo, hi, k) {
			w.follow(groups)
		}
		for i := range groups {
			w.move(i, &groups[i])
		}
		if !w.report(n) {
			return false
		}
	}
	w.finish(lo, hi, func(i int) ddps.Path {
		lane := i % vec.Width
		for v, x := range groups[i/vec.Width].x {
			w.palm[v] = int32(x[lane])
		}
		return w.Graph.Decode(w.palm)
	})
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

// meet sets the laws of group i, which were just made, and its logm.
func (w *laneSwarm) meet(i, n int) {
	if w.given != nil {
		w.given.tilt(w.free, w.pi, n)
	}
	if w.target != w.given {
		w.target.tilt(w.free, w.law, n)
	}
	copy(w.logm[i*vec.Width:], w.target.logm[:n])
	w.swap(i)
}

// swap exchanges the room of group i's laws with what the step works on.
func (w *laneSwarm) swap(i int) {
	laws := &w.laws[i]
	laws.free, w.free = w.free, laws.free
	switch {
	case w.given == nil:
		w.pi = w.free
	case w.given.lift != nil:
		laws.pi, w.given.p = w.given.p, laws.pi
	default:
		laws.pi, w.pi = w.pi, laws.pi
	}
}

// follow gives each particle the x_t and the laws of its parent.
func (w *laneSwarm) follow(groups []laneGroup) {
	for v := range w.xt {
		for i := range w.rngs {
			w.choices[i] = groups[i/vec.Width].x[v][i%vec.Width]
		}
		for i, from := range w.from[:len(w.rngs)] {
			groups[i/vec.Width].x[v][i%vec.Width] = w.choices[from]
		}
	}
	w.inherit(func(i int) []vec.Lane { return w.laws[i].free })
	w.inherit(func(i int) []vec.Lane { return w.laws[i].pi })
}

// inherit gives each particle its parent's numbers, of which in returns those of a group of eight.
func (w *laneSwarm) inherit(in func(i int) []vec.Lane) {
	for e := range in(0) {
		for i := range w.rngs {
			w.numbers[i] = in(i / vec.Width)[e][i%vec.Width]
		}
		for i, from := range w.from[:len(w.rngs)] {
			in(i / vec.Width)[e][i%vec.Width] = w.numbers[from]
		}
	}
}

// move takes group i to x_s, and weighs the step.
func (w *laneSwarm) move(i int, g *laneGroup) {
	copy(w.xt, g.x)
	w.swap(i)
	w.jointRows(g)
	var last [vec.Width]float64 // of the paths that are drawn as such
	if w.rates.S == 0 && w.given.lifted() {
		last = w.last(g, nil)
	} else {
		w.uniforms(g)
		vec.Draw(w.graph, w.law, w.u, g.x)
	}
	var odds vec.Lane
	bad := ^uint8(0)
	switch {
	case w.rates.S == 0:
	case w.given == nil:
		bad = 0
	default:
		odds, bad = w.odds(g)
	}
	for k := range g.n {
		w.weigh(i*vec.Width+k, func() float64 {
			if bad>>k&1 == 0 {
				return odds[k]
			}
			w.one.logLast = last[k]
			return w.gain(g, k)
		})
	}
	w.swap(i)
}

// odds is proposal's, where bad does not tell otherwise.
func (w *laneSwarm) odds(g *laneGroup) (odds vec.Lane, bad uint8) {
	vec.Ratios(w.graph, w.step, g.x, w.xt, w.ratio)
	over, p := w.graph, w.pi
	if w.given.lift != nil {
		over, p = w.given.lift, w.given.p
	}
	bad = vec.Mean(w.graph, w.free, w.m[0], w.tops[0], w.ratio)
	bad |= vec.Mean(over, p, w.m[1], w.tops[1], w.ratio)
	for k := range g.n {
		odds[k] = logScale(w.tops[0], k) - logScale(w.tops[1], k)
	}
	return odds, bad
}

// gain is proposal's gain of lane k.
func (w *laneSwarm) gain(g *laneGroup, k int) float64 {
	st := &w.one.step
	for v := range w.xt {
		w.xs[0][v], w.xs[1][v] = int32(w.xt[v][k]), int32(g.x[v][k])
	}
	st.begin(w.Schedule, w.rates.T, w.rates.S, w.xs[0])
	st.joint = true
	pi := w.one.row(w.one.pi, 0)
	lane(pi, w.free, k)
	if w.given.lifted() {
		lane(st.lifter.P, w.given.p, k)
	} else {
		st.Pi = w.one.tilted
		lane(st.Pi, w.pi, k)
	}
	copy(st.Law, st.Pi)
	return w.gains.gain(pi, nil, w.xs[0], w.xs[1])
}
