package experiment

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
)

// toyParts returns the exact model of Toy, without a network, a reward of the greatest total 4, and the law of the data.
func toyParts(t *testing.T) (*model.Model, []float64, *Target) {
	t.Helper()
	m, err := Shipped("toy")
	if err != nil {
		t.Fatal(err)
	}
	cfg := m.Config
	cfg.Network = model.NetworkNone
	if m, err = model.New(m.Chain, cfg, 0); err != nil {
		t.Fatal(err)
	}
	data, err := MakeData("toy", PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	law, err := DataTarget(data.Graph, data.Prune())
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, m.Graph.NumEdges())
	for e := range u {
		u[e] = float64(e % 2)
	}
	return m, u, law
}

// The reward rises with λ, exact draws show the floors, and the sweet spot is where a curve is least.
func TestSweep(t *testing.T) {
	m, u, law := toyParts(t)
	given, err := law.Given(AtMax(m.Graph, u, m.Graph.Best(u)))
	if err != nil {
		t.Fatal(err)
	}
	cfg := SweepConfig{Guide: Algorithm2, Strengths: []float64{0, 30, 1e4}, Samples: 200, Steps: 8, Floors: 3, Seed: 1}
	s, err := cfg.Run(context.Background(), m, u, given, nil)
	if err != nil {
		t.Fatal(err)
	}
	reward, err := s.Curve(CurveReward)
	if err != nil || len(reward.Y) != 3 || !(reward.Y[0] < reward.Y[1]-1 && reward.Y[1] <= reward.Y[2]) || math.Abs(reward.Floor-s.Best) > 1e-9 || len(reward.Std) != 3 {
		t.Errorf("rewards %+v, greatest %v (%v)", reward, s.Best, err)
	}
	x, y, err := s.SweetSpot("L1")
	l1, _ := s.Curve("L1")
	if err != nil || x == 0 || y != min(l1.Y[0], l1.Y[1], l1.Y[2]) || !(l1.Floor > 0 && l1.Floor <= l1.High && l1.High < y) {
		t.Errorf("sweet spot %v, %v of %+v (%v)", x, y, l1, err)
	}
	if common, err := CommonSweetSpot("L1", s, s); err != nil || common != x {
		t.Errorf("common sweet spot %v, want %v (%v)", common, x, err)
	}
	if r, err := s.Curve(CurveReverse); err != nil || !math.IsInf(r.Y[0], 1) || math.IsInf(r.Y[2], 1) {
		t.Errorf("KL of samples off the maximum, then at it: %v (%v)", r.Y, err)
	}
	nowhere := &Sweep{X: []float64{0}, Curves: []Curved{{Name: "a", Y: []float64{math.Inf(1)}}}}
	if _, _, err := nowhere.SweetSpot("a"); err == nil {
		t.Error("a curve that is infinite everywhere has a sweet spot")
	}
	again, err := cfg.Run(context.Background(), m, u, given, nil)
	if err != nil || len(again.Curves) != 14 {
		t.Fatalf("%d curves, %v", len(again.Curves), err)
	}
	for k, c := range again.Curves {
		if !reflect.DeepEqual(c.Y, s.Curves[k].Y) {
			t.Errorf("%s: %v, then %v", c.Name, s.Curves[k].Y, c.Y)
		}
	}
}

func TestMeanSweep(t *testing.T) {
	one := &Sweep{Best: 2, X: []float64{0, 1}, Curves: []Curved{{Name: "a", Y: []float64{1, math.Inf(1)}, Floor: .2, High: .4}}}
	two := &Sweep{Best: 4, X: []float64{0, 1}, Curves: []Curved{{Name: "a", Y: []float64{3, 5}, Floor: .4, High: .6}}}
	got, err := MeanSweep(one, two)
	if err != nil || got.Best != 3 || !reflect.DeepEqual(got.Curves[0].Y, []float64{2, math.Inf(1)}) || !reflect.DeepEqual(got.Curves[0].Std, []float64{1, 0}) {
		t.Errorf("mean %+v (%v)", got, err)
	}
	if f := got.Curves[0]; math.Abs(f.Floor-.3) > 1e-12 || math.Abs(f.High-.5) > 1e-12 {
		t.Errorf("floor %v, %v", f.Floor, f.High)
	}
	if _, err := MeanSweep(); err == nil {
		t.Error("the mean of none: no error")
	}
	if _, err := MeanSweep(one, &Sweep{X: []float64{0, 2}}); err == nil {
		t.Error("other strengths: no error")
	}
}

