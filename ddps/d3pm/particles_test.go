package d3pm_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/internal/fast"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// withMemory returns the exact denoiser of a distribution on the example graph that is no chain: the first move decides
// about the last.
func withMemory(g *ddps.LayeredGraph, sched *d3pm.Schedule) *tree {
	dist := oracle.NewDistribution(g)
	p, sum := make([]float64, len(dist.Paths)), 0.0
	rng := ddps.Rand(8, 0)
	for i, q := range dist.Paths {
		p[i] = 0.1 + rng.Float64()
		if q[1]%2 == q[3]%2 {
			p[i] *= 8
		}
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return newTree(dist, p, sched.Abar)
}

// Particles of every kernel, with and without a memory in the condition, guided or not, against the exact
// distribution of the unguided sampler so conditioned: the estimate of the target's probability, and the paths'
// distribution at many particles.
func TestParticlesExact(t *testing.T) {
	g := ddps.Example()
	sched := d3pm.Cosine(6)
	u := make([]float64, g.NumEdges())
	u[0], u[3], u[5], u[9] = 1, 1, 1, 1
	ascend, _ := guide.NewGradient(g, u)
	best, _ := guide.MaxReward(g, u)
	warm, _ := guide.Boltzmann(g, u, 0.7)
	exactly, err := guide.Exactly(g, u, 2)
	if err != nil {
		t.Fatal(err)
	}
	dist, d := oracle.NewDistribution(g), withMemory(g, sched)
	for name, kernel := range map[string]d3pm.Kernel{"Austin": d3pm.Austin(), "Eq2": d3pm.Eq2(),
		"Occupancy": d3pm.Occupancy(), "Joint": d3pm.Joint()} {
		model := exactSampler(name, &d3pm.Sampler{Graph: g, Denoiser: d, Schedule: sched, Kernel: kernel, Steps: 3})
		for how, p := range map[string]*d3pm.Particles{
			"MaxReward": {Sampler: &d3pm.Sampler{Condition: best}}, "Boltzmann": {Sampler: &d3pm.Sampler{Condition: warm}},
			"Exactly":           {Sampler: &d3pm.Sampler{Condition: exactly}},
			"Exactly, guided":   {Sampler: &d3pm.Sampler{Condition: exactly, Guide: ascend, Scale: 2}},
			"MaxReward, guided": {Sampler: &d3pm.Sampler{Condition: best, Guide: ascend, Scale: -1}},
			"guided alone":      {Sampler: &d3pm.Sampler{Guide: ascend, Scale: 2}, Target: exactly},
			"as it is":          {Sampler: &d3pm.Sampler{}, Target: warm},
		} {
			s, target := p.Sampler, p.Target
			if target == nil {
				target = s.Condition
			}
			s.Graph, s.Denoiser, s.Schedule, s.Kernel, s.Steps = g, d, sched, kernel, 3
			want, z := make([]float64, len(model)), 0.0
			for i, q := range dist.Paths {
				want[i] = model[i] * math.Exp(target.(guide.Condition).LogWeight(q))
				z += want[i]
			}
			for i := range want {
				want[i] /= z
			}
			p.K = 32
			const n = 1024
			paths, rep, err := p.Sample(context.Background(), n, 3)
			if err != nil {
				t.Fatal(err)
			}
			if d := math.Exp(rep.LogZ)/z - 1; math.Abs(d) > 4*rep.StdErr+1e-9 {
				t.Errorf("%s, %s: probability %.5f, want %.5f, standard error %.5f", name, how, math.Exp(rep.LogZ), z, rep.StdErr*z)
			}
			if err := fits(want, dist.Shares(paths), n); err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
			}
			if rep.Groups != n || rep.Lost != 0 || len(rep.ESS) != 4 || len(rep.Resampled) != 3 {
				t.Errorf("%s, %s: report %+v", name, how, rep)
			}
		}
	}
}

