package stack

import (
	"context"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// The class of a mixture within a stack is drawn apart from the part: of two classes that differ much both are drawn,
// by their weights, given a condition too.
func TestNestedMixture(t *testing.T) {
	f := fixtureOf(t, 3, 1)
	g := f.g
	p := make([]float64, 2*g.NumEdges())
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		for e := lo; e < hi; e++ {
			up, down := 1+9*float64(e-lo), 1+9*float64(hi-1-e)
			all := float64(hi-lo) + 9*float64((hi-lo)*(hi-lo-1)/2)
			p[2*e], p[2*e+1] = up/all, down/all
		}
	}
	m, err := mixture.New(chain.Identity(g), []float64{.5, .5}, p)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New([]Part{{Name: "mixture", Distribution: Mixture(m), Weight: .5}, {Name: "chain", Distribution: f.first,
		Weight: .5}})
	if err != nil {
		t.Fatal(err)
	}
	c, weight := f.condition(t, 2, 0, false)
	given, err := s.Given(context.Background(), c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n, d := range []Distribution{s, given} {
		want, sum := f.probs(t, s), 0.0
		for i := range want {
			if n == 1 {
				want[i] *= weight[i]
			}
			sum += want[i]
		}
		for i := range want {
			want[i] /= sum
		}
		draws := f.draws(t, d, 20000)
		if per, cells := f.chi(t, draws, want); per > 1+6*math.Sqrt(2/cells) {
			t.Errorf("distribution %d: χ² is %.2f per cell of %v", n, per, cells)
		}
	}
}

// draws returns draws of d.
func (f *fixture) draws(t *testing.T, d Distribution, n int) []ddps.Path {
	t.Helper()
	paths := make([]ddps.Path, n)
	if err := d.Sample(context.Background(), paths, 3, 0); err != nil {
		t.Fatal(err)
	}
	return paths
}
