package stack

import (
	"context"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/metrics"
)

// listing is a distribution that is a list of paths: it has no posterior given x_t but by enumeration.
type listing struct {
	g     *ddps.LayeredGraph
	paths []ddps.Path
	p     []float64
	at    map[string]int
}

// listingOf returns the distribution of d, each path's probability changed at random.
func listingOf(t *testing.T, f *fixture, noise float64) *listing {
	t.Helper()
	l := &listing{g: f.g, paths: f.paths, p: f.probs(t, f.first), at: map[string]int{}}
	sum := 0.0
	for i, p := range l.paths {
		l.p[i] *= math.Exp(noise * ddps.Rand(5, uint64(i)).NormFloat64())
		sum += l.p[i]
		l.at[metrics.Key(p)] = i
	}
	for i := range l.p {
		l.p[i] /= sum
	}
	return l
}

func (l *listing) Graph() *ddps.LayeredGraph { return l.g }

func (l *listing) LogProb(paths []ddps.Path, out []float64) error {
	for i, p := range paths {
		out[i] = math.Log(l.p[l.at[metrics.Key(p)]])
	}
	return nil
}

func (l *listing) Sample(_ context.Context, paths []ddps.Path, seed uint64, first int) error {
	for i := range paths {
		paths[i] = l.paths[chain.Pick(l.p, ddps.Rand(seed, uint64(first+i)).Float64())]
	}
	return nil
}

// odd accepts paths as its product does.
type odd struct{ c Condition }

func (o odd) Tilt(pi, out []float64) float64          { copy(out, pi); return 0 }
func (o odd) LogWeights() (*chain.Product, []float64) { return o.c.Product, o.c.LogW }
func (o odd) OnProduct() (*chain.Product, []float64)  { return o.c.Product, nil }

// With a part that has no exact posterior given x_t the reverse process draws from the whole stack at any number of
// steps, given a condition too, and the bound is −log p: here the part is three quarters of the stack, and its path
// probabilities differ from those of the other part by factors of e and more.
func TestReverseNetwork(t *testing.T) {
	f := fixtureOf(t, 3, 1)
	net, sched := listingOf(t, f, 1.2), d3pm.Cosine(32)
	s, err := New([]Part{{Name: "chain", Distribution: f.first, Weight: .25},
		{Name: "net", Distribution: net, Weight: .75}})
	if err != nil {
		t.Fatal(err)
	}
	d := NewDenoiser(s, sched.Abar, nil)
	if d.Left() != "net" {
		t.Errorf("without an exact posterior: %q", d.Left())
	}
	c, weight := f.condition(t, 3, 1, false)
	for _, S := range []int{1, 6} {
		for _, given := range []bool{false, true} {
			p, sum := f.probs(t, s), 0.0
			sampler := &d3pm.Sampler{Graph: f.g, Denoiser: d, Schedule: sched, Steps: S, Threads: 1}
			if given {
				sampler.Condition = odd{c}
			}
			for i := range p {
				if given {
					p[i] *= weight[i]
				}
				sum += p[i]
			}
			for i := range p {
				p[i] /= sum
			}
			paths, err := sampler.Sample(context.Background(), 5000, 3)
			if err != nil {
				t.Fatal(err)
			}
			per, cells := f.chi(t, paths, p)
			if limit := 1 + 6*math.Sqrt(2/cells); per > limit || cells < 6 {
				t.Errorf("S = %d, condition %v: χ² is %.2f per cell of %v, want at most %.2f", S, given, per, cells, limit)
			}
			sampler.Threads, sampler.Batch = 3, 7
			again, err := sampler.Sample(context.Background(), 100, 3)
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range again {
				if metrics.Key(p) != metrics.Key(paths[i]) {
					t.Fatalf("S = %d: draw %d depends on threads or batches", S, i)
				}
			}
		}
		logp := make([]float64, len(f.paths))
		if err := s.LogProb(f.paths, logp); err != nil {
			t.Fatal(err)
		}
		b := &d3pm.Bound{Graph: f.g, Denoiser: d, Schedule: sched, Steps: S, Draws: 8}
		nats, err := b.Score(context.Background(), f.paths[:9], 3)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range nats {
			if diff := x.Mean + logp[i]; math.Abs(diff) > .03+5*x.StdErr {
				t.Errorf("S = %d, path %v: bound %.4f ± %.4f, −log p %.4f", S, f.paths[i], x.Mean, x.StdErr, -logp[i])
			}
		}
	}
}

// A move leaves the distribution given x_t as it is, by enumeration: its transition matrix, estimated from each path,
// takes P(· | x_t) to itself.
func TestMoveStationary(t *testing.T) {
	f := fixtureOf(t, 2, 1)
	net, sched := listingOf(t, f, 1), d3pm.Cosine(16)
	s, err := New([]Part{{Name: "chain", Distribution: f.first, Weight: .4}, {Name: "net", Distribution: net, Weight: .6}})
	if err != nil {
		t.Fatal(err)
	}
	d := NewDenoiser(s, sched.Abar, nil)
	x := d.Whole().(*corrected)
	xt := make(ddps.PALM, f.g.NumVertices())
	f.g.Uniform(xt, ddps.Rand(1, 1))
	x.Weigh(xt, d.Ratio(9), nil)
	p, after, sum := f.probs(t, s), make([]float64, len(f.paths)), 0.0
	for i, path := range f.paths {
		p[i] *= math.Exp(x.denoised.LogProb(path)) / f.probs(t, f.first)[i] // the likelihood, up to a constant
		sum += p[i]
	}
	const n = 4000
	for i, path := range f.paths {
		for k := range n {
			q := append(ddps.Path(nil), path...)
			x.Move(ddps.Rand(7, uint64(i*n+k)), q)
			after[net.at[metrics.Key(q)]] += p[i] / sum / n
		}
	}
	for i := range p {
		if want := p[i] / sum; math.Abs(after[i]-want) > .01 {
			t.Errorf("path %v: %.4f after a move, %.4f before", f.paths[i], after[i], want)
		}
	}
}

// Reverse steps under a condition come to paths that the network has and the tractable parts hardly have.
func TestReverseDefensive(t *testing.T) {
	f, sched := fixtureOf(t, 3, 1), d3pm.Cosine(16)
	s := f.rareStart(t)
	c, weight := f.condition(t, 3, 1, false)
	p, sum := f.probs(t, s), 0.0
	for i := range p {
		p[i] *= weight[i]
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	sampler := &d3pm.Sampler{Graph: f.g, Denoiser: NewDenoiser(s, sched.Abar, nil), Schedule: sched, Steps: 4, Threads: 1,
		Condition: odd{c}}
	paths, err := sampler.Sample(context.Background(), 2000, 3)
	if err != nil {
		t.Fatal(err)
	}
	per, cells := f.chi(t, paths, p)
	if limit := 1 + 6*math.Sqrt(2/cells); per > limit || cells < 6 {
		t.Errorf("χ² is %.2f per cell of %v, want at most %.2f", per, cells, limit)
	}
}
