package d3pm_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
	"github.com/ddps-go/ddps/ddps/model"
)

// toySampler samples the independent program's Toy graph with the exact denoiser of the uniform distribution.
func toySampler(g *ddps.LayeredGraph) *d3pm.Sampler {
	sched := d3pm.Cosine(d3pm.DefaultT)
	return &d3pm.Sampler{Graph: g, Denoiser: chain.NewDenoiser(chain.Uniform(g), sched.Abar), Schedule: sched,
		Steps: d3pm.DefaultT}
}

func draw(t testing.TB, s *d3pm.Sampler, n int, seed uint64) []ddps.Path {
	t.Helper()
	paths, err := s.Sample(context.Background(), n, seed)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// Unguided samples of every kernel against the data, 65,536 of them at the full 256 steps.
func TestToyKernels(t *testing.T) {
	_, _, g := oracle.Load()
	dist := oracle.NewDistribution(g)
	const n = 65536
	l1 := func(q []float64) float64 { return oracle.L1(dist.Uniform(), q) }
	quantile, floor := oracle.Quantile(dist.Uniform(), n, 1000, 0.999, l1)
	t.Logf("floor %.4f, 99.9%% quantile %.4f", floor, quantile)
	for _, c := range []struct {
		name   string
		kernel d3pm.Kernel
		steps  int
		lo, hi float64
	}{
		{"Joint", d3pm.Joint(), 256, 0, quantile}, {"Joint", d3pm.Joint(), 16, 0, quantile}, {"Joint", d3pm.Joint(), 8, 0,
			quantile}, {"Joint", d3pm.Joint(), 2, 0, quantile},
		{"Occupancy", d3pm.Occupancy(), 256, 0, 1.15 * floor}, {"Austin", d3pm.Austin(), 256, 0.39, 0.43},
		{"Eq2", d3pm.Eq2(), 256, 0.29, 0.33},
	} {
		s := toySampler(g)
		s.Kernel, s.Steps = c.kernel, c.steps
		got := l1(dist.Shares(draw(t, s, n, 1)))
		t.Logf("%s, %d steps: L1 %.4f", c.name, c.steps, got)
		if got < c.lo || got > c.hi {
			t.Errorf("%s, %d steps: L1 = %.4f, want %.4f…%.4f", c.name, c.steps, got, c.lo, c.hi)
		}
	}
}

// toyReward returns a 0/1 reward of the given maximum: the vectors' own for 4, else edges chosen at random.
func toyReward(g *ddps.LayeredGraph, rmax float64) []float64 {
	for i := uint64(0); ; i++ {
		rng := ddps.Rand(uint64(rmax), i)
		u := make([]float64, g.NumEdges())
		for range 1 + rng.IntN(30) {
			u[rng.IntN(len(u))] = 1
		}
		if g.Best(u) == rmax {
			return u
		}
	}
}

// MaxReward at every maximum: all samples at the maximum, and their distribution as near to the data so conditioned
// as exact draws of it are.
func TestToyMaxReward(t *testing.T) {
	o, _, g := oracle.Load()
	dist := oracle.NewDistribution(g)
	const n = 4096
	for _, rmax := range []float64{1, 2, 4, 7} {
		u := o.U
		if rmax != o.RMax {
			u = toyReward(g, rmax)
		}
		c, err := guide.MaxReward(g, u)
		if err != nil {
			t.Fatal(err)
		}
		target := dist.Given(dist.Uniform(), func(i int) bool { return g.Total(u, dist.Paths[i]) == rmax })
		kl := func(q []float64) float64 { return oracle.KL(target, q, n) }
		quantile, floor := oracle.Quantile(target, n, 1000, 0.999, kl)
		for name, s := range map[string]*d3pm.Sampler{"Joint, 16": {Steps: 16}, "Occupancy, 256": {Steps: 256,
			Kernel: d3pm.Occupancy()}} {
			base := toySampler(g)
			base.Kernel, base.Steps, base.Condition = s.Kernel, s.Steps, c
			paths := draw(t, base, n, 2)
			for _, p := range paths {
				if g.Total(u, p) != rmax {
					t.Fatalf("maximum %v, %s: a sample has reward %v", rmax, name, g.Total(u, p))
				}
			}
			got := kl(dist.Shares(paths))
			t.Logf("maximum %v, %s: KL %.4f, floor %.4f, 99.9%% quantile %.4f", rmax, name, got, floor, quantile)
			if got > quantile {
				t.Errorf("maximum %v, %s: KL = %.4f above the 99.9%% quantile %.4f", rmax, name, got, quantile)
			}
		}
	}
}

// The sweet spot: KL to the exact target is least at λ of 10…30 for Eq. 7 over the paper's kernel, and of
// 100…300 for Algorithm 2 (256 steps, 2,048 samples).
func TestToySweetSpot(t *testing.T) {
	o, _, g := oracle.Load()
	dist := oracle.NewDistribution(g)
	target := dist.Given(dist.Uniform(), func(i int) bool { return g.Total(o.U, dist.Paths[i]) == o.RMax })
	ascend, err := guide.NewGradient(g, o.U)
	if err != nil {
		t.Fatal(err)
	}
	const n = 2048
	for _, c := range []struct {
		name   string
		kernel d3pm.Kernel
		lo, hi float64
	}{{"Eq7", d3pm.Austin(), 10, 30}, {"Algorithm2", d3pm.Algorithm2(), 100, 300}} {
		least, at, mean := math.Inf(1), 0.0, 0.0
		for _, lambda := range []float64{0, 3, 10, 30, 100, 300, 1000, 1e5} {
			s := toySampler(g)
			s.Kernel, s.Guide, s.Scale = c.kernel, ascend, lambda
			paths := draw(t, s, n, 3)
			mean = 0
			for _, p := range paths {
				mean += g.Total(o.U, p) / n
			}
			kl := oracle.KL(target, dist.Shares(paths), n)
			t.Logf("%s, λ = %v: mean reward %.3f, KL %.3f", c.name, lambda, mean, kl)
			if kl < least {
				least, at = kl, lambda
			}
		}
		if at < c.lo || at > c.hi {
			t.Errorf("%s: KL is least at λ = %v, want %v…%v", c.name, at, c.lo, c.hi)
		}
		if mean < o.RMax-0.01 {
			t.Errorf("%s: mean reward %v at the greatest λ, want %v", c.name, mean, o.RMax)
		}
	}
}

// The bound with a chain's exact denoiser is the chain's −log p, whatever the noise and the number of steps.
func TestBoundOfChain(t *testing.T) {
	_, _, g := oracle.Load()
	rng := ddps.Rand(4, 0)
	z := make([]float64, g.NumEdges())
	for e := range z {
		z[e] = rng.NormFloat64()
	}
	chain.Softmax(g, z, z)
	for name, c := range map[string]*chain.Chain{"uniform": chain.Uniform(g), "random": {Graph: g, P: z}} {
		var paths []ddps.Path
		for i := range uint64(64) {
			paths = append(paths, c.Sample(ddps.Rand(5, i)))
		}
		sched := d3pm.Cosine(d3pm.DefaultT)
		for _, S := range []int{1, 4, 64} {
			b := &d3pm.Bound{Graph: g, Denoiser: chain.NewDenoiser(c, sched.Abar), Schedule: sched, Steps: S, Draws: 2}
			nats, err := b.Score(context.Background(), paths, 6)
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range paths {
				if lp, _ := c.LogProb(p); math.Abs(nats[i].Mean+lp) > 1e-4 {
					t.Errorf("%s, S = %d: bound %v, −log p %v", name, S, nats[i].Mean, -lp)
				}
			}
		}
	}
}

// wild is a denoiser of random weights: its logits are large and arbitrary, with forbidden edges among them.
type wild struct {
	g     *ddps.LayeredGraph
	scale float64
}

func (w wild) Posterior(pi []float64, xt []ddps.PALM, t int) error {
	n := len(pi) / len(xt)
	for i, x := range xt {
		h := uint64(t)
		for _, v := range x {
			h = h*31 + uint64(v)
		}
		rng := ddps.Rand(h, 0)
		for e := range n {
			if pi[i*n+e] = w.scale * rng.NormFloat64(); rng.IntN(5) == 0 {
				pi[i*n+e] = math.Inf(-1)
			}
		}
		chain.Softmax(w.g, pi[i*n:(i+1)*n], pi[i*n:(i+1)*n])
	}
	return nil
}

// Every sample is a path: random weights, any kernel and guide, λ of ±10⁶, 1 to 256 steps.
func TestAlwaysValid(t *testing.T) {
	o, _, g := oracle.Load()
	ascend, _ := guide.NewGradient(g, o.U)
	printed, _ := guide.NewGradientPrinted(g, o.U)
	best, _ := guide.MaxReward(g, o.U)
	for _, kernel := range []d3pm.Kernel{{}, d3pm.Austin(), d3pm.Eq2(), d3pm.Occupancy(), d3pm.Joint(),
		d3pm.Algorithm2()} {
		for _, signal := range []d3pm.Guide{nil, ascend, printed} {
			for _, lambda := range []float64{-1e6, 1e6} {
				for _, steps := range []int{1, 17, 256} {
					for _, scale := range []float64{1, 1e30} {
						s := &d3pm.Sampler{Graph: g, Denoiser: wild{g, scale}, Schedule: d3pm.Cosine(d3pm.DefaultT), Kernel: kernel,
							Steps: steps, Guide: signal, Scale: lambda}
						if signal == nil {
							s.Scale = 0
						}
						if steps == 17 {
							s.Condition = best
						}
						for _, p := range draw(t, s, 2, uint64(steps)) {
							if err := g.Check(p); err != nil {
								t.Fatal(err)
							}
							if s.Condition != nil && g.Total(o.U, p) != o.RMax {
								t.Fatalf("a sample conditioned on the maximum has reward %v", g.Total(o.U, p))
							}
						}
					}
				}
			}
		}
	}
}

// Same seed, same bytes, for any batch size and number of threads; sample i is the same however many are drawn.
func TestSamplerReproducible(t *testing.T) {
	_, _, g := oracle.Load()
	s := toySampler(g)
	s.Steps = 4
	want := draw(t, s, 300, 7)
	for _, c := range []struct{ batch, threads, n int }{{1, 1, 300}, {7, 3, 300}, {1000, 2, 300}, {64, 16, 10}} {
		s.Batch, s.Threads = c.batch, c.threads
		for i, p := range draw(t, s, c.n, 7) {
			for l := range p {
				if p[l] != want[i][l] {
					t.Fatalf("batch %d, threads %d: sample %d differs", c.batch, c.threads, i)
				}
			}
		}
	}
	s.Batch = 0
	other := draw(t, s, 300, 8)
	same := 0
	for i := range other {
		if other[i][5] == want[i][5] && other[i][9] == want[i][9] {
			same++
		}
	}
	if same == 300 {
		t.Error("another seed gives the same samples")
	}
}

// spoilt is a denoiser of uniform rows, the first of which begins with a number.
type spoilt float64

func (d spoilt) Posterior(pi []float64, _ []ddps.PALM, _ int) error {
	_, _, g := oracle.Load()
	for i := range pi {
		pi[i] = 1 / float64(g.Degree(g.Tail(i%g.NumEdges())))
	}
	pi[0] = float64(d)
	return nil
}

func TestSamplerErrors(t *testing.T) {
	_, _, g := oracle.Load()
	ok := func() *d3pm.Sampler { return toySampler(g) }
	for name, c := range map[string]struct {
		n   int
		set func(*d3pm.Sampler)
	}{
		"n": {0, func(*d3pm.Sampler) {}}, "negative n": {-1, func(*d3pm.Sampler) {}},
		"NaN λ":          {1, func(s *d3pm.Sampler) { s.Scale = math.NaN() }},
		"infinite λ":     {1, func(s *d3pm.Sampler) { s.Scale = math.Inf(1) }},
		"steps":          {1, func(s *d3pm.Sampler) { s.Steps = 257 }},
		"negative steps": {1, func(s *d3pm.Sampler) { s.Steps = -1 }},
		"no denoiser":    {1, func(s *d3pm.Sampler) { s.Denoiser = nil }},
		"NaN":            {1, func(s *d3pm.Sampler) { s.Denoiser = spoilt(math.NaN()) }},
		"infinite":       {1, func(s *d3pm.Sampler) { s.Denoiser = spoilt(math.Inf(1)) }},
		"negative":       {1, func(s *d3pm.Sampler) { s.Denoiser = spoilt(-.1) }},
		"a sum of 1.5":   {1, func(s *d3pm.Sampler) { s.Denoiser = spoilt(.5 + 1/float64(g.Degree(0))) }},
	} {
		s := ok()
		c.set(s)
		if _, err := s.Sample(context.Background(), c.n, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// A chain that knows one path alone, and a reward for another.
	paths := slices.Collect(g.Paths())
	c, err := chain.Fit(g, paths[:1], nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(c, model.Config{Network: model.NetworkNone, T: 8}, 0)
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, g.NumEdges())
	e, _ := g.PathEdges(nil, paths[len(paths)-1])
	u[e[len(e)-1]], u[e[0]] = 1, 1
	s := m.Sampler()
	s.Steps = 2
	if s.Condition, err = guide.MaxReward(g, u); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sample(context.Background(), 1, 1); err == nil || !strings.Contains(err.Error(),
		"the condition is impossible") {
		t.Errorf("impossible condition: error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ok().Sample(ctx, 10, 1); err == nil {
		t.Error("a cancelled context must stop sampling")
	}
}

func BenchmarkSampleToy(b *testing.B) {
	_, _, g := oracle.Load()
	for name, kernel := range map[string]d3pm.Kernel{"Joint": d3pm.Joint(), "Austin": d3pm.Austin()} {
		b.Run(name, func(b *testing.B) {
			s := toySampler(g)
			s.Kernel, s.Steps = kernel, 64
			for i := 0; b.Loop(); i++ {
				draw(b, s, 1024, uint64(i))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*1024*64), "ns/sample-step")
		})
	}
}
