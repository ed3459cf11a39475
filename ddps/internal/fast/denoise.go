package fast

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/net"
)

// setDenoiser sets what gives π.
func (w *worker) setDenoiser() {
	p, _ := net.PartsOf(w.Denoiser)
	if p.Net != nil {
		w.net = &laneBlock{net: p.Net.(net.Vectored).Blocks()}
	}
	switch {
	case p.Chain != nil:
		w.exact = NewChain(p.Chain, w.graph)
	case p.Mixture != nil:
		w.setMixture(p.Mixture)
	default:
		w.ones = make([]vec.Lane, w.Graph.NumEdges())
		for e := range w.ones {
			w.ones[e] = vec.Spread(1)
		}
	}
	w.rows = w.whole == nil || w.Guide != nil || w.net != nil
}

// setMixture sets what gives π, and x̃_0 under Joint, of a mixture.
func (w *worker) setMixture(exact *mixture.Denoiser) {
	w.prior = exact
	w.mix = NewMixture(exact.Weighted, w.graph, exact.Rows())
	if !w.IsJoint() {
		return
	}
	if w.net != nil {
		w.c = make([]vec.Lane, w.Graph.NumEdges())
	}
	if paths := w.one.Step.Paths; w.Condition == nil {
		w.whole = w.mix
	} else if paths != nil {
		w.whole = NewMixture(paths.(*mixture.Paths).Weighted, w.graph, exact.Rows())
	}
}

// each calls denoise for one group after the other, at time t, and do with its number.
func (w *worker) each(groups []laneGroup, t int, do func(i int)) error {
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

// denoise sets π of group i, before the condition and given it, where somebody needs it, and what else gives x̃_0.
func (w *worker) denoise(groups []laneGroup, i, t int) error {
	g := &groups[i]
	switch {
	case w.mix != nil:
		if w.rows || w.whole == w.mix {
			w.mix.Weigh(g.x, w.ratio(), nil, g.n)
		}
		if w.rows {
			w.mix.Rows(w.free)
		}
	case w.exact != nil:
		w.exact.Posterior(w.free, g.x, t, g.n)
	default:
		copy(w.free, w.ones)
	}
	if w.net != nil {
		if err := w.correct(g, i, t); err != nil {
			return err
		}
	}
	if w.whole != nil && (w.whole != w.mix || w.c != nil) {
		w.whole.Weigh(g.x, w.ratio(), w.c, g.n)
	}
	if w.tilted() {
		w.given.tilt(w.free, w.pi, g.n)
	}
	return nil
}

// tilted reports whether somebody reads π given the condition.
func (w *worker) tilted() bool { return w.given != nil && (w.whole == nil || w.Guide != nil) }

// ratio returns ᾱ_t/(1−ᾱ_t).
func (w *worker) ratio() float64 { return w.rates.At / (1 - w.rates.At) }

// correct has the network correct π of group i, and sets c to what that makes of a mixture's rows.
func (w *worker) correct(g *laneGroup, i, t int) error {
	copy(w.c, w.free)
	out, stride := w.net.outputs(i)
	bad := vec.Correct(w.graph, w.free, out, stride, w.exps, w.odd, net.CorrectLog)
	for k := range g.n {
		if bad>>k&1 != 0 {
			return fmt.Errorf("network at time %d: %w", t, w.nan(out, stride, k))
		}
	}
	for e := range w.c {
		for k, base := range w.c[e] {
			if base > 0 {
				w.c[e][k] = w.free[e][k] / base
			}
		}
	}
	return nil
}

// nan returns the error that names the edge whose logit in lane k is not a number.
func (w *worker) nan(out []vec.Single, stride, k int) error {
	for v := range w.Graph.NumVertices() {
		lo, hi := w.Graph.Edges(v)
		for e := lo; e < hi && hi-lo > 1; e++ {
			if z := out[e*stride][k]; z != z {
				return net.NotNumber(w.Graph, e)
			}
		}
	}
	return nil
}
