package d3pm

import (
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
	w.uniforms(g)
}

func (w *laneWorker) mixture(g *laneGroup) {
	octet.Mixture(w.graph, w.step, w.pi, w.law, g.x)
	w.uniforms(g)
}

func (w *laneWorker) occupancy(g *laneGroup) {
	if w.rates.S == 0 {
		copy(w.law, w.pi)
	} else {
		octet.Occupancy(w.graph, w.step, w.pi, w.law, g.x, w.reach)
	}
	w.uniforms(g)
}

func (w *laneWorker) annealed(g *laneGroup) {
	octet.Annealed(w.graph, w.step, w.pi, w.law)
	w.uniforms(g)
}

func (w *laneWorker) joint(g *laneGroup) {
	if w.rates.S == 0 {
		copy(w.law, w.pi)
		w.uniforms(g)
		return
	}
	for v := range w.x0 {
		w.x0[v] = octet.Choice{-1, -1, -1, -1, -1, -1, -1, -1}
	}
	for k, rng := range g.rngs { // x̃_0, a path of the chain π
		v := 0
		for range w.Graph.NumLayers() - 1 {
			lo, hi := w.graph.First[v], w.graph.First[v+1]
			i := 0
			if hi-lo > 1 {
				row := w.row[:hi-lo]
				for j := range row {
					row[j] = w.pi[lo+int32(j)][k]
				}
				i = chain.Pick(row, rng.Float64())
				w.x0[v][k] = int64(i)
			}
			v = int(w.graph.Head[lo+int32(i)])
		}
	}
	octet.Joint(w.graph, w.step, w.law, g.x, w.x0)
	w.uniforms(g)
}
