package mixture

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// The distribution of the path given x_t, factors and a condition is Bayes' rule by enumeration: its sum,
// probabilities, means and draws.
func TestMixturePaths(t *testing.T) {
	for i, K := range []int{1, 2, 5, 9, 1, 4, 5, 2} {
		m, paths, probs := classes(t, i%lifts, K)
		g := m.Base()
		abar := []float64{1, .9, .3, .01}
		rng := rand.New(rand.NewPCG(3, uint64(K)))
		w, r := make([]float64, g.NumEdges()), make([]float64, g.NumEdges())
		odd, at, err := chain.Unfold(g, 0, func(q, e int) (int, bool) { return (q + e) % 2, true }, 0) // remembers a parity
		if err != nil {
			t.Fatal(err)
		}
		lifted := make([]float64, odd.Graph.NumEdges())
		for e := range w {
			w[e], r[e] = float64(rng.IntN(3)), rng.ExpFloat64()
		}
		for k := range lifted {
			lifted[k] = 0.5 + float64(at[odd.Graph.Head(k)])
		}
		for name, c := range map[string]struct {
			s      *Paths
			weight func(edges []int) float64
		}{
			"none": {m.Weighted(nil, nil).Paths(), func([]int) float64 { return 1 }},
			"flat": {m.Weighted(nil, w).Paths(), func(edges []int) float64 { return along(w, edges) }},
			"lift": {m.Weighted(odd, lifted).Paths(), func(edges []int) float64 {
				x, q := 1.0, 0
				for _, e := range edges {
					q = (q + e) % 2
					x *= 0.5 + float64(q)
				}
				return x
			}},
		} {
			for step := 1; step < len(abar); step++ {
				checkMixturePaths(t, name, c.s, paths, probs, c.weight, r, abar[step], rng)
			}
		}
	}
}

func along(x []float64, edges []int) float64 {
	y := 1.0
	for _, e := range edges {
		y *= x[e]
	}
	return y
}

func checkMixturePaths(t *testing.T, name string, s *Paths, paths []ddps.Path, probs []float64,
	weight func([]int) float64, r []float64, abar float64, rng *rand.Rand) {
	t.Helper()
	g := s.Graph()
	xt, c := make(ddps.PALM, g.NumVertices()), make([]float64, g.NumEdges())
	g.Uniform(xt, rng)
	for e := range c {
		c[e] = rng.ExpFloat64()
	}
	want, sum, mean := make([]float64, len(paths)), 0.0, 0.0
	for i, p := range paths {
		edges, _ := g.PathEdges(nil, p)
		want[i] = probs[i] * weight(edges) * along(c, edges)
		for l, e := range edges {
			lo, hi := g.Edges(p[l])
			if e-lo == int(xt[p[l]]) {
				want[i] *= 1 + abar/(1-abar)*float64(hi-lo)
			}
		}
		sum += want[i]
		mean += want[i] * along(r, edges)
	}
	logZ := s.Weigh(xt, abar/(1-abar), c)
	if sum == 0 {
		if !math.IsInf(logZ, -1) {
			t.Errorf("%s: log Z is %v where no path has weight", name, logZ)
		}
		return
	}
	if math.Abs(logZ-math.Log(sum)) > 1e-12*(1+math.Abs(logZ)) {
		t.Errorf("%s: log Z is %v, want %v", name, logZ, math.Log(sum))
	}
	if got := s.LogMean(r); math.Abs(got-math.Log(mean/sum)) > 1e-11 {
		t.Errorf("%s: log mean is %v, want %v", name, got, math.Log(mean/sum))
	}
	const n = 2000
	seen, p := map[string]float64{}, make(ddps.Path, g.NumLayers())
	for range n {
		s.Draw(rng, p)
		seen[string(pathBytes(p))]++
	}
	chi2, bins := 0.0, 0
	for i, q := range paths {
		x := want[i] / sum
		if got := math.Exp(s.LogProb(q)); math.Abs(got-x) > 1e-12 {
			t.Errorf("%s: P(%v) is %v, want %v", name, q, got, x)
		}
		k := seen[string(pathBytes(q))]
		if x == 0 && k > 0 {
			t.Errorf("%s: %v was drawn", name, q)
		}
		if x*n > 5 {
			chi2 += (k - n*x) * (k - n*x) / (n * x)
			bins++
		}
	}
	if limit := float64(bins) + 6*math.Sqrt(2*float64(bins)); chi2 > limit+6 {
		t.Errorf("%s: χ² of the draws is %.1f on %d bins", name, chi2, bins)
	}
}

func pathBytes(p ddps.Path) []byte {
	var b []byte
	for _, v := range p {
		b = append(b, byte(v))
	}
	return b
}
