package mixture_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/fast"
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// Eight samples together have the bits of Paths: totals, classes, rows, means and draws, with factors and without,
// also where the messages leave the range of a float64.
func TestMixtureLanes(t *testing.T) {
	if !vec.Vectors() {
		t.Skip("no AVX2 with FMA")
	}
	for i, K := range []int{1, 2, 5, 9, 1, 4, 5, 2} {
		m, _, _ := mixture.ClassesOf(t, i%mixture.Kinds, K)
		g := m.Base()
		odd, at, err := chain.Unfold(g, 0, func(q, e int) (int, bool) { return (q + e) % 2, true }, 0)
		if err != nil {
			t.Fatal(err)
		}
		weights := make([]float64, odd.Graph.NumEdges())
		for k := range weights {
			weights[k] = float64(at[odd.Graph.Head(k)])
		}
		rng := rand.New(rand.NewPCG(3, uint64(K)))
		d := mixture.NewDenoiser(m, []float64{1, .9, .3})
		for name, s := range map[string]*mixture.Weighted{"free": m.Weighted(nil, nil), "condition": m.Weighted(odd,
			weights)} {
			for _, scale := range []float64{0, 1, 1e-300} {
				checkLanes(t, name, d, s, scale, rng)
			}
		}
	}
}

// checkLanes compares eight samples with factors of the scale, 0: none.
func checkLanes(t *testing.T, name string, d *mixture.Denoiser, s *mixture.Weighted, scale float64, rng *rand.Rand) {
	t.Helper()
	g, ratio := s.Graph(), d.Ratio(1)
	base := vec.NewGraph(g, nil, nil)
	lanes, one := fast.NewMixture(s, base, d.Rows()), s.Paths()
	E, V := g.NumEdges(), g.NumVertices()
	x, r, pi := make([]vec.Choice, V), make([]vec.Lane, E), make([]vec.Lane, E)
	xs, cs, rs := make([]ddps.PALM, vec.Width), make([][]float64, vec.Width), make([][]float64, vec.Width)
	var c []vec.Lane
	if scale > 0 {
		c = make([]vec.Lane, E)
	}
	for i := range xs {
		xs[i], rs[i] = make(ddps.PALM, V), make([]float64, E)
		g.Uniform(xs[i], rng)
		for v, choice := range xs[i] {
			x[v][i] = int64(choice)
		}
		for e := range E {
			rs[i][e] = rng.ExpFloat64()
			r[e][i] = rs[i][e]
			if c != nil {
				c[e][i] = scale * rng.ExpFloat64()
				cs[i] = append(cs[i], c[e][i])
			}
		}
	}
	const n = vec.Width - 1
	lanes.Weigh(x, ratio, c, n)
	mean := lanes.LogMean(r, n)
	lanes.Weigh(x, ratio, c, n)
	lanes.Rows(pi)
	for i := range n {
		want := make([]float64, E)
		if logZ := one.Weigh(xs[i], ratio, cs[i]); logZ != lanes.LogZ[i] {
			t.Errorf("%s, scale %g: log Z is %v, want %v", name, scale, lanes.LogZ[i], logZ)
		}
		if got := one.LogMean(rs[i]); got != mean[i] {
			t.Errorf("%s, scale %g: log mean is %v, want %v", name, scale, mean[i], got)
		}
		one.Rows(want)
		mixture.NormaliseRows(d, want)
		for e := range want {
			if pi[e][i] != want[e] {
				t.Fatalf("%s, scale %g: edge %d of sample %d is %v, want %v", name, scale, e, i, pi[e][i], want[e])
			}
		}
		if math.IsInf(lanes.LogZ[i], -1) { // nothing to draw
			continue
		}
		p, q := make(ddps.Path, g.NumLayers()), ddps.Path{}
		one.Draw(ddps.Rand(5, uint64(i)), p)
		lanes.Draw(ddps.Rand(5, uint64(i)), i, func(v, _ int32) { q = append(q, int(v)) })
		if !slices.Equal(p[:len(p)-1], q) {
			t.Errorf("%s, scale %g: drew %v, want %v", name, scale, q, p)
		}
	}
}
