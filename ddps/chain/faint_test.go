package chain

import (
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// Of conditions less likely than a float64 holds every path counts, though the messages of most are lost beside the
// greatest of their layer: half of n moves go to a place of probability 10⁻⁶, by the binomial distribution.
func TestTiltFaint(t *testing.T) {
	for _, n := range []int{120, 240, 400} {
		sizes, heads := []int{1}, [][]int{{1, 2}}
		for l := range n {
			if sizes = append(sizes, 2); l < n-1 {
				heads = append(heads, []int{2*l + 3, 2*l + 4}, []int{2*l + 3, 2*l + 4})
			}
		}
		g, err := ddps.New(sizes, append(heads, nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		rare := func(e int) bool { return g.Head(e)%2 == 0 }
		p := make([]float64, g.NumEdges())
		for e := range p {
			if p[e] = 1 - 1e-6; rare(e) {
				p[e] = 1e-6
			}
		}
		half, _, err := Unfold(g, 0, func(q, e int) (int, bool) {
			if rare(e) {
				q++
			}
			last := g.Head(e) >= g.NumVertices()-2
			return q, q <= n/2 && (!last || q == n/2)
		}, 0)
		if err != nil {
			t.Fatal(err)
		}
		of := func(x int) float64 { y, _ := math.Lgamma(float64(x) + 1); return y }
		paths := of(n) - 2*of(n/2)
		want := paths + float64(n/2)*(math.Log(1e-6)+math.Log1p(-1e-6))
		dist := (&Chain{Graph: g, P: p}).Distribution()
		given, logm, err := dist.Given(half, nil)
		if err != nil || math.Abs(logm-want) > 1e-9 || math.Abs(given.Entropy()-paths) > 1e-9 {
			t.Errorf("%d moves: given: log m %v, entropy %v, expected %v, %v: %v", n, logm, given.Entropy(), want, paths, err)
		}
		if _, logm, err := dist.Condition(half, nil); err != nil || math.Abs(logm-want) > 1e-9 {
			t.Errorf("%d moves: condition: log m %v, expected %v: %v", n, logm, want, err)
		}
		if logm := NewProductTilter(half, nil).Tilt(p); math.Abs(logm-want) > 1e-9 {
			t.Errorf("%d moves: tilt: log m %v, expected %v", n, logm, want)
		}
	}
}

// Weights of any size tilt a distribution: what is lost of one layer may be most of all.
func TestTiltWideWeights(t *testing.T) {
	g, err := ddps.New([]int{1, 2, 2, 2}, [][]int{{1, 2}, {3}, {4}, {5}, {6}, nil, nil})
	if err != nil {
		t.Fatal(err)
	}
	dist := Uniform(g).Distribution()
	w := []float64{1e-200, 1e200, 1e150, 1e-150, 1e150, 1e-150} // products of 10¹⁰⁰ and 10⁻¹⁰⁰
	_, logm, err := dist.Tilt(w)
	if want := math.Log(.5) + 100*math.Ln10; err != nil || math.Abs(logm-want) > 1e-9 {
		t.Errorf("log m %v, expected %v: %v", logm, want, err)
	}
	var tilted *Distribution
	w[0] = 1e-300
	w[1], w[3], w[5] = 1e300, 1e-149, 1e-151 // both of 10⁰
	if tilted, logm, err = dist.Tilt(w); err != nil || math.Abs(logm) > 1e-9 || math.Abs(tilted.P[0]-.5) > 1e-9 {
		t.Errorf("log m %v, rows %v, expected 0 and halves: %v", logm, slices.Clone(tilted.P[:2]), err)
	}
	w = []float64{1e-200, 1e200, 1e150, 1e-50, 1e150, 1e-50} // both of 10¹⁰⁰; half are 10⁻⁴⁰⁰ of the greatest message
	want := 100 * math.Ln10
	if tilted, logm, err = dist.Tilt(w); err != nil || math.Abs(logm-want) > 1e-9 || math.Abs(tilted.P[0]-.5) > 1e-9 {
		t.Errorf("log m %v, rows %v, expected %v and halves: %v", logm, tilted.P[:2], want, err)
	}
	if c, logm, err := Uniform(g).Tilt(w); err != nil || math.Abs(logm-want) > 1e-9 || math.Abs(c.P[0]-.5) > 1e-9 {
		t.Errorf("chain: log m %v, rows %v, expected %v and halves: %v", logm, c.P[:2], want, err)
	}
}
