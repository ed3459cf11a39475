package compare_test

import (
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/run/toytest"
)

// The front goes from the distribution itself to the distribution given the greatest reward, is convex, and is the
// least: another distribution of the same mean reward is farther. Boltzmann is on it.
func TestFront(t *testing.T) {
	m, u, dist := toytest.Exact(t)
	betas := []float64{0, .5, 1, 2, 4, math.Inf(1)}
	f, err := compare.NewFront(dist, u, betas, 2000, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	best := m.Graph.Best(u)
	given, err := dist.Given(compare.AtMax(m.Graph, u, best))
	if err != nil {
		t.Fatal(err)
	}
	mass := 0.0
	for i, p := range given.P {
		if p > 0 {
			mass += dist.P[i]
		}
	}
	if math.Abs(f.KL[0]) > 1e-12 || math.Abs(f.Reward[5]-best) > 1e-9 || math.Abs(f.KL[5]+math.Log(mass)) > 1e-9 {
		t.Errorf("front from %v to reward %v, KL %v, want %v", f.KL[0], f.Reward[5], f.KL[5], -math.Log(mass))
	}
	for i, beta := range betas {
		if !(f.Drawn[i] > f.KL[i]) {
			t.Errorf("β %v: KL of draws %v, of the distribution %v", beta, f.Drawn[i], f.KL[i])
		}
		if math.IsInf(beta, 1) || beta == 0 {
			continue
		}
		c, err := guide.Boltzmann(m.Graph, u, beta)
		if err != nil {
			t.Fatal(err)
		}
		q, logz, err := guide.Given(m.Graph, chain.Uniform(m.Graph).P, c)
		if err != nil {
			t.Fatal(err)
		}
		kl, err := chain.KL(q, chain.Uniform(m.Graph).Distribution())
		if err != nil || math.Abs(kl-f.KL[i]) > 1e-9 || math.Abs(beta*f.Reward[i]-logz-f.KL[i]) > 1e-9 {
			t.Errorf("β %v: KL %v, of the tilted chain %v, β·E[R] − log Z %v (%v)", beta, f.KL[i], kl, beta*f.Reward[i]-logz,
				err)
		}
		// a mixture of the two ends with the same mean has a larger divergence
		s := (f.Reward[i] - f.Reward[0]) / (best - f.Reward[0])
		d := 0.0
		for k, p := range dist.P {
			mixed := (1-s)*p + s*given.P[k]
			d += mixed * math.Log(mixed/p)
		}
		if d <= f.KL[i] {
			t.Errorf("β %v: a mixture has KL %v, the front %v", beta, d, f.KL[i])
		}
	}
	if _, err := compare.NewFront(dist, u, []float64{-1}, 1, 1, 0); err == nil {
		t.Error("β < 0: no error")
	}
	if _, err := compare.NewFront(dist, u, betas, 0, 1, 0); err == nil {
		t.Error("no draws: no error")
	}
}

// A listed distribution is the data's, and its exact denoiser that of the data by enumeration.
func TestListedDistribution(t *testing.T) {
	m, _, _ := toytest.Exact(t)
	d, err := compare.Zipf(m.Graph, 50, 3)
	if err != nil {
		t.Fatal(err)
	}
	if d.Counts[0] != 1000 || d.Counts[1] != 500 || d.Counts[49] != 20 {
		t.Errorf("counts %v", d.Counts)
	}
	dist, err := compare.ListedDistribution(d)
	if err != nil {
		t.Fatal(err)
	}
	w, n := d.Weights(), 0
	for i, p := range d.Paths {
		if lp, err := dist.LogProb(p); err != nil || math.Abs(math.Exp(lp)-w[i]) > 1e-12 {
			t.Errorf("path %d: %v, want %v (%v)", i+1, math.Exp(lp), w[i], err)
		}
	}
	for p := range m.Graph.Paths() {
		if lp, _ := dist.LogProb(p); !math.IsInf(lp, -1) {
			n++
		}
	}
	if n != 50 {
		t.Errorf("%d paths, want 50", n)
	}
	checkEnumerated(t, m, d.Paths, w, dist)
}

// checkEnumerated compares the exact denoiser of distribution with a sum over the weighted paths.
func checkEnumerated(t *testing.T, m *model.Model, paths []ddps.Path, w []float64, dist *chain.Distribution) {
	t.Helper()
	g, x, T := m.Graph, make(ddps.PALM, m.Graph.NumVertices()), 100
	g.Uniform(x, ddps.Rand(7, 0))
	pi, sum, visit := make([]float64, g.NumEdges()), make([]float64, g.NumEdges()), make([]float64, g.NumVertices())
	chain.NewDistributionDenoiser(dist, m.Schedule.Abar).Posterior(pi, []ddps.PALM{x}, T)
	for i, p := range paths {
		edges, err := g.PathEdges(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		like, a := w[i], m.Schedule.Abar[T]
		for _, e := range edges {
			v := g.Tail(e)
			lo, _ := g.Edges(v)
			q := 1 - a
			if int(x[v]) == e-lo {
				q += a * float64(g.Degree(v))
			}
			like *= q
		}
		for _, e := range edges {
			sum[e] += like
			visit[g.Tail(e)] += like
		}
	}
	for e := range pi {
		if v := g.Tail(e); visit[v] > 0 && math.Abs(pi[e]-sum[e]/visit[v]) > 1e-9 {
			t.Errorf("edge %d: %v, by enumeration %v", e, pi[e], sum[e]/visit[v])
		}
	}
}

// The distribution that made a map's data, of the paths kept.
func TestMadeBy(t *testing.T) {
	data, err := run.MakeData("heights", run.PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	through := data.Prune().Paths[0][4]
	dist, err := compare.MadeBy(data, func(p ddps.Path) bool { return p[4] == through })
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, p := range dist.Paths {
		if sum += dist.P[i]; p[4] != through {
			t.Fatalf("path %v was not to be kept", p)
		}
	}
	if math.Abs(sum-1) > 1e-9 || dist.Districts() == nil {
		t.Errorf("mass %v, districts %v", sum, dist.Districts())
	}
	if _, err := compare.MadeBy(data, func(ddps.Path) bool { return false }); err == nil {
		t.Error("no path kept: no error")
	}
}
