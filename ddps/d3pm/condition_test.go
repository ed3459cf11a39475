package d3pm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
	"github.com/ddps-go/ddps/ddps/model"
)

// fits reports whether the shares q of n draws are those of p by χ² at the 99.9% level, with cells of fewer than 5
// expected draws as one, and that with the least of the others where it still has fewer; the quantile is Wilson and
// Hilferty's.
func fits(p, q []float64, n int) error {
	chi2, df, restP, restQ, least := 0.0, -1.0, 0.0, 0.0, -1
	add := func(p, q float64) {
		chi2 += float64(n) * (p - q) * (p - q) / p
		df++
	}
	for i := range p {
		switch {
		case p[i] == 0 && q[i] > 0:
			return errors.New("a draw that has probability 0")
		case p[i]*float64(n) >= 5:
			if least < 0 || p[i] < p[least] {
				least = i
			}
			add(p[i], q[i])
		default:
			restP, restQ = restP+p[i], restQ+q[i]
		}
	}
	if restP*float64(n) < 5 && least >= 0 {
		chi2 -= float64(n) * (p[least] - q[least]) * (p[least] - q[least]) / p[least]
		df--
		restP, restQ = restP+p[least], restQ+q[least]
	}
	if restP > 0 {
		add(restP, restQ)
	}
	if df < 1 {
		return nil
	}
	z := 1 - 2/(9*df) + 3.09*math.Sqrt(2/(9*df))
	if limit := df * z * z * z; chi2 > limit {
		return fmt.Errorf("χ² = %.1f with %v degrees of freedom, 99.9%% quantile %.1f", chi2, df, limit)
	}
	return nil
}

// conditions returns one of every kind, on the graph with rewards u, and with costs.
func conditions(t testing.TB, g *ddps.LayeredGraph, u, cost []float64) map[string]guide.Condition {
	t.Helper()
	out := map[string]guide.Condition{}
	add := func(name string, c guide.Condition, err error) guide.Condition {
		if err != nil {
			t.Fatal(err)
		}
		out[name] = c
		return c
	}
	x := ddps.NewIndex(g)
	p, q := x.Sample(ddps.Rand(1, 0)), x.Sample(ddps.Rand(1, 1))
	L, rmax := len(p), g.Best(u)
	edge, _ := g.EdgeBetween(q[0], q[1])
	a, b := guide.Stop{Vertices: []int{p[2], q[L-2], q[1]}}, guide.Stop{Edges: []int{edge}, Vertices: []int{p[L-2],
		p[L-1]}}
	c, err := guide.MaxReward(g, u)
	best := add("MaxReward", c, err)
	c, err = guide.AtLeast(g, u, rmax-1)
	least := add("AtLeast", c, err)
	c, err = guide.Exactly(g, u, rmax-1)
	add("Exactly", c, err)
	c, err = guide.Boltzmann(g, u, 1.5)
	warm := add("Boltzmann", c, err)
	c, err = guide.MustVisit(g, p[2])
	add("MustVisit", c, err)
	c, err = guide.Avoid(g, guide.Stop{Vertices: []int{q[L/2]}})
	avoid := add("Avoid", c, err)
	c, err = guide.Through(g, a, b)
	through := add("Through", c, err)
	c, err = guide.InOrder(g, b, guide.Stop{Vertices: []int{p[L-1], q[L-1]}})
	order := add("InOrder", c, err)
	c, err = guide.EndIn(g, p[L-1])
	end := add("EndIn", c, err)
	c, err = guide.Budget(g, cost, g.Best(cost)*0.7)
	budget := add("Budget", c, err)
	c, err = guide.All(warm, avoid, through)
	add("All", c, err)
	c, err = guide.All(least, order, budget)
	add("All with costs", c, err)
	if c, err := guide.All(best, end); err == nil {
		out["All at the maximum"] = c
	}
	return out
}

