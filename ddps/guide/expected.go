package guide

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// ValueToGo sets w, by vertex, to the expected reward from each vertex on under the chain pi:
//
//	W_v = Σ_e π_v(e)(u_v(e) + W_{head(e)}),  W = 0 on the last layer.
//
// W_{v¹} is R̄, the expected total reward of a path. O(E).
func ValueToGo(g *ddps.LayeredGraph, pi, u, w []float64) {
	for v := g.NumVertices() - 1; v >= 0; v-- {
		lo, hi := g.Edges(v)
		w[v] = 0
		for e := lo; e < hi; e++ {
			w[v] += float64(pi[e] * (u[e] + w[g.Head(e)]))
		}
	}
}

// Expected returns R̄ = Σ_v p_v Σ_e π_v(e) u_v(e), the expected total reward (the paper's Algorithm 1; its
// line 4 prints r_v = p_v·1ᵀu_v, see ExpectedPrinted). O(E).
func Expected(g *ddps.LayeredGraph, pi, u []float64) float64 {
	w := make([]float64, g.NumVertices())
	ValueToGo(g, pi, u, w)
	return w[0]
}

// ExpectedPrinted returns Algorithm 1 as printed, Σ_v p_v·1ᵀu_v, in which a vertex collects the rewards of all
// its out-edges whichever is taken. O(E).
func ExpectedPrinted(g *ddps.LayeredGraph, pi, u []float64) float64 {
	p := make([]float64, g.NumVertices())
	chain.Reach(g, pi, p)
	sum := 0.0
	for e, r := range u {
		sum += p[g.Tail(e)] * r
	}
	return sum
}
