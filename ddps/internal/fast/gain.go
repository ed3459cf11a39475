package fast

import (
	"github.com/ddps-go/ddps/ddps/internal/real"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// pair sets xs to x_t and x_s of lane k.
func (w *particleWorker) pair(g *laneGroup, k int) {
	palmLane(w.xs[0], w.xt, k)
	palmLane(w.xs[1], g.x, k)
}

// gain is proposal's gain, but for the lanes in bad.
func (w *particleWorker) gain(g *laneGroup) (gain vec.Lane, bad uint8) {
	switch {
	case w.rates.S == 0:
		return gain, ^uint8(0)
	case w.Condition == nil && w.grad == nil:
		return gain, 0
	case w.IsJoint():
		return w.jointGain(g)
	}
	return w.rowGain(g), 0
}

// rowGain is gain for a kernel that goes row by row.
func (w *particleWorker) rowGain(g *laneGroup) (gain vec.Lane) {
	w.rowLogs(g, func(k int, log float64) { gain[k] -= log })
	dist, pi := w.dist, w.pi
	w.dist, w.pi = w.scratch, w.free
	w.kernel(w.worker, &laneGroup{n: g.n, x: w.xt})
	if w.logs {
		vec.Guide(w.graph, w.dist, nil, 0, true, w.odd)
	}
	w.rowLogs(g, func(k int, log float64) { gain[k] += log })
	w.dist, w.pi = dist, pi
	return gain
}

// rowLogs calls do with the logarithms of the probabilities of the rows of x_s.
func (w *particleWorker) rowLogs(g *laneGroup, do func(k int, log float64)) {
	for _, v := range w.graph.Rows {
		for k, choice := range g.x[v][:g.n] {
			do(k, real.Log(w.dist[int64(w.graph.First[v])+choice][k]))
		}
	}
}

// jointGain is proposal's.
func (w *particleWorker) jointGain(g *laneGroup) (gain vec.Lane, bad uint8) {
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

// logMean returns the logarithms of the expectation of the product of scratch over a path of the mixture, or of the
// chain p where that is nil; m is scratch, by state. Lanes in bad have none.
func (w *particleWorker) logMean(mix *Mixture, over *vec.Graph, p, m []vec.Lane, n int) (log vec.Lane, bad uint8) {
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
func (w *particleWorker) guides(g *laneGroup, k int) float64 {
	w.pair(g, k)
	w.guideLane(k)
	w.one.Step.Begin(w.Schedule, w.rates.T, w.rates.S, w.xs[0])
	lane(w.gains.Ratio, w.scratch, k)
	sum := w.gains.Guides(w.xs[0], w.xs[1])
	setLane(w.scratch, w.gains.Ratio, k)
	return sum
}

// scalarGain is proposal's gain of lane k.
func (w *particleWorker) scalarGain(g *laneGroup, k int) float64 {
	w.pair(g, k)
	w.guideLane(k)
	st := &w.one.Step
	st.Begin(w.Schedule, w.rates.T, w.rates.S, w.xs[0])
	pi, c := w.one.Row(w.one.Pi, 0), w.one.Row(w.one.C, 0)
	lane(pi, w.free, k)
	lane(c, w.c, k)
	st.Pi = w.one.Tilted
	lane(st.Pi, w.pi, k)
	if w.given.lifted() {
		lane(st.Product.P, w.given.p, k)
	}
	st.Drawn, st.Whole = w.IsJoint() && st.S > 0, w.whole != nil
	lane(st.Dist, w.dist, k)
	w.one.LogLast = w.logLast[k]
	if st.Whole {
		st.Paths.Weigh(st.Xt, w.ratio(), c)
	}
	if st.Whole && w.grad == nil {
		w.one.LogLast = st.Paths.LogProb(w.Graph.Decode(w.xs[1]))
	}
	return w.gains.Gain(pi, c, w.xs[0], w.xs[1])
}
