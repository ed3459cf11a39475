package guide

import (
	"fmt"
	"math"
	"math/big"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Given returns the distribution of the chain pi on g given the condition, and log m as Tilt does. Where no path meets
// it the error is chain.ErrImpossible, wrapped, in the words of c.Impossible.
func Given(g *ddps.LayeredGraph, pi []float64, c Condition) (*chain.Distribution, float64, error) {
	return GivenDistribution(&chain.Distribution{Product: chain.Identity(g), P: pi}, c)
}

// GivenDistribution is Given for a distribution of any order of the paths of the graph that c is on: a chain on the
// product of the two. Weights are relative to the best path that both have, so that none is lost to underflow.
func GivenDistribution(l *chain.Distribution, c Condition) (given *chain.Distribution, logm float64, err error) {
	p := c.Product()
	if !p.Product.Base.Equal(l.Base()) {
		return nil, math.NaN(), fmt.Errorf("guide: given %s: it is on another graph than the distribution of paths", c)
	}
	given, logm, err = l.Given(p.Product, p.LogW)
	if math.IsInf(logm, -1) {
		if why := c.Impossible(l.Rows()); why != nil {
			return nil, logm, why
		}
		return nil, logm, fmt.Errorf("guide: given: %w", err)
	}
	if err != nil {
		return nil, logm, fmt.Errorf("guide: given %s: %w", c, err)
	}
	return given, logm, nil
}

// GivenDistributions is GivenDistribution for the classes of a mixture; a class of which no path meets c gives nil and
// −Inf.
func GivenDistributions(dists []*chain.Distribution, c Condition) (given []*chain.Distribution, logm []float64,
	err error) {
	p := c.Product()
	if len(dists) > 0 && !p.Product.Base.Equal(dists[0].Base()) {
		return nil, nil, fmt.Errorf("guide: given %s: it is on another graph than the distribution of paths", c)
	}
	if given, logm, err = chain.GivenEach(dists, p.Product, p.LogW); err != nil {
		err = fmt.Errorf("guide: given %s: %w", c, err)
	}
	return given, logm, err
}

// Count returns how many paths of c's graph have a weight above 0, exactly; the graph given is not used. O(edges of the
// product) additions of big integers.
func Count(_ *ddps.LayeredGraph, c Condition) *big.Int {
	return ddps.NumPaths(c.Product().Product.Graph)
}
