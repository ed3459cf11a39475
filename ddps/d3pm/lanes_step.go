package d3pm

import (
	"fmt"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/octet"
)

// reverse takes the groups from t to s.
func (w *laneWorker) reverse(groups []laneGroup, t, s int) error {
	w.begin(t, s)
	return w.each(groups, t, func(i int) {
		g := &groups[i]
		if w.given != nil {
			w.given.tilt(w.free, w.pi, g.n)
		}
		w.kernel(w, g)
		grad := w.signal(g.n)
		if s == 0 && w.given.lifted() {
			w.last(g, grad)
			return
		}
		w.uniforms(g)
		if grad != nil || w.logs {
			octet.Guide(w.graph, w.law, grad, w.Lambda, w.logs)
		}
		octet.Draw(w.graph, w.law, w.u, g.x)
	})
}

// each sets w.free to π of one group after the other, at time t, and calls do with its number.
func (w *laneWorker) each(groups []laneGroup, t int, do func(i int)) error {
	if w.net != nil {
		w.net.begin(t)
	}
	for lo := 0; lo < len(groups); lo += laneChunk {
		some := groups[lo:min(len(groups), lo+laneChunk)]
		if w.net != nil {
			w.net.load(some)
		}
		for i := range some {
			if err := w.denoise(some, i, t); err != nil {
				return err
			}
			do(lo + i)
		}
	}
	return nil
}

// denoise sets π of group i, before the condition.
func (w *laneWorker) denoise(groups []laneGroup, i, t int) error {
	g := &groups[i]
	if w.exact != nil {
		w.exact.Posterior(w.free, g.x, t, g.n)
	} else {
		for e := range w.free {
			w.free[e] = octet.Spread(1)
		}
	}
	if w.net == nil {
		return nil
	}
	out, stride := w.net.outputs(i)
	bad := octet.Correct(w.graph, w.free, out, stride, w.exps, correctLog)
	for k := range g.n {
		if bad>>k&1 != 0 {
			return fmt.Errorf("d3pm: network at time %d: %w", t, w.nan(out, stride, k))
		}
	}
	return nil
}

// nan returns the error that names the edge whose logit in lane k is not a number.
func (w *laneWorker) nan(out []octet.Single, stride, k int) error {
	for v := range w.Graph.NumVertices() {
		lo, hi := w.Graph.Edges(v)
		for e := lo; e < hi && hi-lo > 1; e++ {
			if z := out[e*stride][k]; z != z {
				return errNotNumber(w.Graph, e)
			}
		}
	}
	return nil
}

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
