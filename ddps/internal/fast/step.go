package fast

import (
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
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
		switch {
		case rng == nil:
		case g.own != nil:
			g.own[k].Column(w.u, k)
		default:
			for r := range w.u {
				w.u[r][k] = rng.Float64()
			}
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
	if w.whole == nil {
		w.walk(g, over, p)
	}
	for k, rng := range g.rngs {
		if rng != nil && w.whole != nil {
			w.whole.Draw(rng, k, func(v, e int32) { w.x0[v][k] = int64(e - w.graph.First[v]) })
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

// walk sets x0 to paths drawn from the chain p on the graph or a product graph, all samples layer by layer.
func (w *worker) walk(g *laneGroup, over *vec.Graph, p []vec.Lane) {
	var at, vertex [vec.Width]int32 // the state and the vertex of each sample
	for range w.Graph.NumLayers() - 1 {
		for k, rng := range g.rngs {
			if rng == nil {
				continue
			}
			lo, hi := over.First[at[k]], over.First[at[k]+1]
			next := lo
			if hi-lo > 1 {
				next += int32(pickLane(p[lo:hi], k, g.number(k)))
			}
			at[k] = over.Head[next]
			e, v := over.Edge[next], vertex[k]
			w.x0[v][k] = int64(e - w.graph.First[v])
			vertex[k] = w.graph.Head[e]
		}
	}
}

// pickLane is chain.Pick of lane k of a row of more than one, without branches on its numbers.
func pickLane(row []vec.Lane, k int, u float64) (choice int64) {
	k &= 7
	if len(row) <= 3 {
		last := len(row) - 1
		a, b, c := row[0][k], row[1][k], row[last][k]
		choice = later(later(0, 0, a, u), 1, b, u-a)
		more := later(choice, 2, c, u-a-b)
		third := int64(1-last) >> 63 // all bits of a row of three
		return choice + (more-choice)&third
	}
	for j := range row {
		choice = later(choice, int64(j), row[j][k], u)
		u -= row[j][k]
	}
	return choice
}

// later returns j where q > 0 and u ≥ 0, else choice.
func later(choice, j int64, q, u float64) int64 {
	some := -int64(math.Float64bits(q)) >> 63
	left := int64(math.Float64bits(u)) >> 63
	return choice + (j-choice)&some&^left
}
