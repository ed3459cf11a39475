package d3pm

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/octet"
)

// begin sets the step to go from t to s.
func (w *laneWorker) begin(t, s int) {
	r, st := &w.rates, w.step
	r.begin(w.Schedule, t, s, nil)
	st.At, st.As, st.Rest = octet.Spread(r.At), octet.Spread(r.As), octet.Spread(1-r.At)
	for D := 1; D < len(r.a.move); D++ {
		for _, x := range []struct {
			to   *octet.Rates
			from *rates
		}{{&st.Like, &r.a}, {&st.From, &r.at}, {&st.To, &r.as}} {
			if D < len(x.to.Move) {
				x.to.Set(D, x.from.of(false, D), x.from.of(true, D))
			}
		}
		for i, same := range []bool{false, true} {
			if q := r.at.of(same, D); D < len(st.Path[i].Move) {
				st.Path[i].Set(D, r.as.of(false, D)/q, r.as.of(true, D)/q)
			}
		}
	}
}

// uniforms draws a number in [0, 1) for each row of each sample.
func (w *laneWorker) uniforms(g *laneGroup) {
	for k, rng := range g.rngs {
		for r := range w.u {
			w.u[r][k] = rng.Float64()
		}
	}
}

func (w *laneWorker) undivided(g *laneGroup) {
	octet.Undivided(w.graph, w.step, w.pi, w.law, g.x)
}

func (w *laneWorker) mixture(g *laneGroup) {
	octet.Mixture(w.graph, w.step, w.pi, w.law, g.x)
}

func (w *laneWorker) occupancy(g *laneGroup) {
	if w.rates.S == 0 {
		copy(w.law, w.pi)
		return
	}
	octet.Occupancy(w.graph, w.step, w.pi, w.law, g.x, w.reach)
}

func (w *laneWorker) annealed(g *laneGroup) {
	octet.Annealed(w.graph, w.step, w.pi, w.law)
}

func (w *laneWorker) joint(g *laneGroup) {
	if w.rates.S == 0 {
		copy(w.law, w.pi)
		return
	}
	for v := range w.x0 {
		w.x0[v] = octet.Choice{-1, -1, -1, -1, -1, -1, -1, -1}
	}
	over, p, under := w.graph, w.pi, []int32(nil) // x̃_0 is a path of the chain π, or of the condition's
	if w.given.lifted() {
		over, p, under = w.given.lift.Graph, w.given.p, w.given.lift.Edge
	}
	for k, rng := range g.rngs {
		w.walk(k, over, p, under, rng)
	}
	octet.Joint(w.graph, w.step, w.law, g.x, w.x0)
}

// walk sets lane k of x0 to a path drawn from the chain p on over, whose edges stand over the graph's under them (nil: the same).
func (w *laneWorker) walk(k int, over *octet.Graph, p []octet.Lane, under []int32, rng *rand.Rand) {
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
		e := at
		if under != nil {
			e = under[at]
		}
		w.x0[v][k] = int64(e - w.graph.First[v])
		v = w.graph.Head[e]
	}
}
