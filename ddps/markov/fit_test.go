package markov

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// What is left out of the tables is as if it had never been counted.
func TestLeaveOut(t *testing.T) {
	g := grid(t, 5, 3)
	s := walks(g, 30, 5)
	for _, cfg := range configs() {
		cfg.MinCount = 1
		all, weights, err := prepare(g, s, cfg)
		if err != nil {
			t.Fatal(err)
		}
		all.count(s.Paths, weights)
		for _, i := range []int{0, 3, 6, 9} { // of weight 1
			rest, w := *all, append([]float64(nil), weights...)
			w[i] = 0
			rest.count(s.Paths, w)
			rest.disc = all.disc
			got := all.scorer().steps(nil, s.Paths[i], weights[i], 1)
			want := rest.stepsOf(s.Paths[i])
			if len(got) != len(want) {
				t.Fatalf("%v: %d steps, want %d", cfg, len(got), len(want))
			}
			for k := range want {
				if !slices.Equal(got[k].weight, want[k].weight) || !slices.Equal(got[k].edge, want[k].edge) ||
					!slices.Equal(got[k].end, want[k].end) || !slices.Equal(got[k].rel, want[k].rel) {
					t.Fatalf("%v: path %d, step %d: %+v, want %+v", cfg, i, k, got[k], want[k])
				}
				for n, x := range want[k].x {
					if math.Abs(float64(got[k].x[n]-x)) > 1e-6 {
						t.Fatalf("%v: path %d, step %d: feature %d is %v, want %v", cfg, i, k, n, got[k].x[n], x)
					}
				}
			}
		}
	}
}

// stepsOf returns the steps of a path that the tables of m do not hold, nothing left out.
func (m *Model) stepsOf(p ddps.Path) (list []step) {
	s, st := m.scorer(), m.begin(nil)
	for l := 0; l+1 < len(p) && !m.over[p[l]]; l++ {
		e, _ := m.g.EdgeBetween(p[l], p[l+1])
		lo, _ := m.g.Edges(p[l])
		if D := m.g.Degree(p[l]); D > 1 {
			s.features(p[l], &st, nil)
			list = append(list, s.step(1, int32(e-lo), int32(D)))
		}
		st = m.after(st, e, nil)
	}
	return list
}

// The gradient of the loss is that of finite differences.
func TestGradient(t *testing.T) {
	g := grid(t, 4, 3)
	s := walks(g, 25, 7)
	for _, cfg := range configs() {
		m, weights, err := prepare(g, s, cfg)
		if err != nil {
			t.Fatal(err)
		}
		m.count(s.Paths, weights)
		steps, _ := m.steps(s.Paths, weights, m.sample(s.Paths, weights, 1<<20))
		l := m.loss(steps, .1)
		theta, rng := m.prior(), ddps.Rand(8, 0)
		for i := range theta {
			theta[i] += .3 * rng.NormFloat64()
		}
		grad, room := make([]float64, len(theta)), make([]float64, len(theta))
		l.value(theta, grad)
		for range 60 {
			i := rng.IntN(len(theta))
			x, h := theta[i], 1e-5
			theta[i] = x + h
			up := l.value(theta, room)
			theta[i] = x - h
			down := l.value(theta, room)
			theta[i] = x
			if want := (up - down) / (2 * h); math.Abs(grad[i]-want) > 1e-6 {
				t.Fatalf("%v: gradient %d is %v, by differences %v", cfg, i, grad[i], want)
			}
		}
	}
}