// Every condition, sampled with the exact denoiser of a chain: Joint() has the distribution of the chain so
// conditioned at any number of steps.
func TestConditionsSampled(t *testing.T) {
	o, _, toy := oracle.Load()
	const n = 8192
	for name, g := range map[string]*ddps.LayeredGraph{"example": ddps.Example(), "toy": toy} {
		rng := ddps.Rand(21, 0)
		z, u, cost := make([]float64, g.NumEdges()), make([]float64, g.NumEdges()), make([]float64, g.NumEdges())
		for e := range z {
			z[e], u[e], cost[e] = rng.NormFloat64()/2, float64(rng.IntN(2)), float64(rng.IntN(10))
		}
		if name == "toy" {
			u = o.U
		}
		chain.Softmax(g, z, z)
		sched, dist := d3pm.Cosine(d3pm.DefaultT), oracle.NewDistribution(g)
		prior := dist.Of(z)
		for kind, c := range conditions(t, g, u, cost) {
			want, sum := make([]float64, len(prior)), 0.0
			for i, p := range dist.Paths {
				want[i] = prior[i] * math.Exp(c.LogWeight(p))
				sum += want[i]
			}
			for i := range want {
				want[i] /= sum
			}
			s := &d3pm.Sampler{Graph: g, Denoiser: chain.NewDenoiser(&chain.Chain{Graph: g, P: z}, sched.Abar), Schedule: sched,
				Steps: 4, Condition: c}
			if err := fits(want, dist.Shares(draw(t, s, n, 9)), n); err != nil {
				t.Errorf("%s, %s: %v", name, kind, err)
			}
		}
	}
}

// Whatever the denoiser, the kernel and the guide, every sample meets a condition with a memory.
func TestConditionsAlwaysMet(t *testing.T) {
	o, _, g := oracle.Load()
	ascend, _ := guide.NewGradient(g, o.U)
	cost := make([]float64, g.NumEdges())
	for e := range cost {
		cost[e] = float64(e % 7)
	}
	for name, c := range conditions(t, g, o.U, cost) {
		for _, kernel := range []d3pm.Kernel{{}, d3pm.Austin(), d3pm.Eq2(), d3pm.Occupancy(), d3pm.Joint(),
			d3pm.Algorithm2()} {
			for _, lambda := range []float64{0, 30, -1e6, 1e308} {
				for _, scale := range []float64{1, 1e30} {
					s := &d3pm.Sampler{Graph: g, Denoiser: wild{g, scale}, Schedule: d3pm.Cosine(d3pm.DefaultT),
						Kernel: kernel, Steps: 5, Condition: c}
					if lambda != 0 {
						s.Guide, s.Scale = ascend, lambda
					}
					for _, p := range draw(t, s, 3, 4) {
						if g.Check(p) != nil || math.IsInf(c.LogWeight(p), -1) {
							t.Fatalf("%s, λ = %v: a sample does not meet the condition", name, lambda)
						}
					}
				}
			}
		}
	}
}