// Where π's chain is the model's posterior, the tilt alone is exact, and all weights are equal.
func TestParticlesOfChain(t *testing.T) {
	g := ddps.Example()
	sched := d3pm.Cosine(64)
	c, err := guide.MustVisit(g, 4, 8)
	if err != nil {
		t.Fatal(err)
	}
	s := &d3pm.Sampler{Graph: g, Denoiser: chain.NewDenoiser(chain.Uniform(g), sched.Abar), Schedule: sched, Steps: 8,
		Condition: c}
	_, rep, err := (&d3pm.Particles{Sampler: s, K: 4}).Sample(context.Background(), 50, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := math.Exp(c.Tilt(chain.Uniform(g).P, make([]float64, g.NumEdges())))
	if d := math.Exp(rep.LogZ) - want; math.Abs(d) > 0.02*want || slices.Max(rep.Resampled) > 0 ||
		rep.ESS[len(rep.ESS)-1] < 3.95 {
		t.Errorf("probability %v, want %v; %+v", math.Exp(rep.LogZ), want, rep)
	}
}

// zipfDistribution returns the weighted paths of data with memory on Toy: 300 of its paths, the k-th with weight 1/k.
func zipfDistribution(g *ddps.LayeredGraph) (dist *oracle.Distribution, p []float64) {
	dist = oracle.NewDistribution(g)
	p = make([]float64, len(dist.Paths))
	sum := 0.0
	for k, i := range ddps.Rand(4, 0).Perm(len(p))[:300] {
		p[i] = 1 / float64(k+1)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return dist, p
}

// tree is the exact denoiser of weighted paths, which share their beginnings.
type tree struct {
	g            *ddps.LayeredGraph
	abar         []float64
	parent, edge []int     // [node], parents first; node 0 is v¹
	p            []float64 // [node] of the path that ends there
}

func newTree(dist *oracle.Distribution, p, abar []float64) *tree {
	t := &tree{g: dist.Graph, abar: abar, parent: []int{0}, edge: []int{-1}, p: []float64{0}}
	at := map[[2]int]int{}
	for i, edges := range dist.Edges {
		n := 0
		for _, e := range edges {
			if p[i] == 0 {
				break
			}
			m, seen := at[[2]int{n, e}]
			if !seen {
				m = len(t.p)
				at[[2]int{n, e}] = m
				t.parent, t.edge, t.p = append(t.parent, n), append(t.edge, e), append(t.p, 0)
			}
			n = m
		}
		t.p[n] = p[i]
	}
	return t
}

// Posterior is that of oracle.Denoiser.
func (t *tree) Posterior(pi []float64, xt []ddps.PALM, tm int) error {
	E, f, b := t.g.NumEdges(), make([]float64, len(t.p)), make([]float64, len(t.p))
	like := make([]float64, E)
	for i, x := range xt {
		mass := pi[i*E : (i+1)*E]
		clear(mass)
		for v, c := range x {
			lo, hi := t.g.Edges(v)
			for e := lo; e < hi; e++ {
				like[e] = d3pm.Likelihood(t.abar[tm], int(c) == e-lo, hi-lo) * float64(hi-lo)
			}
		}
		f[0] = 1
		for n := 1; n < len(f); n++ {
			f[n] = f[t.parent[n]] * like[t.edge[n]]
			b[n] = f[n] * t.p[n]
		}
		for n := len(f) - 1; n > 0; n-- {
			b[t.parent[n]] += b[n]
			mass[t.edge[n]] += b[n]
		}
		for v := range t.g.NumVertices() {
			lo, hi := t.g.Edges(v)
			sum := 0.0
			for _, m := range mass[lo:hi] {
				sum += m
			}
			for e := lo; e < hi; e++ {
				if mass[e] /= sum; sum == 0 {
					mass[e] = 1 / float64(hi-lo)
				}
			}
		}
	}
	return nil
}

// The tree against the enumeration.
func TestTree(t *testing.T) {
	_, _, g := oracle.Load()
	dist, p := zipfDistribution(g)
	abar := d3pm.Cosine(d3pm.DefaultT).Abar
	x, a, b := make(ddps.PALM, g.NumVertices()), make([]float64, g.NumEdges()), make([]float64, g.NumEdges())
	g.Uniform(x, ddps.Rand(2, 0))
	if err := (&oracle.Denoiser{Dist: dist, P: p, Abar: abar}).Posterior(a, []ddps.PALM{x}, 90); err != nil {
		t.Fatal(err)
	}
	if err := newTree(dist, p, abar).Posterior(b, []ddps.PALM{x}, 90); err != nil {
		t.Fatal(err)
	}
	d3pm.All(t, "posterior", b, a, 1e-9)
}

// Data with memory, exact denoiser, the greatest reward of 1, 2, 4 and 7: the KL to the exact target, with the tilt
// alone and with particles.
func TestParticlesMemory(t *testing.T) {
	o, _, g := oracle.Load()
	dist, p := zipfDistribution(g)
	const n = 4096
	for _, rmax := range []float64{1, 2, 4, 7} {
		u := zipfReward(dist, p, rmax, o.U, o.RMax)
		c, err := guide.MaxReward(g, u)
		if err != nil {
			t.Fatal(err)
		}
		target := dist.Given(p, func(i int) bool { return g.Total(u, dist.Paths[i]) == rmax })
		kl := func(q []float64) float64 { return oracle.KL(target, q, n) }
		_, floor := oracle.Quantile(target, n, 100, 0.999, kl)
		sched := d3pm.Cosine(d3pm.DefaultT)
		s := &d3pm.Sampler{Graph: g, Denoiser: newTree(dist, p, sched.Abar), Schedule: sched, Steps: 64, Condition: c}
		alone := oracle.KL(target, dist.Shares(draw(t, s, n/4, 1)), n/4)
		for _, K := range []int{8, 32} {
			paths, rep, err := (&d3pm.Particles{Sampler: s, K: K, Keep: K, Pool: true}).Sample(context.Background(), n, 1)
			if err != nil {
				t.Fatal(err)
			}
			got := kl(dist.Shares(paths))
			t.Logf("maximum %v: KL %.4f with %d particles, %.4f without, floor %.4f; probability %.4f ± %.4f, ESS %.1f", rmax,
				got, K, alone, floor,
				math.Exp(rep.LogZ), rep.StdErr*math.Exp(rep.LogZ), rep.ESS[len(rep.ESS)-1])
			if got > 0.02 || got > alone+0.01 {
				t.Errorf("maximum %v, %d particles: KL %.4f, want at most 0.02; without %.4f", rmax, K, got, alone)
			}
		}
	}
}

// zipfReward returns a reward whose maximum some path of the data has, with several such paths where there can be.
func zipfReward(dist *oracle.Distribution, p []float64, rmax float64, u4 []float64, is4 float64) []float64 {
	for i := uint64(0); ; i++ {
		u := u4
		if rmax != is4 || i > 0 {
			rng := ddps.Rand(uint64(rmax), i)
			u = make([]float64, dist.Graph.NumEdges())
			for range 1 + rng.IntN(30) {
				u[rng.IntN(len(u))] = 1
			}
		}
		if dist.Graph.Best(u) != rmax {
			continue
		}
		n := 0
		for k, q := range dist.Paths {
			if p[k] > 0 && dist.Graph.Total(u, q) == rmax {
				n++
			}
		}
		if n > 1 {
			return u
		}
	}
}

// The same seed gives the same bytes for any batch size and number of threads.
func TestParticlesReproducible(t *testing.T) {
	_, _, g := oracle.Load()
	dist, p := zipfDistribution(g)
	c, err := guide.Through(g, guide.Stop{Vertices: []int{dist.Paths[0][3], dist.Paths[500][5]}})
	if err != nil {
		t.Fatal(err)
	}
	sched := d3pm.Cosine(d3pm.DefaultT)
	s := &d3pm.Sampler{Graph: g, Denoiser: newTree(dist, p, sched.Abar), Schedule: sched, Steps: 4, Condition: c}
	q := &d3pm.Particles{Sampler: s, K: 5, Keep: 2, Pool: true}
	sample := func() string {
		done := 0
		s.Progress = func(d, total int) {
			if done = d; total != 16*5*4 {
				t.Errorf("%d of %d", d, total)
			}
		}
		paths, rep, err := q.Sample(context.Background(), 31, 7)
		if err != nil || done != 16*5*4 || len(paths) != 31 {
			t.Fatalf("%v, %d done, %d paths", err, done, len(paths))
		}
		return fmt.Sprintf("%v %+v", paths, *rep)
	}
	want := sample()
	for _, k := range [][2]int{{1, 1}, {10, 3}, {1000, 2}} {
		if s.Batch, s.Threads = k[0], k[1]; sample() != want {
			t.Errorf("batch %d, threads %d: other samples", k[0], k[1])
		}
	}
}

func TestParticlesErrors(t *testing.T) {
	_, _, g := oracle.Load()
	c, _ := guide.MustVisit(g, 5)
	ok := func() *d3pm.Sampler { s := toySampler(g); s.Steps, s.Condition = 2, c; return s }
	free := ok()
	free.Condition = nil
	for name, p := range map[string]*d3pm.Particles{"no sampler": {K: 1}, "K": {Sampler: ok()}, "keep": {Sampler: ok(),
		K: 2, Keep: 3}, "negative keep": {Sampler: ok(), K: 2, Keep: -1},
		"threshold": {Sampler: ok(), K: 2, Threshold: 1.1}, "NaN threshold": {Sampler: ok(), K: 2, Threshold: math.NaN()},
		"no target": {Sampler: free, K: 2}} {
		if _, _, err := p.Sample(context.Background(), 3, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := (&d3pm.Particles{Sampler: ok(), K: 2}).Sample(ctx, 3, 1); err == nil {
		t.Error("a cancelled context must stop sampling")
	}
	// A denoiser that forbids the condition loses its groups, but the paths meet it.
	s := ok()
	s.Denoiser = forbid(5)
	paths, rep, err := (&d3pm.Particles{Sampler: s, K: 3}).Sample(context.Background(), 10, 1)
	if err != nil || rep.Lost != 10 || !math.IsInf(rep.LogZ, -1) || !math.IsNaN(rep.StdErr) {
		t.Errorf("%v, report %+v", err, rep)
	}
	for _, p := range paths {
		if !slices.Contains(p, 5) {
			t.Error("a path does not meet the condition")
		}
	}
}

// forbid is a denoiser that never visits a vertex.
type forbid int

func (f forbid) Posterior(pi []float64, xt []ddps.PALM, _ int) error {
	_, _, g := oracle.Load()
	E := g.NumEdges()
	for i := range xt {
		row := pi[i*E : (i+1)*E]
		for e := range row {
			if row[e] = 0; g.Head(e) == int(f) {
				row[e] = math.Inf(-1)
			}
		}
		chain.Softmax(g, row, row)
	}
	return nil
}

func BenchmarkParticles(b *testing.B) {
	_, _, g := oracle.Load()
	dist, _ := zipfDistribution(g)
	c, err := guide.MustVisit(g, dist.Paths[0][3])
	if err != nil {
		b.Fatal(err)
	}
	s := toySampler(g)
	s.Steps, s.Condition = 16, c
	for _, K := range []int{1, 8, 32} {
		b.Run(fmt.Sprint(K), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, _, err := (&d3pm.Particles{Sampler: s, K: K}).Sample(context.Background(), 256, uint64(i)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*256*K*16), "ns/particle-step")
		})
	}
}

// Particles on the lanes give the paths and the report of the scalar code: every kernel, guided or not, chains,
// mixtures and networks, conditions with and without a memory, and targets other than the condition.
func TestParticlesLanes(t *testing.T) {
	models := laneModels(t)
	for _, name := range []string{"chain", "map", "bare mlp", "mixture", "first-order mixture", "mlp on a mixture"} {
		m := models[name]
		paths, err := m.Sampler().Sample(context.Background(), 2, 5)
		if err != nil {
			t.Fatal(err)
		}
		u := slices.Repeat([]float64{0, 1, 2}, m.Graph.NumEdges())[:m.Graph.NumEdges()]
		signal, _ := guide.NewGradient(m.Graph, u)
		signals, err := guide.RewardGradient(m.Graph, u)
		if err != nil {
			t.Fatal(err)
		}
		for title, p := range particleCases(laneConditions(t, m.Graph, paths[0], paths[1])) {
			for kernel, k := range map[string]d3pm.Kernel{"Joint": {}, "Austin": d3pm.Austin(), "Eq2": d3pm.Eq2(),
				"Occupancy": d3pm.Occupancy(), "Algorithm2": d3pm.Algorithm2()} {
				if k.Fill != nil && p.K%2 == 1 { // fewer cases
					continue
				}
				s := m.Sampler()
				s.Kernel, s.Condition, s.Steps = k, p.Sampler.Condition, 4
				own := *p
				own.Sampler = s
				particleCheck(t, name+", "+title+", "+kernel, &own, 0, 9)
				if s.Guide, s.Scale = signal, 2; p.K%3 == 2 {
					s.Guide, s.Scale = signals, -1
				}
				particleCheck(t, name+", "+title+", "+kernel+", guided", &own, 0)
			}
		}
	}
}

// particleCases are particles without a model, given conditions of laneConditions.
func particleCases(c map[string]d3pm.Condition) map[string]*d3pm.Particles {
	cases := map[string]*d3pm.Particles{
		"one":    {Sampler: &d3pm.Sampler{Condition: c["end"]}, K: 1},
		"target": {Sampler: &d3pm.Sampler{}, Target: c["through"], K: 8},
		"both":   {Sampler: &d3pm.Sampler{Condition: c["end"]}, Target: c["states"], K: 8, Pool: true},
		"tight":  {Sampler: &d3pm.Sampler{Condition: c["states"]}, Target: c["end"], K: 6, Pool: true},
	}
	for title, K := range map[string]int{"end": 5, "faint": 9, "through": 8, "weights": 3, "far weights": 2, "states": 16,
		"far states": 2, "custom": 4, "custom end": 7, "another": 3} {
		cases[title] = &d3pm.Particles{Sampler: &d3pm.Sampler{Condition: c[title]}, K: K}
	}
	for _, p := range cases {
		p.Keep, p.Threshold = min(2, p.K), 0.9
	}
	return cases
}

// particleCheck compares the lanes, in batches of those sizes, with the scalar particleWorker.
func particleCheck(t *testing.T, name string, p *d3pm.Particles, batches ...int) {
	t.Helper()
	draw := func(single bool, batch int) string {
		p.Sampler.Batch, p.Sampler.Threads = batch, 1+batch%2
		if p.Sampler.Engine = (fast.Engine{}); single {
			p.Sampler.Engine = nil
		}
		paths, report, err := p.Sample(context.Background(), 9, 3)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%v of %v", *report, paths)
	}
	want := draw(true, 0)
	for _, batch := range batches {
		if got := draw(false, batch); got != want {
			t.Errorf("%s, batches of %d: %.200s, by the scalar particleWorker %.200s", name, batch, got, want)
		}
	}
}

// Particles that would keep more numbers than there is scratch for go one by one, and fewer groups together where all
// would.
func TestParticlesRoom(t *testing.T) {
	g := ddps.Example()
	sched := d3pm.Cosine(8)
	s := &d3pm.Sampler{Graph: g, Denoiser: chain.NewDenoiser(chain.Uniform(g), sched.Abar), Schedule: sched, Steps: 2,
		Batch: 1 << 20, Engine: fast.Engine{}}
	end, err := guide.EndIn(g, g.NumVertices()-1)
	if err != nil {
		t.Fatal(err)
	}
	s.Condition = end
	for K, lanes := range map[int]bool{8: true, fast.MaxSwarm / (2 * g.NumEdges()): true, fast.MaxSwarm: false} {
		r, err := d3pm.Prepare(&d3pm.Particles{Sampler: s, K: K}, 4, 1)
		if err != nil {
			t.Fatal(err)
		}
		ok := fast.Engine{}.TakeParticles(r) != nil
		if ok != (lanes && vec.Vectors()) || ok && r.Size*K*2*g.NumEdges() > fast.MaxSwarm {
			t.Errorf("K = %d: on lanes %v, %d groups together", K, ok, r.Size)
		}
	}
}

// What the particles say does not depend on when they are resampled: never, seldom, often or at every step, the
// probability and the samples are those of the enumeration.
func TestParticlesThreshold(t *testing.T) {
	g, sched := ddps.Example(), d3pm.Cosine(6)
	u := make([]float64, g.NumEdges())
	u[0], u[3], u[5], u[9] = 1, 1, 1, 1
	warm, _ := guide.Boltzmann(g, u, 1.5)
	dist, d := oracle.NewDistribution(g), withMemory(g, sched)
	s := &d3pm.Sampler{Graph: g, Denoiser: d, Schedule: sched, Kernel: d3pm.Austin(), Steps: 3}
	want, z := exactSampler("threshold", s), 0.0
	for i, q := range dist.Paths {
		want[i] *= math.Exp(warm.LogWeight(q))
		z += want[i]
	}
	for i := range want {
		want[i] /= z
	}
	s.Condition = warm
	resampled := map[float64]int{}
	for _, threshold := range []float64{-1, 0.2, 0.9, 1} {
		const n = 2048
		p := &d3pm.Particles{Sampler: s, K: 16, Threshold: threshold}
		paths, rep, err := p.Sample(context.Background(), n, 5)
		if err != nil {
			t.Fatal(err)
		}
		if d := math.Exp(rep.LogZ)/z - 1; math.Abs(d) > 4*rep.StdErr+1e-9 {
			t.Errorf("threshold %v: probability %.5f, want %.5f, standard error %.5f", threshold, math.Exp(rep.LogZ), z,
				rep.StdErr*z)
		}
		if err := fits(want, dist.Shares(paths), n); err != nil {
			t.Errorf("threshold %v: %v", threshold, err)
		}
		for _, k := range rep.Resampled {
			resampled[threshold] += k
		}
	}
	if resampled[-1] != 0 || resampled[1] <= resampled[0.2] {
		t.Errorf("resampled %v", resampled)
	}
}
