package slots

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/ddps"
)

// StartWeights returns the weights of a graph's starts, in the order of their vertices: those of Options, in Attr;
// all 1 where there are none. The error is of a graph whose attributes do not fit its starts.
func StartWeights(g *ddps.LayeredGraph) ([]float64, error) {
	weights := make([]float64, len(starts(g)))
	text, given := g.Meta().Attr["start_weights"]
	list := strings.Split(text, "\t")
	if given && len(list) != len(weights) {
		return nil, fmt.Errorf("slots: %d start weights of %d starts", len(list), len(weights))
	}
	for k := range weights {
		if weights[k] = 1; !given {
			continue
		}
		x, err := strconv.ParseFloat(list[k], 64)
		if err != nil || !(x > 0) {
			return nil, fmt.Errorf("slots: start weight %q", list[k])
		}
		weights[k] = x
	}
	return weights, nil
}

// starts returns the vertices where walks begin: those behind the source, or v¹.
func starts(g *ddps.LayeredGraph) []int {
	if pads := g.Pads(); pads != nil && pads[0] {
		return g.From(0)
	}
	return []int{0}
}

// Draw draws n paths of a graph with several starts, with replacement: the start by weight (StartWeights), then each
// path from it with the same probability, exactly. Equal seeds draw equal paths. O(n·L·D).
func Draw(g *ddps.LayeredGraph, n int, seed uint64) ([]ddps.Path, error) {
	weights, err := StartWeights(g)
	if err != nil {
		return nil, err
	}
	choice, err := ddps.NewChoice(len(weights), weights)
	if err != nil {
		return nil, fmt.Errorf("slots: %w", err)
	}
	index, first := ddps.NewIndex(g), starts(g)
	before := make([]*big.Int, len(weights)) // paths numbered before those of a start
	for k, v := range first {
		before[k] = new(big.Int)
		if k > 0 {
			before[k].Add(before[k-1], index.CountFrom(v-1))
		}
	}
	paths := make([]ddps.Path, n)
	for i := range paths {
		rng := ddps.Rand(seed, uint64(i))
		k := choice.Draw(rng)
		rank := below(index.CountFrom(first[k]), rng.Uint64)
		if paths[i], err = index.At(rank.Add(rank, before[k])); err != nil {
			return nil, fmt.Errorf("slots: %w", err)
		}
	}
	return paths, nil
}

// below draws a number of 0…n−1, each with the same probability, by rejection.
func below(n *big.Int, bits func() uint64) *big.Int {
	most := new(big.Int).Sub(n, big.NewInt(1))
	words, x := (most.BitLen()+63)/64, new(big.Int)
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(most.BitLen())), big.NewInt(1))
	for {
		x.SetInt64(0)
		for range words {
			x.Or(x.Lsh(x, 64), new(big.Int).SetUint64(bits()))
		}
		if x.And(x, mask); x.Cmp(n) < 0 {
			return x
		}
	}
}