// A condition with a memory gives the same bytes for any batch size and number of threads, and one that the
// model's chain makes impossible is an error that names the part.
func TestConditionSampler(t *testing.T) {
	_, _, g := oracle.Load()
	a, _ := guide.MustVisit(g, 7)
	b, _ := guide.Through(g, guide.Stop{Vertices: []int{9, 14}})
	c, err := guide.All(a, b)
	if err != nil {
		t.Fatal(err)
	}
	s := toySampler(g)
	s.Steps, s.Condition = 3, c
	want := fmt.Sprint(draw(t, s, 200, 1))
	for _, k := range [][2]int{{1, 1}, {7, 3}, {500, 2}} {
		if s.Batch, s.Threads = k[0], k[1]; fmt.Sprint(draw(t, s, 200, 1)) != want {
			t.Errorf("batch %d, threads %d: other samples", k[0], k[1])
		}
	}
	var only ddps.Path
	for p := range g.Paths() {
		if p[2] != 7 {
			only = p
			break
		}
	}
	fitted, err := chain.Fit(g, []ddps.Path{only}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(fitted, model.Config{Network: model.NetworkNone, T: 8}, 0)
	if err != nil {
		t.Fatal(err)
	}
	s = m.Sampler()
	s.Steps, s.Condition = 2, c
	if _, err := s.Sample(context.Background(), 1, 1); err == nil || !strings.Contains(err.Error(),
		"the condition is impossible") || !strings.Contains(err.Error(), "visit vertex 7") {
		t.Errorf("impossible condition: error %v", err)
	}
}

// Sampling together, unguided and under conditions: Toy with its network, and the chain of Heights.
func BenchmarkSampleConditioned(b *testing.B) {
	_, _, toy := oracle.Load()
	heights, err := datasets.HeightsGraph()
	if err != nil {
		b.Fatal(err)
	}
	for _, k := range []struct {
		name, network string
		g             *ddps.LayeredGraph
	}{{"Toy", model.NetworkMLP, toy.Prune()}, {"Heights", model.NetworkNone, heights.Prune()}} {
		cfg := model.DefaultConfig()
		cfg.Network = k.network
		m, err := model.New(chain.Uniform(k.g), cfg, 0)
		if err != nil {
			b.Fatal(err)
		}
		u, err := datasets.RewardInstance(k.g, 4, 0)
		if err != nil {
			b.Fatal(err)
		}
		cost := make([]float64, len(u))
		for e := range cost {
			cost[e] = float64(e % 7)
		}
		list := conditions(b, k.g, u, cost)
		list["unguided"] = nil
		for _, name := range []string{"unguided", "MaxReward", "Boltzmann", "AtLeast", "Through", "All"} {
			b.Run(k.name+"/"+name, func(b *testing.B) {
				s := m.Sampler()
				if c := list[name]; c != nil {
					s.Condition = c
				}
				for i := 0; b.Loop(); i++ {
					draw(b, s, 512, uint64(i))
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*512*d3pm.DefaultSteps), "µs/sample-step")
			})
		}
	}
}

// Boltzmann at any strength: of all distributions with the samples' mean reward, the one nearest to the data's is the
// tilt of some strength; the samples are within 0.03 nats of it, the sampling floor apart.
func TestToyBoltzmann(t *testing.T) {
	o, _, g := oracle.Load()
	dist := oracle.NewDistribution(g)
	r := make([]float64, len(dist.Paths))
	for i, p := range dist.Paths {
		r[i] = g.Total(o.U, p)
	}
	tilt := func(beta float64) (p []float64, mean float64) {
		p = make([]float64, len(r))
		sum := 0.0
		for i := range p {
			p[i] = math.Exp(beta * (r[i] - o.RMax))
			sum += p[i]
		}
		for i := range p {
			p[i] /= sum
			mean += p[i] * r[i]
		}
		return p, mean
	}
	const n = 4096
	for _, beta := range []float64{0.5, 1, 2, 4, 8} {
		c, err := guide.Boltzmann(g, o.U, beta)
		if err != nil {
			t.Fatal(err)
		}
		s := toySampler(g)
		s.Steps, s.Condition = 16, c
		q, mean := dist.Shares(draw(t, s, n, 6)), 0.0
		for i := range q {
			mean += q[i] * r[i]
		}
		lo, hi := -1.0, 40.0
		for range 60 {
			if _, m := tilt((lo + hi) / 2); m < mean {
				lo = (lo + hi) / 2
			} else {
				hi = (lo + hi) / 2
			}
		}
		nearest, _ := tilt(lo)
		kl := func(q []float64) float64 { return oracle.KL(nearest, q, n) }
		_, floor := oracle.Quantile(nearest, n, 100, 0.999, kl)
		t.Logf("β = %v: mean reward %.3f, that of β = %.3f; KL %.4f, floor %.4f", beta, mean, lo, kl(q), floor)
		if kl(q) > floor+0.03 || math.Abs(lo-beta) > 0.1*beta+0.05 && beta < 4 {
			t.Errorf("β = %v: KL %.4f, floor %.4f; the reward is that of β = %.3f", beta, kl(q), floor, lo)
		}
	}
}
