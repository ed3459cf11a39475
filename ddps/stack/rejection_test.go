package stack

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Draws by rejection are those of enumeration (χ²), with weights and without, of tractable parts and others; they
// depend on seed and number alone.
func TestRejection(t *testing.T) {
	f := fixtureOf(t, 4, .6)
	s := f.stack(t, .1, .3, .6)
	for r, weigh := range []bool{false, true} {
		c, w := f.condition(t, 3, r, weigh)
		x, err := s.Rejection(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		p, sum := f.given(t, s, w)
		if got, want := x.Tries(math.Log(sum)), slices.Max(w)/sum; math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%v draws for each path, expected %v", got, want)
		}
		if per, cells := f.drawn(t, x, p); per > 1+5*math.Sqrt(2/cells) || cells < 10 {
			t.Errorf("χ² is %.2f per cell of %v", per, cells)
		}
	}
}

// A condition that the other parts' draws never meet ends, and one that no tractable part can meet is impossible.
func TestRejectionErrors(t *testing.T) {
	f, other := fixtureOf(t, 3, 1), fixtureOf(t, 4, 1)
	any, _ := f.condition(t, 2, 0, false)
	if _, err := other.stack(t, .5, .5, 0).Rejection(t.Context(), any); err == nil {
		t.Error("a condition on another graph must be refused")
	}
	sure := f.sure(t)
	c, w := f.condition(t, 2, 0, false) // of two opposite conditions the one that the path of sure does not meet
	for i, p := range f.probs(t, sure) {
		if p == 1 && w[i] > 0 {
			c, _ = f.condition(t, 2, 1, false)
		}
	}
	tractable, network := []Part{{Name: "sure", Distribution: sure, Weight: 1}}, struct{ Distribution }{sure}
	if _, err := (&Stack{Parts: tractable}).Rejection(t.Context(), c); !errors.Is(err, chain.ErrImpossible) {
		t.Errorf("no path meets the condition: %v", err)
	}
	both := &Stack{Parts: append(tractable, Part{Name: "network", Distribution: network, Weight: 1})}
	x, err := both.Rejection(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Sample(context.Background(), make([]ddps.Path, 1), 1, 0); err == nil ||
		!strings.Contains(err.Error(), "too rare") {
		t.Errorf("no draw meets the condition: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := x.Sample(ctx, make([]ddps.Path, 1), 1, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
