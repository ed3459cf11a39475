package guide

import (
	"fmt"
	"math"
	"math/big"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Given returns the distribution of the chain pi on g given the condition, and log m as Tilt does. The error is what
// c.Impossible says.
func Given(g *ddps.LayeredGraph, pi []float64, c Condition) (*chain.Distribution, float64, error) {
	return GivenLaw(&chain.Distribution{Lift: chain.Identity(g), P: pi}, c)
}

// GivenLaw is Given for a distribution of any order of the paths of the graph that c is on: a chain on the product of
// the two. Weights are relative to the best path that both have, so that none is lost to underflow.
func GivenLaw(l *chain.Distribution, c Condition) (given *chain.Distribution, logm float64, err error) {
	p := c.Product()
	if p.Lift.Base != l.Base() {
		return nil, math.NaN(), fmt.Errorf("guide: given %s: it is on another graph than the distribution of paths", c)
	}
	given, logm, err = l.Given(p.Lift, p.LogW)
	if math.IsInf(logm, -1) {
		if why := c.Impossible(l.Rows()); why != nil {
			err = why
		}
		return nil, logm, fmt.Errorf("guide: given: %w", err)
	}
	if err != nil {
		return nil, logm, fmt.Errorf("guide: given %s: %w", c, err)
	}
	return given, logm, nil
}

// GivenLaws is GivenLaw for the classes of a mixture; a class of which no path meets c gives nil and −Inf.
func GivenLaws(laws []*chain.Distribution, c Condition) (given []*chain.Distribution, logm []float64, err error) {
	p := c.Product()
	if len(laws) > 0 && p.Lift.Base != laws[0].Base() {
		return nil, nil, fmt.Errorf("guide: given %s: it is on another graph than the distribution of paths", c)
	}
	if given, logm, err = chain.GivenEach(laws, p.Lift, p.LogW); err != nil {
		err = fmt.Errorf("guide: given %s: %w", c, err)
	}
	return given, logm, err
}

// Count returns how many paths of g have a weight above 0, exactly. O(edges of the product) additions of big
// integers.
func Count(_ *ddps.LayeredGraph, c Condition) *big.Int {
	return ddps.NumPaths(c.Product().Lift.Graph)
}
