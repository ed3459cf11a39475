package main

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/model"
)

// probe holds what the network gives on the same x_t and t, for another implementation to be held to.
type probe struct {
	T   int         `json:"t"`
	X   []ddps.PALM `json:"x"`   // [sample, vertex]
	Pi  [][]float64 `json:"pi"`  // [sample, edge] the model's row distributions
	Out [][]float32 `json:"out"` // [sample, edge] the network's own output

	// Counts, [sample, edge], is what is to be compared: edges of rows with a choice that a path visits with a
	// probability above minReach. What float32 makes of the others is noise, and no path sees it.
	Counts [][]bool `json:"counts"`
}

const (
	minReach     = 1e-6
	probeSamples = 4
)

// probes are taken at three times: nearly clean, in the middle, all noise.
func probes(m *model.Model) ([]probe, error) {
	var list []probe
	E, V := m.Graph.NumEdges(), m.Graph.NumVertices()
	for _, t := range []int{3, m.Schedule.T() / 2, m.Schedule.T()} {
		p := probe{T: t}
		for i := range probeSamples {
			x := make(ddps.PALM, V)
			m.Graph.Uniform(x, ddps.Rand(3, uint64(t*probeSamples+i)))
			p.X = append(p.X, x)
		}
		pi, out := make([]float64, probeSamples*E), make([]float32, probeSamples*E)
		if err := m.Posterior(pi, p.X, t); err != nil {
			return nil, err
		}
		m.Net.Forward(out, p.X, t)
		for i := range probeSamples {
			row := pi[i*E : (i+1)*E]
			p.Pi, p.Out, p.Counts = append(p.Pi, row), append(p.Out, out[i*E:(i+1)*E]), append(p.Counts, counts(m.Graph, row))
		}
		list = append(list, p)
	}
	return list, nil
}

func counts(g *ddps.LayeredGraph, pi []float64) []bool {
	list, reach := make([]bool, g.NumEdges()), make([]float64, g.NumVertices())
	chain.Reach(g, pi, reach)
	for _, v := range ddps.Rows(g) {
		lo, hi := g.Edges(int(v))
		for e := lo; e < hi; e++ {
			list[e] = reach[v] > minReach
		}
	}
	return list
}
