package d3pm

import (
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// Proposal weighs the steps of a Scalar against those of the same kernel without condition and guide.
type Proposal struct {
	Ratio []float64              // [edge] r_v(e), see Gain under Joint
	Aim   chain.PathDistribution // of whole paths given the target; nil: the chain π has all
	Shift float64                // log of a factor that Aim leaves out

	w       *Scalar
	target  Condition
	free    chain.PathDistribution // Aim without the target
	tilter  *chain.Tilter
	scratch []float64 // [edge]
	dist    []float64 // [edge]
	edges   []int     // of a path
}

// NewProposal makes a Proposal for the steps of w, weighed towards target.
func (w *Scalar) NewProposal(target Condition) *Proposal {
	E := w.Graph.NumEdges()
	w.scored = true
	p := &Proposal{w: w, target: target, tilter: chain.NewTilter(w.Graph), Ratio: make([]float64, E),
		scratch: make([]float64, E), dist: make([]float64, E)}
	if w.mixed != nil {
		p.free = w.mixed.exact.Whole()
		p.Aim, p.Shift = w.mixed.given(target)
	}
	return p
}

// met returns the logarithm of the target's probability under the distribution of x̃_0, or of the expectation of its
// weight.
func (p *Proposal) met(pi, c []float64, xt ddps.PALM, t int) float64 {
	if p.Aim == nil {
		return p.target.Tilt(pi, p.scratch)
	}
	ratio := p.w.mixed.exact.Ratio(t)
	return p.Aim.Weigh(xt, ratio, c) - p.free.Weigh(xt, ratio, c) + p.Shift
}

// Gain returns log p(x_s | x_t) − log p̂(x_s | x_t) of the step that the worker just took from pi, and in the last step
// the logarithm of the target's weight of the path too.
func (p *Proposal) Gain(pi, c []float64, xt, xs ddps.PALM) float64 {
	gain := p.odds(pi, c, xt, xs)
	if p.w.Step.S == 0 {
		gain += p.weight(p.target, p.w.Graph.Decode(xs))
	}
	return gain
}

// odds returns log p(x_s | x_t) − log p̂(x_s | x_t): p̂ is the step taken, p the kernel from pi without condition and
// guide. In the last step x_s stands for its path alone.
func (p *Proposal) odds(pi, c []float64, xt, xs ddps.PALM) float64 {
	st := &p.w.Step
	if p.w.Condition == nil && p.w.Guided == nil {
		return 0
	}
	if st.Whole {
		p.free.Weigh(xt, p.w.mixed.exact.Ratio(st.T), c)
	}
	switch {
	case st.S == 0:
		return p.lastGain(pi, xt, xs)
	case st.Drawn:
		return p.jointGain(pi, xt, xs)
	}
	sum := 0.0
	for _, v := range st.rows {
		lo, _ := st.Graph.Edges(int(v))
		sum -= real.Log(st.Dist[lo+int(xs[v])])
	}
	p.model(pi, xt)
	for _, v := range st.rows {
		lo, _ := st.Graph.Edges(int(v))
		sum += real.Log(p.dist[lo+int(xs[v])])
	}
	return sum
}

// model sets p.dist to the kernel's row distributions from pi, without condition and guide.
func (p *Proposal) model(pi []float64, xt ddps.PALM) {
	st := &p.w.Step
	plain := *st
	plain.Pi, plain.Dist, plain.Xt, plain.Log, plain.Product = pi, p.dist, xt, false, nil
	p.w.fill(&plain)
	if plain.Log {
		plain.guide(nil, 0)
	}
}

// lastGain is odds for s = 0: the sum over the rows on the path.
func (p *Proposal) lastGain(pi []float64, xt, xs ddps.PALM) float64 {
	st := &p.w.Step
	if st.Whole && p.w.Guided == nil {
		return p.free.LogProb(p.w.Graph.Decode(xs)) - p.w.LogLast
	}
	p.model(pi, xt)
	p.edges = p.edges[:0]
	for v := 0; st.Graph.Degree(v) > 0; {
		lo, _ := st.Graph.Edges(v)
		e := lo + int(xs[v])
		p.edges = append(p.edges, e)
		v = st.Graph.Head(e)
	}
	sum := 0.0
	if st.Product != nil {
		sum = -p.w.LogLast // of the path, where the condition has a memory
	}
	for _, e := range p.edges {
		if st.Graph.Degree(st.Graph.Tail(e)) < 2 {
			continue
		}
		if sum += real.Log(p.dist[e]); st.Product == nil {
			sum -= real.Log(st.Dist[e])
		}
	}
	if st.Whole { // the model draws its path as a whole
		for _, e := range p.edges {
			sum -= real.Log(p.dist[e])
		}
		sum += p.free.LogProb(p.w.Graph.Decode(xs))
	}
	return sum
}

// jointGain is odds under Joint, where both distributions are sums over all x̃_0. With K_v the distribution of a row
// off the path and r_v(e) = q(x_s^v | x_t^v, x_0^v = e)/K_v(x_s^v), as in Bound,
//
//	p(x_s | x_t) = ∏_v K_v(x_s^v) · Σ_paths ∏_{v on path} π_v(e) r_v(e).
//
// A guide multiplies each row of a given x̃_0 by exp(λg) and divides it by N_v(e) = Σ_j q(j | x_t^v, e) exp(λ g_v(j)),
// or off the path by N_v(K) = Σ_j K_v(j) exp(λ g_v(j)). Then
//
//	p̂(x_s | x_t) = ∏_v K_v(x_s^v) exp(λ g_v(x_s^v))/N_v(K) · Σ_paths ∏_{v on path} π̂_v(e) r_v(e) N_v(K)/N_v(e).
func (p *Proposal) jointGain(pi []float64, xt, xs ddps.PALM) float64 {
	st := &p.w.Step
	ratios(st.Graph, st.As, st.At, xs, xt, p.Ratio)
	var sum float64
	if st.Whole {
		sum = p.free.LogMean(p.Ratio)
	} else {
		sum = p.tilter.Tilt(pi, p.Ratio, p.scratch)
	}
	if p.w.Guided != nil {
		sum -= p.Guides(xt, xs)
	}
	if st.Whole {
		return sum - st.Paths.LogMean(p.Ratio)
	}
	if st.Product != nil {
		return sum - st.Product.LogMean(p.Ratio)
	}
	return sum - p.tilter.Tilt(st.Pi, p.Ratio, p.scratch)
}

// Guides multiplies Ratio by N_v(K)/N_v(e) and returns Σ_v λ g_v(x_s^v) − log N_v(K).
func (p *Proposal) Guides(xt, xs ddps.PALM) float64 {
	st, sum := &p.w.Step, 0.0
	for _, v := range st.rows {
		lo, hi := st.Graph.Edges(int(v))
		D, top := hi-lo, math.Inf(-1)
		for e := lo; e < hi; e++ {
			top = max(top, clamped(p.w.Scale*p.w.Guided[e]))
		}
		row, off := p.dist[lo:hi], 0.0
		for d := range row { // K(j) exp(λ g(j) − top)
			row[d] = Likelihood(st.A, int(xt[v]) == d, D) * math.Exp(clamped(p.w.Scale*p.w.Guided[lo+d])-top)
			off += row[d]
		}
		for d := range row {
			on := ((1-st.As)/float64(D)*off + st.As*row[d]) / Likelihood(st.At, int(xt[v]) == d, D)
			p.Ratio[lo+d] *= off / on
		}
		sum += clamped(p.w.Scale*p.w.Guided[lo+int(xs[v])]) - top - real.Log(off)
	}
	return sum
}

// weight returns the logarithm of the target's weight of a path.
func (p *Proposal) weight(target Condition, path ddps.Path) float64 {
	if own, ok := target.(interface{ LogWeight(ddps.Path) float64 }); ok {
		return own.LogWeight(path)
	}
	clear(p.dist) // a chain of this path alone
	for l := 1; l < len(path); l++ {
		e, _ := p.w.Graph.EdgeBetween(path[l-1], path[l])
		p.dist[e] = 1
	}
	return target.Tilt(p.dist, p.scratch)
}

// ratios sets out, by edge, to r_v(e) = q(x_s^v | x_0^v = e)/q(x_t^v | x_0^v = e), as = ᾱ_s and at = ᾱ_t.
func ratios(g *ddps.LayeredGraph, as, at float64, xs, xt ddps.PALM, out []float64) {
	for v := range xs {
		lo, hi := g.Edges(v)
		for e := lo; e < hi; e++ {
			out[e] = Likelihood(as, int(xs[v]) == e-lo, hi-lo) / Likelihood(at, int(xt[v]) == e-lo, hi-lo)
		}
	}
}
