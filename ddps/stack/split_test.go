package stack

import (
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// words is a graph of a source and six layers of three places, each of which leads to all of the next layer.
func words(t *testing.T) *ddps.LayeredGraph {
	t.Helper()
	sizes, heads := []int{1}, [][]int{{1, 2, 3}}
	for l := range 6 {
		sizes = append(sizes, 3)
		for range 3 {
			if heads = append(heads, nil); l < 5 {
				heads[len(heads)-1] = []int{3*l + 4, 3*l + 5, 3*l + 6}
			}
		}
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A list of all paths of a graph is no sample of walks: all of it trains and validates, or what validates would be just
// what does not train. Fewer paths, repeated ones, and paths of several weights are walks.
func TestSplitEnumeration(t *testing.T) {
	g := words(t)
	all := slices.Collect(g.Paths()) // 729
	varied := slices.Repeat([]float64{1}, len(all))
	varied[7] = 2
	for name, of := range map[string]struct {
		s    chain.Sample
		want bool
	}{
		"all paths":          {chain.Sample{Paths: all}, true},
		"each of them twice": {chain.Sample{Paths: slices.Concat(all, all)}, true},
		"weights of 3":       {chain.Sample{Paths: all, Weights: slices.Repeat([]float64{3}, len(all))}, true},
		"19 of 20":           {chain.Sample{Paths: all[:693]}, true},
		"nine of ten":        {chain.Sample{Paths: all[:656]}, false},
		"one twice":          {chain.Sample{Paths: all, Weights: varied}, false},
		"half of them twice": {chain.Sample{Paths: slices.Concat(all[:364], all[:365])}, false},
	} {
		train, validation, err := Split(g, of.s, .1, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(train.Paths) == len(of.s.Paths) && len(validation.Paths) == len(of.s.Paths); got != of.want {
			t.Errorf("%s: %d paths train and %d validate", name, len(train.Paths), len(validation.Paths))
		}
	}
	few := ddps.Example()
	if s := (chain.Sample{Paths: slices.Collect(few.Paths())}); Enumerates(few, s) {
		t.Errorf("%d paths may be walks", len(s.Paths))
	}
}
