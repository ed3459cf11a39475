package query_test

import (
	"context"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run/toytest"
)

// A conditioned mixture is the mixture's distribution over the paths that meet the condition.
func TestGivenMixture(t *testing.T) {
	m, u, _ := toytest.Exact(t)
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
	given, logm, err := query.GivenMixture(mix, c)
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
	if lp, err := given.LogProb(best); err != nil || !sure || math.Abs(math.Exp(logp)-top) > 1e-12 ||
		math.Abs(lp-logp) > 1e-12 || math.Abs(want[pathKey(best)]/mass-top) > 1e-12 {
		t.Errorf("most likely %v, %v, %v %v, want a probability of %v", best, math.Exp(logp), sure, err, top)
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
