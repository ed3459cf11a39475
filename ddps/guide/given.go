package guide

import (
	"fmt"
	"math"
	"math/big"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Given returns the law of the chain pi on g given the condition, and log m as Tilt does. The error is what
// c.Impossible says.
func Given(g *ddps.LayeredGraph, pi []float64, c Condition) (*chain.Law, float64, error) {
	rows := make([]float64, len(pi))
	logm := c.Tilt(pi, rows)
	if math.IsInf(logm, -1) {
		return nil, logm, fmt.Errorf("guide: given: %w", c.Impossible(pi))
	}
	lift, w := c.Lift()
	if lift == nil {
		return &chain.Law{Lift: chain.Identity(g), P: rows}, logm, nil
	}
	l := chain.NewLifter(lift, w)
	l.Tilt(pi)
	return &chain.Law{Lift: lift, P: l.P}, logm, nil
}

// Count returns how many paths of g have a weight above 0, exactly. O(edges of the product) additions of big
// integers.
func Count(g *ddps.LayeredGraph, c Condition) *big.Int {
	if lift, _ := c.Lift(); lift != nil {
		return ddps.NewIndex(lift.Graph).Count()
	}
	law, _, err := Given(g, chain.Uniform(g).P, c)
	if err != nil {
		return new(big.Int)
	}
	n := make([]big.Int, g.NumVertices())
	last, end := g.Layer(g.NumLayers() - 1)
	for v := end - 1; v >= 0; v-- {
		if v >= last {
			n[v].SetInt64(1)
		}
		lo, hi := g.Edges(v)
		for e := lo; e < hi; e++ {
			if law.P[e] > 0 {
				n[v].Add(&n[v], &n[g.Head(e)])
			}
		}
	}
	return &n[0]
}

// GivenLaw is Given for a law of any order of the paths of the graph that c is on.
func GivenLaw(l *chain.Law, c Condition) (given *chain.Law, logm float64, err error) {
	lift, w := c.Lift()
	w, shift := chain.Weights(l.Base(), lift, w, c.Tilt)
	switch {
	case math.IsInf(shift, -1):
		return nil, shift, fmt.Errorf("guide: given: %w", c.Impossible(chain.Uniform(l.Base()).P))
	case lift != nil:
		given, logm, err = l.Condition(lift, w)
	default:
		given, logm, err = l.Tilt(w)
	}
	if err != nil {
		return nil, logm, fmt.Errorf("guide: given %s: %w", c, err)
	}
	return given, logm + shift, nil
}
