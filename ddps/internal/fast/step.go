package fast

import (
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// reverse takes the groups from t to s.
func (w *worker) reverse(groups []laneGroup, t, s int) error {
	w.begin(t, s)
	return w.each(groups, t, func(i int) { w.pass(&groups[i], func(int) {}) })
}

// pass takes group g from x_t to x_s, given π and the weights of paths. A sample for which no path has weight is the
// scalar worker's; scalar is called with its lane just after.
func (w *worker) pass(g *laneGroup, scalar func(k int)) {
	if w.whole == nil {
		w.move(g)
		return
	}
	lost := w.lost(g)
	if len(lost) < g.n {
		w.move(g)
	}
	for _, l := range lost {
		w.single(g, l)
		scalar(l.k)
	}
}

// move takes group g from x_t to x_s, given π.
func (w *worker) move(g *laneGroup) {
	w.grad = w.signal(g.n)
	if w.rates.S == 0 && w.whole != nil && w.grad == nil {
		w.drawPaths(g)
		return
	}
	w.kernel(w, g)
	if w.rates.S == 0 && w.given.lifted() {
		w.last(g)
		return
	}
	w.uniforms(g)
	if w.grad != nil || w.logs {
		vec.Guide(w.graph, w.dist, w.grad, w.Scale, w.logs, w.odd)
	}
	vec.Draw(w.graph, w.dist, w.u, g.x)
}

// lostLane is a sample that the lanes cannot take, and its random stream, which it leaves to worker.
type lostLane struct {
	k   int
	rng *rand.Rand
	x   ddps.PALM
}

// lost returns the samples of g for which no path has weight, and has the lanes draw by other streams there.
func (w *worker) lost(g *laneGroup) (lost []lostLane) {
	for k := range g.n {
		if !math.IsInf(w.whole.LogZ[k], -1) {
			continue
		}
		l := lostLane{k, g.rngs[k], make(ddps.PALM, len(g.x))}
		palmLane(l.x, g.x, k)
		lost = append(lost, l)
		g.rngs[k] = nil
	}
	return lost
}

// single takes a lost sample from x_t to x_s as worker does.
func (w *worker) single(g *laneGroup, l lostLane) {
	lane(w.one.Row(w.one.Pi, 0), w.free, l.k)
	if c := w.one.Row(w.one.C, 0); w.c != nil {
		lane(c, w.c, l.k)
	}
	w.one.Step.Rand, g.rngs[l.k] = l.rng, l.rng
	if !w.rows { // π was not made
		if err := w.prior.Posterior(w.one.Row(w.one.Pi, 0), []ddps.PALM{l.x}, w.rates.T); err != nil {
			w.Fail(err)
		}
	}
	w.one.Move(l.x, w.one.Row(w.one.Pi, 0), w.one.Row(w.one.C, 0), w.rates.T, w.rates.S)
	for v, x := range l.x {
		g.x[v][l.k] = int64(x)
	}
}

// begin sets the step to go from t to s.
func (w *worker) begin(t, s int) {
	r, st := &w.rates, w.step
	r.Begin(w.Schedule, t, s, nil)
	st.At, st.As, st.Rest = vec.Spread(r.At), vec.Spread(r.As), vec.Spread(1-r.At)
	for D := 1; D < len(r.Like.Move); D++ {
		for _, x := range []struct {
			to   *vec.Rates
			from *d3pm.Transition
		}{{&st.Like, &r.Like}, {&st.From, &r.From}, {&st.To, &r.To}} {
			if D < len(x.to.Move) {
				x.to.Set(D, x.from.Of(false, D), x.from.Of(true, D))
			}
		}
		for i, same := range []bool{false, true} {
			if q := r.From.Of(same, D); D < len(st.Path[i].Move) {
				st.Path[i].Set(D, r.To.Of(false, D)/q, r.To.Of(true, D)/q)
			}
		}
	}
}

// uniforms draws a number in [0, 1) for each row of each sample.
func (w *worker) uniforms(g *laneGroup) {
	for k, rng := range g.rngs {
		for r := 0; rng != nil && r < len(w.u); r++ {
			w.u[r][k] = rng.Float64()
		}
	}
}

func (w *worker) austin(g *laneGroup) { vec.Austin(w.graph, w.step, w.pi, w.dist, g.x) }

func (w *worker) eq2(g *laneGroup) { vec.Eq2(w.graph, w.step, w.pi, w.dist, g.x) }

func (w *worker) occupancy(g *laneGroup) {
	if w.rates.S == 0 {
		copy(w.dist, w.pi)
		return
	}
	vec.Occupancy(w.graph, w.step, w.pi, w.dist, g.x, w.reach)
}

func (w *worker) anneal(*laneGroup) { vec.Anneal(w.graph, w.step, w.pi, w.dist) }

func (w *worker) jointRows(g *laneGroup) {
	if w.rates.S == 0 {
		copy(w.dist, w.pi)
		return
	}
	for v := range w.x0 {
		w.x0[v] = vec.Choice{-1, -1, -1, -1, -1, -1, -1, -1}
	}
	over, p := w.graph, w.pi // x̃_0 is a path of the chain π, or of the condition's
	if w.given.lifted() {
		over, p = w.given.lift, w.given.p
	}
	for k, rng := range g.rngs {
		switch {
		case rng == nil:
		case w.whole != nil:
			w.whole.Draw(rng, k, func(v, e int32) { w.x0[v][k] = int64(e - w.graph.First[v]) })
		default:
			w.walk(k, over, p, rng)
		}
	}
	vec.Joint(w.graph, w.step, w.dist, g.x, w.x0)
}

// drawPaths draws the path of each sample of g and sets x_0 to it; rows off the path stay as they are.
func (w *worker) drawPaths(g *laneGroup) {
	for k, rng := range g.rngs {
		if rng != nil {
			w.whole.Draw(rng, k, func(v, e int32) { g.x[v][k] = int64(e - w.graph.First[v]) })
		}
	}
}

// walk sets lane k of x0 to a path drawn from the chain p on the graph or a product graph.
func (w *worker) walk(k int, over *vec.Graph, p []vec.Lane, rng *rand.Rand) {
	s, v := int32(0), int32(0)
	for range w.Graph.NumLayers() - 1 {
		lo, hi := over.First[s], over.First[s+1]
		at := lo
		if hi-lo > 1 {
			row := w.row[:hi-lo]
			for j := range row {
				row[j] = p[lo+int32(j)][k]
			}
			at += int32(chain.Pick(row, rng.Float64()))
		}
		s = over.Head[at]
		e := over.Edge[at]
		w.x0[v][k] = int64(e - w.graph.First[v])
		v = w.graph.Head[e]
	}
}