func TestSweepErrors(t *testing.T) {
	m, u, law := toyParts(t)
	for name, c := range map[string]SweepConfig{"guide": {Guide: "none such", Samples: 1}, "samples": {Guide: Eq13}, "kernel": {Guide: Eq13, Samples: 1, Kernel: "x"}, "floors": {Guide: Eq13, Samples: 1, Floors: -1}} {
		if _, err := c.Run(context.Background(), m, u, law, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := (SweepConfig{Guide: Eq13, Samples: 1}).Run(context.Background(), m, u[1:], law, nil); err == nil {
		t.Error("reward of the wrong length: no error")
	}
	if _, err := (&Sweep{}).Curve("x"); err == nil {
		t.Error("no such curve: no error")
	}
}

// On a backend a sweep's strengths are drawn together, and come to what the host's do.
func TestSweepBackend(t *testing.T) {
	m, u, law := toyParts(t)
	cfg := SweepConfig{Guide: Eq13, Strengths: []float64{0, 10, 1000}, Samples: 150, Steps: 3, Seed: 1}
	want, err := cfg.Run(context.Background(), m, u, law, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Backend = "go"
	got, err := cfg.Run(context.Background(), m, u, law, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range want.Curves {
		for i, y := range c.Y {
			if x := got.Curves[k].Y[i]; math.Abs(x-y) > .02*(1+math.Abs(y)) {
				t.Errorf("%s at %v: %v, on the host %v", c.Name, want.X[i], x, y)
			}
		}
	}
}

// The front goes from the law itself to the law given the greatest reward, is convex, and is the least: another law of
// the same mean reward is farther. Boltzmann is on it.
func TestFront(t *testing.T) {
	m, u, law := toyParts(t)
	betas := []float64{0, .5, 1, 2, 4, math.Inf(1)}
	f, err := NewFront(law, u, betas, 2000, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	best := m.Graph.Best(u)
	given, err := law.Given(AtMax(m.Graph, u, best))
	if err != nil {
		t.Fatal(err)
	}
	mass := 0.0
	for i, p := range given.P {
		if p > 0 {
			mass += law.P[i]
		}
	}
	if math.Abs(f.KL[0]) > 1e-12 || math.Abs(f.Reward[5]-best) > 1e-9 || math.Abs(f.KL[5]+math.Log(mass)) > 1e-9 {
		t.Errorf("front from %v to reward %v, KL %v, want %v", f.KL[0], f.Reward[5], f.KL[5], -math.Log(mass))
	}
	for i, beta := range betas {
		if !(f.Drawn[i] > f.KL[i]) {
			t.Errorf("β %v: KL of draws %v, of the law %v", beta, f.Drawn[i], f.KL[i])
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
		kl, err := chain.KL(q, chain.Uniform(m.Graph).Law())
		if err != nil || math.Abs(kl-f.KL[i]) > 1e-9 || math.Abs(beta*f.Reward[i]-logz-f.KL[i]) > 1e-9 {
			t.Errorf("β %v: KL %v, of the tilted chain %v, β·E[R] − log Z %v (%v)", beta, f.KL[i], kl, beta*f.Reward[i]-logz, err)
		}
		// a mixture of the two ends with the same mean has a larger divergence
		s := (f.Reward[i] - f.Reward[0]) / (best - f.Reward[0])
		d := 0.0
		for k, p := range law.P {
			mixed := (1-s)*p + s*given.P[k]
			d += mixed * math.Log(mixed/p)
		}
		if d <= f.KL[i] {
			t.Errorf("β %v: a mixture has KL %v, the front %v", beta, d, f.KL[i])
		}
	}
	if _, err := NewFront(law, u, []float64{-1}, 1, 1, 0); err == nil {
		t.Error("β < 0: no error")
	}
	if _, err := NewFront(law, u, betas, 0, 1, 0); err == nil {
		t.Error("no draws: no error")
	}
}

// A listed law is the data's, and its exact denoiser that of the data by enumeration.
func TestListedLaw(t *testing.T) {
	m, _, _ := toyParts(t)
	d, err := Zipf(m.Graph, 50, 3)
	if err != nil {
		t.Fatal(err)
	}
	if d.Counts[0] != 1000 || d.Counts[1] != 500 || d.Counts[49] != 20 {
		t.Errorf("counts %v", d.Counts)
	}
	law, err := ListedLaw(d)
	if err != nil {
		t.Fatal(err)
	}
	w, n := d.Weights(), 0
	for i, p := range d.Paths {
		if lp, err := law.LogProb(p); err != nil || math.Abs(math.Exp(lp)-w[i]) > 1e-12 {
			t.Errorf("path %d: %v, want %v (%v)", i+1, math.Exp(lp), w[i], err)
		}
	}
	for p := range m.Graph.Paths() {
		if lp, _ := law.LogProb(p); !math.IsInf(lp, -1) {
			n++
		}
	}
	if n != 50 {
		t.Errorf("%d paths, want 50", n)
	}
	checkEnumerated(t, m, d.Paths, w, law)
}

// checkEnumerated holds the exact denoiser of law against a sum over the weighted paths.
func checkEnumerated(t *testing.T, m *model.Model, paths []ddps.Path, w []float64, law *chain.Distribution) {
	t.Helper()
	g, x, T := m.Graph, make(ddps.PALM, m.Graph.NumVertices()), 100
	g.Uniform(x, ddps.Rand(7, 0))
	pi, sum, visit := make([]float64, g.NumEdges()), make([]float64, g.NumEdges()), make([]float64, g.NumVertices())
	chain.NewDistributionDenoiser(law, m.Schedule.Abar).Posterior(pi, x, T)
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

// A conditioned mixture is the mixture's law over the paths that meet the condition.
func TestGivenMixture(t *testing.T) {
	m, u, _ := toyParts(t)
	g, uniform := m.Graph, chain.Uniform(m.Graph)
	other := make([]float64, g.NumEdges())
	for e := range other {
		other[e] = 1 / float64(g.Degree(g.Tail(e)))
	}
	p := make([]float64, 0, 2*len(other))
	for e := range other {
		p = append(p, uniform.P[e], other[e])
	}
	mix, err := mixture.New(chain.Identity(g), []float64{.3, .7}, p)
	if err != nil {
		t.Fatal(err)
	}
	c, err := guide.MaxReward(g, u)
	if err != nil {
		t.Fatal(err)
	}
	given, logm, err := GivenMixture(mix, c)
	if err != nil {
		t.Fatal(err)
	}
	want, mass := map[string]float64{}, 0.0
	for q := range g.Paths() {
		if c.LogWeight(q) == 0 {
			lp, _ := mix.LogProb(q)
			want[pathKey(q)] = math.Exp(lp)
			mass += math.Exp(lp)
		}
	}
	if math.Abs(math.Exp(logm)-mass) > 1e-12 {
		t.Errorf("probability %v, want %v", math.Exp(logm), mass)
	}
	top := 0.0
	for _, w := range want {
		top = max(top, w/mass)
	}
	best, logp, sure, err := given.MostLikely(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if lp, err := given.LogProb(best); err != nil || !sure || math.Abs(math.Exp(logp)-top) > 1e-12 || math.Abs(lp-logp) > 1e-12 || math.Abs(want[pathKey(best)]/mass-top) > 1e-12 {
		t.Errorf("likeliest %v, %v, %v %v, want a probability of %v", best, math.Exp(logp), sure, err, top)
	}
	const n = 20000
	got := map[string]float64{}
	for i := range uint64(n) {
		got[pathKey(given.Sample(ddps.Rand(5, i)))] += 1. / n
	}
	for k, w := range want {
		if w /= mass; math.Abs(got[k]-w) > 5*math.Sqrt(w/n) {
			t.Errorf("a path of probability %v was drawn at %v", w, got[k])
		}
		delete(got, k)
	}
	if len(got) > 0 {
		t.Errorf("%d paths do not meet the condition", len(got))
	}
}

func pathKey(p ddps.Path) string {
	k := make([]byte, len(p))
	for i, v := range p {
		k[i] = byte(v)
	}
	return string(k)
}

// The law that made a map's data, of the paths kept.
func TestMadeBy(t *testing.T) {
	data, err := MakeData("heights", PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	through := data.Prune().Paths[0][4]
	law, err := MadeBy(data, func(p ddps.Path) bool { return p[4] == through })
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, p := range law.Paths {
		if sum += law.P[i]; p[4] != through {
			t.Fatalf("path %v was not to be kept", p)
		}
	}
	if math.Abs(sum-1) > 1e-9 || law.districts == nil {
		t.Errorf("mass %v, districts %v", sum, law.districts)
	}
	if _, err := MadeBy(data, func(ddps.Path) bool { return false }); err == nil {
		t.Error("no path kept: no error")
	}
}
