package metrics

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/ddps-go/ddps/ddps"
)

// Moments are the sums over a sample that [FLGD] and [ISL] depend on: how many paths there are, by edge how many use
// it, and by pair of edges how many use both. Their size is that of the graph, whatever the number of paths, and those
// of two samples together are the sums of both.
type Moments struct {
	Graph *ddps.LayeredGraph
	Total float64
	Edge  []float64 // [E]
	Pair  []float64 // [E(E−1)/2], at PairIndex; nil: not known
}

// PairIndex returns where in Moments.Pair edges e < f of E stand.
func PairIndex(E, e, f int) int { return e*(2*E-e-1)/2 + f - e - 1 }

// Marginals is the function [Marginals] of the sample. The error is ErrEmpty.
func (m *Moments) Marginals() ([][]float64, error) {
	if !(m.Total > 0) {
		return nil, &DistributionError{ErrEmpty, "sample", -1, 0}
	}
	g := m.Graph
	list := make([][]float64, g.NumLayers())
	for l := range list {
		lo, hi := g.Layer(l)
		list[l] = make([]float64, hi-lo)
	}
	list[0][0] = 1
	for e, n := range m.Edge {
		v := g.Head(e)
		lo, _ := g.Layer(g.LayerOf(v))
		list[g.LayerOf(v)][v-lo] += n
	}
	for l := 1; l < len(list); l++ {
		for i := range list[l] {
			list[l][i] /= m.Total
		}
	}
	return list, nil
}

// FLGDMoments returns [FLGD] of the samples of two moments. O(E³).
func FLGDMoments(p, q *Moments) (float64, error) {
	for _, m := range []*Moments{p, q} {
		if !(m.Total > 0) {
			return 0, &DistributionError{ErrEmpty, "sample", -1, 0}
		}
		if E := m.Graph.NumEdges(); len(m.Edge) != E || len(m.Pair) != E*(E-1)/2 {
			return 0, fmt.Errorf("metrics: flgd: moments of %d edges and %d pairs on a graph of %d edges", len(m.Edge),
				len(m.Pair), E)
		}
	}
	var used []int
	d := 0.0
	for e := range p.Edge {
		if p.Edge[e] == 0 && q.Edge[e] == 0 {
			continue
		}
		used = append(used, e)
		m1, m2 := p.Edge[e]/p.Total, q.Edge[e]/q.Total
		d += (m1-m2)*(m1-m2) + m1*(1-m1) + m2*(1-m2)
	}
	if len(used) == 0 {
		return 0, nil // one layer
	}
	root, err := nuclear(cholesky(p.covariance(used)), cholesky(q.covariance(used)))
	return max(0, d-2*root), err
}

// covariance returns that of some edges, ascending.
func (m *Moments) covariance(edges []int) *mat.SymDense {
	s, mean := mat.NewSymDense(len(edges), nil), mat.NewVecDense(len(edges), nil)
	for i, e := range edges {
		mean.SetVec(i, m.Edge[e]/m.Total)
		s.SetSym(i, i, m.Edge[e])
		for j := i + 1; j < len(edges); j++ {
			s.SetSym(i, j, m.Pair[PairIndex(len(m.Edge), e, edges[j])])
		}
	}
	s.ScaleSym(1/m.Total, s)
	s.SymRankOne(s, -1, mean)
	return s
}
