package metrics

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// Marginals returns the distribution of the sample's vertex in each layer, [layer][vertex of the layer], layers in the
// graph's order and vertices counted from the layer's first. Errors as for Support.Distribution, and the graph's for
// what is no path.
func Marginals(g *ddps.LayeredGraph, s Sample) ([][]float64, error) {
	w, err := normalWeights(len(s.Paths), s.Weights)
	if err != nil {
		return nil, err
	}
	m := make([][]float64, g.NumLayers())
	for l := range m {
		lo, hi := g.Layer(l)
		m[l] = make([]float64, hi-lo)
	}
	for i, p := range s.Paths {
		if err := g.Check(p); err != nil {
			return nil, fmt.Errorf("metrics: sample %d: %w", i, err)
		}
		for l, v := range p {
			lo, _ := g.Layer(l)
			m[l][v-lo] += w[i]
		}
	}
	return m, nil
}

// ISL returns the layer imitation score Σ_l d[p(v^l), q(v^l)], the sum over the L layers of the distance d
// between the vertex marginals of p and q in that layer (paper, definition 4). The first layer has one vertex
// and adds 0. An infinite d makes the sum +Inf. Errors as for [Marginals] and d. O(n·L) and L calls of d.
func ISL(g *ddps.LayeredGraph, p, q Sample, d Distance) (float64, error) {
	mp, err := Marginals(g, p)
	if err != nil {
		return 0, err
	}
	mq, err := Marginals(g, q)
	if err != nil {
		return 0, err
	}
	return ISLMarginals(mp, mq, d)
}

// ISLMarginals is [ISL] of marginals already known, [layer][vertex of the layer]: a chain's reach
// probabilities, for one, need no samples. The error names the layer, counted from 1.
func ISLMarginals(p, q [][]float64, d Distance) (float64, error) {
	if len(p) == 0 {
		return 0, &DistributionError{ErrEmpty, "p", -1, 0}
	}
	if len(p) != len(q) {
		return 0, &DistributionError{ErrLength, "q", -1, float64(len(q))}
	}
	sum := 0.0
	for l := range p {
		dl, err := d(p[l], q[l])
		if err != nil {
			return 0, within(fmt.Sprintf("layer %d", l+1), err)
		}
		sum += dl
	}
	return sum, nil
}

// ISLL1 is the paper's IS-L-L¹, in [0, 2(L−1)].
func ISLL1(g *ddps.LayeredGraph, p, q Sample) (float64, error) { return ISL(g, p, q, L1) }

// ISLKL is the paper's IS-L-KL in nats; +Inf if q misses a vertex that p visits, see [KLFloor].
func ISLKL(g *ddps.LayeredGraph, p, q Sample) (float64, error) { return ISL(g, p, q, KL) }

// ISLTV is the paper's IS-L-TV, with its d_TV = sup|p−q|, in [0, L−1].
func ISLTV(g *ddps.LayeredGraph, p, q Sample) (float64, error) { return ISL(g, p, q, TVSup) }

// ISLSF is the paper's IS-L-SF; ranks over all vertices of a layer, ties by vertex number. In [0, L−1].
func ISLSF(g *ddps.LayeredGraph, p, q Sample) (float64, error) { return ISL(g, p, q, SFD) }
