package chain

import (
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// rows sets out, by edge of the base, to the row distributions of the chain p on the product graph seen from below,
//
//	out_v(e) = P(the path takes e | it visits v) = Σ_s p_s P_s(e) / Σ_s p_s,  s the states over v,
//
// with p_s the reach probabilities. Rows that no path visits are those of prior. reach is scratch, a number per state.
// It goes over to logarithms where a reach probability leaves the range of a float64. O(E) of the product graph.
func (l *Product) rows(p, prior, reach, out []float64) {
	g := l.Graph
	clear(reach)
	clear(out)
	reach[0] = 1
	last, _ := g.Layer(g.NumLayers() - 1)
	for s := range last {
		r := reach[s]
		if r == 0 {
			continue
		}
		lo, hi := g.Edges(s)
		for k := lo; k < hi; k++ {
			x := float64(r * p[k]) // not fused: the lanes give the same bits
			if x < 0x1p-960 && p[k] > 0 {
				l.rowsLog(p, prior, reach, out)
				return
			}
			reach[g.Head(k)] += x
			out[l.Edge[k]] += x
		}
	}
	NormaliseRows(l.Base, out, prior)
}

// rowsLog is rows in logarithms: slower, with no limit of range. reach is relative to the most likely state over the
// same vertex in the end, of which nothing but ratios matters.
func (l *Product) rowsLog(p, prior, reach, out []float64) {
	g := l.Graph
	for s := range reach {
		reach[s] = math.Inf(-1)
	}
	clear(out)
	reach[0] = 0
	top := make([]float64, l.Base.NumVertices())
	for v := range top {
		top[v] = math.Inf(-1)
	}
	for s := range reach { // final at s: its in-edges come first
		r := reach[s]
		if math.IsInf(r, -1) {
			continue
		}
		top[l.Vertex[s]] = max(top[l.Vertex[s]], r)
		lo, hi := g.Edges(s)
		for k := lo; k < hi; k++ {
			if p[k] > 0 {
				reach[g.Head(k)] = logAdd(reach[g.Head(k)], r+real.Log(p[k]))
			}
		}
	}
	for k, e := range l.Edge {
		if s := g.Tail(k); p[k] > 0 && !math.IsInf(reach[s], -1) {
			out[e] += math.Exp(reach[s]-top[l.Vertex[s]]) * p[k]
		}
	}
	NormaliseRows(l.Base, out, prior)
}

// NormaliseRows makes each row of pi, by edge of g, sum to 1; one that sums to 0 becomes that of prior.
func NormaliseRows(g *ddps.LayeredGraph, pi, prior []float64) {
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		row, sum := pi[lo:hi], 0.0
		for _, y := range row {
			sum += y
		}
		if sum == 0 {
			copy(row, prior[lo:hi])
			continue
		}
		for i := range row {
			row[i] /= sum
		}
	}
}

// logAdd returns log(eᵃ + eᵇ).
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
