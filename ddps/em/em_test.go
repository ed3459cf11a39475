package em

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
)

// data are walks of Heights, whose vertices have places.
func data(t *testing.T) *datasets.Data {
	t.Helper()
	d, err := datasets.Heights(1500, 3)
	if err != nil {
		t.Fatal(err)
	}
	d = d.Prune()
	rng := ddps.Rand(1, 1)
	for i := range d.Counts {
		d.Counts[i] = 1 + rng.IntN(4)
	}
	return d
}

// sums adds the paths lo…hi-1 up.
func sums(t *testing.T, m *mixture.Mixture, d *datasets.Data, lo, hi int) *Sums {
	t.Helper()
	s, r := NewSums(m), NewRound(m)
	for i := lo; i < hi; i++ {
		if err := r.Add(d.Paths[i], d.Counts[i], s); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// step does a round.
func step(t *testing.T, m *model.Model, d *datasets.Data, kappa float64) (*model.Model, *Sums) {
	t.Helper()
	s := sums(t, m.Mixture, d, 0, len(d.Paths))
	next, err := s.Model(m, kappa)
	if err != nil {
		t.Fatal(err)
	}
	return next, s
}

// Counting gives the core's chain, to the bit.
func TestCounting(t *testing.T) {
	d := data(t)
	weights := make([]float64, len(d.Counts))
	for i, n := range d.Counts {
		weights[i] = float64(n)
	}
	for order := 1; order <= 2; order++ {
		m, err := Start(d.Graph, order)
		if err != nil {
			t.Fatal(err)
		}
		next, s := step(t, m, d, .7)
		want, err := chain.Fit(d.Graph, d.Paths, weights, .7)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(next.Chain.P, want.P) || int(s.Walks()) != d.Total() {
			t.Errorf("order %d: another chain than the core's, of %v walks", order, s.Walks())
		}
	}
}

// The parts of a round in any order and number are the same bits, and its statistics the plain sums to 1e-9.
func TestParts(t *testing.T) {
	d := data(t)
	m, err := Start(d.Graph, 2)
	if err != nil {
		t.Fatal(err)
	}
	m, _ = step(t, m, d, 1)
	if m, err = Classes(m, 3, 5); err != nil {
		t.Fatal(err)
	}
	whole := sums(t, m.Mixture, d, 0, len(d.Paths))
	for _, n := range []int{1, 3, 7, 64} {
		got := NewSums(m.Mixture)
		for _, i := range ddps.Rand(uint64(n), 2).Perm(n) {
			part := sums(t, m.Mixture, d, len(d.Paths)*i/n, len(d.Paths)*(i+1)/n)
			var b bytes.Buffer
			if err := part.Vector.Write(&b); err != nil {
				t.Fatal(err)
			}
			if err := got.Vector.AddFrom(&b); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got.Vector, whole.Vector) {
			t.Errorf("%d parts: other bits", n)
		}
	}
	K := 3
	plain, nats := make([]float64, K*len(m.Mixture.Product.Edge)), 0.0
	for i, p := range d.Paths {
		logp, err := m.Mixture.LogProb(p)
		if err != nil {
			t.Fatal(err)
		}
		nats -= float64(d.Counts[i]) * logp
		edges, _, _ := m.Mixture.Product.Edges(nil, p)
		for k := range K {
			own, err := m.Mixture.Class(k).LogProb(p)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range edges {
				plain[e*K+k] += float64(d.Counts[i]) * m.Mixture.Weight[k] * math.Exp(own-logp)
			}
		}
	}
	for i, x := range whole.Vector[heads+K:].Floats() {
		if !(math.Abs(x-plain[i]) <= 1e-9*max(1, plain[i])) {
			t.Fatalf("statistic %d: %v, expected %v", i, x, plain[i])
		}
	}
	if got, want := whole.NLL(), nats/float64(d.Total()); !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("NLL %v, expected %v", got, want)
	}
}

// Every round raises the penalised likelihood, and the classes part.
func TestRounds(t *testing.T) {
	d, kappa := data(t), .5
	m, err := Start(d.Graph, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, _ = step(t, m, d, kappa)
	if m, err = Classes(m, 4, 1); err != nil {
		t.Fatal(err)
	}
	base := m.Chain.P
	objective := func(m *model.Model, s *Sums) float64 {
		x := -s.NLL() * s.Walks()
		for e, b := range base {
			lo, hi := d.Graph.Edges(d.Graph.Tail(e))
			for k := range 4 {
				x += kappa * float64(hi-lo) * b * math.Log(m.Mixture.P[e*4+k])
			}
		}
		return x
	}
	last, first := math.Inf(-1), 0.0
	for round := range 15 {
		next, s := step(t, m, d, kappa)
		if !slices.Equal(next.Chain.P, base) {
			t.Fatal("a round changes the chain")
		}
		if x := objective(m, s); !(x >= last-1e-9*math.Abs(x)) {
			t.Fatalf("round %d: %v after %v", round, x, last)
		} else {
			last = x
		}
		if round == 1 {
			first = s.NLL()
		}
		m = next
	}
	if _, s := step(t, m, d, kappa); !(s.NLL() < first-.05) {
		t.Errorf("NLL %v after 15 rounds, %v after one", s.NLL(), first)
	}
}

func TestErrors(t *testing.T) {
	g := ddps.Example()
	if _, err := Start(g, 2); err == nil {
		t.Error("moves between places on a graph without")
	}
	m, err := Start(g, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, r := NewSums(m.Mixture), NewRound(m.Mixture)
	if _, err := s.Model(m, 1); err == nil {
		t.Error("a model of no walk")
	}
	if err := r.Add(ddps.Path{0}, 1, s); err == nil {
		t.Error("no path of the graph")
	}
	for p := range g.Paths() {
		if err := r.Add(p, 1, s); err != nil {
			t.Fatal(err)
		}
	}
	for _, kappa := range []float64{-1, math.NaN(), math.Inf(1), math.MaxFloat64} {
		if _, err := s.Model(m, kappa); err == nil {
			t.Errorf("pseudo-count %v", kappa)
		}
	}
	two, err := Classes(m, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Classes(two, 3, 0); err == nil {
		t.Error("three classes of two")
	}
	none := *two.Mixture
	none.P = make([]float64, len(none.P))
	for p := range g.Paths() {
		if err := NewRound(&none).Add(p, 1, NewSums(&none)); err == nil {
			t.Error("a path without probability")
		}
	}
}
