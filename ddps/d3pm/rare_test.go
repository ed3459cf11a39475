package d3pm_test

import (
	"context"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// rareEdge returns a graph of so many choices, one after the other, between an edge of probability p and another, and
// the sampler of that chain.
func rareEdge(t *testing.T, choices int, p float64) (*ddps.LayeredGraph, *d3pm.Sampler) {
	t.Helper()
	sizes, heads, probs := []int{1}, [][]int{{1, 2}}, []float64{p, 1 - p}
	for l := range choices {
		sizes = append(sizes, 2)
		for range 2 {
			var h []int
			if next := 2*l + 3; l < choices-1 {
				h, probs = []int{next, next + 1}, append(probs, p, 1-p)
			}
			heads = append(heads, h)
		}
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		t.Fatal(err)
	}
	c, err := chain.New(g, probs)
	if err != nil {
		t.Fatal(err)
	}
	sched := d3pm.Cosine(16)
	return g, &d3pm.Sampler{Graph: g, Denoiser: mixture.NewDenoiser(mixture.Of(c.Distribution()), sched.Abar),
		Schedule: sched}
}

// Rare edges are drawn at their rate: 10⁻⁶ in ten million draws; given one of 10⁻⁹ all samples take it, and the
// particles and the sampler agree on its probability.
func TestRareEdge(t *testing.T) {
	const choices, n, p = 500, 40_000, 1e-6
	_, often := rareEdge(t, choices, p)
	if !often.Direct() {
		t.Fatal("not direct")
	}
	paths, err := often.Sample(context.Background(), n, 3)
	if err != nil {
		t.Fatal(err)
	}
	rare := 0
	for _, path := range paths {
		for l, v := range path[1:] {
			if v == 2*l+1 {
				rare++
			}
		}
	}
	if want := p * choices * n; math.Abs(float64(rare)-want) > 5*math.Sqrt(want) {
		t.Errorf("%d of %d choices are the rare edge, want about %v", rare, choices*n, want)
	}
	g, s := rareEdge(t, 3, 1e-9)
	c, err := guide.MustVisit(g, 3)
	if err != nil {
		t.Fatal(err)
	}
	s.Condition = c
	for _, steps := range []int{0, 4} {
		s.Steps = steps
		if paths, err = s.Sample(context.Background(), 200, 1); err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if path[2] != 3 || path[1] != 2 && path[3] != 6 {
				t.Errorf("%d steps: sample %v", steps, path)
			}
		}
	}
}
