package stack

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// The particles' mean weight has no bias: its mean over runs of few is the network's probability of the condition.
func TestParticles(t *testing.T) {
	f := fixtureOf(t, 4, 1.2)
	c, w := f.condition(t, 3, 2, true)
	for _, d := range f.tractable(t) {
		want := 0.0
		for i, p := range f.probs(t, f.net) {
			want += p * w[i]
		}
		a, err := d.(looker).look(context.Background(), c)
		if l, ok := d.(mix); ok { // of one class, then
			a, err = l.parts[0].(looker).look(context.Background(), c)
		}
		if err != nil {
			t.Fatal(err)
		}
		logs := make([]float64, 3000)
		for r := range logs {
			p, err := a.run(context.Background(), f.net, 8, ddps.Rand(6, uint64(r)))
			if err != nil {
				t.Fatal(err)
			}
			logs[r] = a.log + p.log
		}
		mean := pool{logw: logs}
		mean.normalise()
		if got, se := math.Exp(mean.log), relativeError(logs); math.Abs(got/want-1) > 4.5*se {
			t.Errorf("P is %v, want %v within %v", got, want, se)
		}
	}
}

// A network far from all tractable parts is warned of where it cannot go step by step, and particles do better.
func TestWarning(t *testing.T) {
	f := fixtureOf(t, 6, 6)
	c, _ := f.condition(t, 10, 0, false)
	for _, steps := range []bool{false, true} {
		net := Distribution(f.net)
		if !steps {
			net = struct{ Distribution }{f.net}
		}
		s, err := New([]Part{{Name: "chain", Distribution: Chain(chain.Uniform(f.g).Distribution()), Weight: .5},
			{Name: "network", Distribution: net, Weight: .5}})
		if err != nil {
			t.Fatal(err)
		}
		x, err := s.Given(context.Background(), c, Options{Least: .3})
		if err != nil {
			t.Fatal(err)
		}
		if e := x.Estimates[1]; e.Steps != steps || (e.Warning != "") == steps || (e.ESS < .3) == steps {
			t.Errorf("steps %v: estimate %+v", steps, e)
		}
	}
}

// What is estimated ends with its context.
func TestParticlesEnd(t *testing.T) {
	f := fixtureOf(t, 4, 1.2)
	c, _ := f.condition(t, 3, 2, true)
	a, err := Chain(chain.Uniform(f.g).Distribution()).(looker).look(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.run(ctx, f.net, 8, ddps.Rand(6, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("particles after their context: %v", err)
	}
	if _, err := f.stack(t, 0, 0, 1).Given(ctx, c, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("an estimate after its context: %v", err)
	}
}
