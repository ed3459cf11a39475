package d3pm_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/internal/fast"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// exampleMixture is a mixture of three chains of drawn numbers on the product graph l, and the probabilities of all
// its paths.
func exampleMixture(t *testing.T, l *chain.Product) (m *mixture.Mixture, paths []ddps.Path, probs []float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(2, 3))
	m = &mixture.Mixture{Product: l, Weight: []float64{.5, .3, .2}, P: make([]float64, 3*len(l.Edge))}
	for k := range m.Weight {
		z := make([]float64, len(l.Edge))
		for e := range z {
			z[e] = rng.NormFloat64()
		}
		chain.Softmax(l.Graph, z, z)
		for e, p := range z {
			m.P[3*e+k] = p
		}
	}
	for p := range l.Base.Paths() {
		log, err := m.LogProb(p)
		if err != nil {
			t.Fatal(err)
		}
		paths, probs = append(paths, p), append(probs, math.Exp(log))
	}
	return m, paths, probs
}

// Samples drawn directly have the probabilities of the mixture, given a condition or not (χ² at 10⁻⁶), the same bytes
// for any batch, number of threads and stream, and take no reverse step.
func TestDirect(t *testing.T) {
	g := ddps.Example()
	m, paths, probs := exampleMixture(t, chain.Line(g))
	last, err := guide.MustVisit(g, paths[0][2])
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, g.NumEdges())
	for e := range u {
		u[e] = float64(e % 2)
	}
	atLeast, err := guide.AtLeast(g, u, 2)
	if err != nil {
		t.Fatal(err)
	}
	s := &d3pm.Sampler{Graph: g, Denoiser: mixture.NewDenoiser(m, d3pm.Cosine(256).Abar), Schedule: d3pm.Cosine(256)}
	for name, c := range map[string]struct {
		given d3pm.Condition
		meets func(p ddps.Path) bool
	}{
		"none":     {nil, func(ddps.Path) bool { return true }},
		"visit":    {last, func(p ddps.Path) bool { return slices.Contains(p, paths[0][2]) }},
		"at least": {atLeast, func(p ddps.Path) bool { return g.Total(u, p) >= 2 }},
	} {
		s.Condition = c.given
		if !s.Direct() {
			t.Fatalf("%s: not direct", name)
		}
		const n = 20000
		total, steps := 0.0, 0
		for i, p := range paths {
			if c.meets(p) {
				total += probs[i]
			}
		}
		s.Progress = func(_, all int) { steps = all / n }
		drawn, err := s.Sample(context.Background(), n, 5)
		if err != nil {
			t.Fatal(err)
		}
		if steps != 1 {
			t.Errorf("%s: %d steps", name, steps)
		}
		chi2, bins := 0.0, 0
		for i, p := range paths {
			count := 0.0
			for _, q := range drawn {
				if slices.Equal(p, q) {
					count++
				}
			}
			if want := n * probs[i] / total; c.meets(p) {
				chi2 += (count - want) * (count - want) / want
				bins++
			} else if count > 0 {
				t.Errorf("%s: %v does not meet it", name, p)
			}
		}
		if limit := float64(bins-1) + 7*math.Sqrt(2*float64(bins)) + 12; chi2 > limit {
			t.Errorf("%s: χ² is %.1f over %d paths", name, chi2, bins)
		}
		var streamed []ddps.Path
		s.Threads, s.Batch = 3, 7
		if err := s.Stream(context.Background(), n, 5, func(p ddps.Path) error {
			streamed = append(streamed,
				p)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(drawn, streamed, func(p, q ddps.Path) bool { return slices.Equal(p, q) }) {
			t.Errorf("%s: other paths in a stream on three threads", name)
		}
		s.Threads, s.Batch = 0, 0
	}
	for e := range g.NumEdges() { // no class ever comes to the vertex
		if g.Head(e) != paths[0][2] {
			continue
		}
		for k, under := range m.Product.Edge {
			if under == e {
				clear(m.P[3*k : 3*k+3])
			}
		}
	}
	s.Condition = last
	if _, err := s.Sample(context.Background(), 1, 0); err == nil || !strings.Contains(err.Error(), "impossible") {
		t.Errorf("an impossible condition: %v", err)
	}
}

// Weights of any size, also relative to the best path of the graph where the model has probability 0 there, and ties
// among paths that are all far below it, keep the odds of the paths: directly and by reverse steps, on lanes and one
// by one.
func TestFarWeights(t *testing.T) {
	g, err := ddps.New([]int{1, 2, 1, 2}, [][]int{{1, 2}, {3}, {3}, {4, 5}, {}, {}})
	if err != nil {
		t.Fatal(err)
	}
	m := &mixture.Mixture{Product: chain.Identity(g), Weight: []float64{.5, .5}, P: make([]float64, 2*g.NumEdges())}
	for e, class := range map[int][]float64{0: {1, 0}, 1: {0, 1}, 2: {1, 1}, 3: {1, 1}, 4: {1, 0}, 5: {0, 1}} {
		copy(m.P[2*e:], class)
	}
	for _, far := range []float64{100, 743.5, 800, 1e6} {
		u := []float64{-far, 0, 0, 0, 0, -far} // the best path, by the edges 1 and 4, is of no class
		best, err := guide.Boltzmann(g, u, 1)
		if err != nil {
			t.Fatal(err)
		}
		s := &d3pm.Sampler{Graph: g, Denoiser: mixture.NewDenoiser(m, d3pm.Cosine(32).Abar), Schedule: d3pm.Cosine(32),
			Condition: best}
		for _, steps := range []int{0, 1, 4} {
			for _, engine := range []d3pm.Engine{fast.Engine{}, nil} {
				s.Steps, s.Engine = steps, engine
				paths, err := s.Sample(context.Background(), 1000, 3)
				if err != nil {
					t.Fatal(err)
				}
				count := [2]int{}
				for _, p := range paths {
					switch {
					case p[1] == 1 && p[3] == 4:
						count[0]++
					case p[1] == 2 && p[3] == 5:
						count[1]++
					default:
						t.Fatalf("far %v, %d steps: %v has probability 0", far, steps, p)
					}
				}
				if math.Abs(float64(count[0])-500) > 80 { // five deviations
					t.Errorf("far %v, %d steps: %v, want halves", far, steps, count)
				}
			}
		}
	}
}

// A guide that gives NaN is an error that names the edge, on lanes and one by one.
func TestGuideNaN(t *testing.T) {
	g := ddps.Example()
	for _, engine := range []d3pm.Engine{fast.Engine{}, nil} {
		s := &d3pm.Sampler{Graph: g, Denoiser: chain.NewDenoiser(chain.Uniform(g), d3pm.Cosine(8).Abar),
			Schedule: d3pm.Cosine(8), Scale: 1, Engine: engine}
		s.Guide = guide.Gradient(func(_, grad []float64) {
			clear(grad)
			grad[1] = math.NaN()
		})
		if _, err := s.Sample(context.Background(), 20, 0); err == nil || !strings.Contains(err.Error(),
			"NaN for edge A → C") {
			t.Errorf("engine %v: %v", engine, err)
		}
	}
}