// With the prior's weights a model of last places is the interpolated back-off, by hand: A B, A B, A C.
func TestBackoff(t *testing.T) {
	g, err := ddps.New([]int{1, 2}, [][]int{{1, 2}, nil, nil})
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Names: []string{"A", "B", "C"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	s := chain.Sample{Paths: []ddps.Path{{0, 1}, {0, 2}}, Weights: []float64{2, 1}}
	m, weights, err := prepare(g, s, Config{Order: 1, MinCount: 1, Ridge: 1})
	if err != nil {
		t.Fatal(err)
	}
	m.count(s.Paths, weights)
	m.theta = m.prior()
	// Discounts: n₁ = n₂ = 1 and no more, so Y = 1/3, D₁ = 1 − 2/3, D₂ = 2/2. Without contexts B has 2.5/4.5 and C
	// 1.5/4.5.
	b, c, mass := 2.5/4.5, 1.5/4.5, 1./3+1
	b, c = (2-1+mass*b)/3, (1-1./3+mass*c)/3
	_, logp := all(t, m)
	if want := math.Log(b / (b + c)); !near(logp[0], want) {
		t.Errorf("log P(A B) is %v, want %v", logp[0], want)
	}
}

// The weights do not make the training paths less likely than their prior does, when the paths' own counts are left
// out; Tune keeps about the best of its trials.
func TestTune(t *testing.T) {
	g := grid(t, 6, 3)
	train, validation := walks(g, 300, 11), walks(g, 100, 12)
	tuned, trials, err := Tune(context.Background(), g, train, validation, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg, best, chosen := tuned.Config(), math.Inf(1), math.Inf(1)
	for _, x := range trials {
		best = min(best, x.NLL)
		if x.Config == cfg {
			chosen = x.NLL
		}
	}
	if len(trials) < 5 || chosen > best+.1 {
		t.Errorf("%d trials; %v has %v, the best %v", len(trials), cfg, chosen, best)
	}
	weights := train.Weights
	m, _, err := prepare(g, train, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.fit(context.Background(), train.Paths, weights, nil); err != nil {
		t.Fatal(err)
	}
	steps, _ := m.steps(train.Paths, weights, m.sample(train.Paths, weights, maxNumbers))
	l, room := m.loss(steps, 0), make([]float64, m.numWeights())
	if a, b := l.value(m.theta, room), l.value(m.prior(), room); !(a < b) {
		t.Errorf("loss %v fitted, %v of the prior", a, b)
	}
}

// Of many paths the trials are fitted to a part, evenly spaced, each with its weight; of few, to all.
func TestSome(t *testing.T) {
	const length = 11
	for _, n := range []int{0, 7, tuneSteps / (length - 1), 3*tuneSteps/(length-1) + 5} {
		paths, weights := make([]ddps.Path, n), make([]float64, n)
		for i := range paths {
			paths[i], weights[i] = make(ddps.Path, length), float64(i)
		}
		part, w := some(paths, weights)
		steps := len(part) * (length - 1)
		if n <= tuneSteps/(length-1) && len(part) != n || steps > tuneSteps || n > 0 && 3*steps < min(n*(length-1),
			tuneSteps) {
			t.Errorf("of %d paths %d are taken", n, len(part))
		}
		for i := range w {
			if w[i] != w[min(1, len(w)-1)]*float64(i) || len(part) != len(w) {
				t.Fatalf("of %d paths weight %d is %v", n, i, w[i])
			}
		}
	}
}

// A fit that is late at once has the prior's weights, and a search one trial; both are models.
func TestLate(t *testing.T) {
	g := grid(t, 6, 3)
	s := walks(g, 300, 11)
	late := func() bool { return true }
	m, err := FitContext(context.Background(), g, s, Default(), late)
	if err != nil {
		t.Fatal(err)
	}
	paths, logp := all(t, m)
	sum := 0.0
	for _, x := range logp {
		sum += math.Exp(x)
	}
	if !near(sum, 1) {
		t.Errorf("the probabilities of %d paths sum to %v", len(paths), sum)
	}
	m, trials, err := Tune(context.Background(), g, s, walks(g, 100, 12), nil, late)
	if err != nil || len(trials) != 1 || m.Config() != Default() {
		t.Errorf("%v, %v, %v", m.Config(), trials, err)
	}
}

// No discount is more than the weight, which need not be whole.
func TestDiscounts(t *testing.T) {
	var n tally
	n.add(counts{weight: []float64{1, 1.6, 1.6, 1.6, 1.6, 3}})
	d := n.discounts()
	for w := .1; w < 5; w += .05 {
		if less := d.of(w); !(less >= 0 && less <= w) {
			t.Errorf("%v is taken off %v (discounts %v)", less, w, d)
		}
	}
}
