package model

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/stack"
)

// slow is a part that takes forever to be conditioned.
type slow struct{ stack.Tractable }

func (slow) Given(ctx context.Context, _ stack.Condition) (stack.Tractable, float64, error) {
	<-ctx.Done()
	return nil, 0, ctx.Err()
}

// Samples of a stack given a condition end with their context while it is conditioned, and those of one goroutine do
// not wait for another's.
func TestDeadlines(t *testing.T) {
	g := ddps.Example()
	c := chain.Uniform(g)
	s, err := stack.New([]stack.Part{{Name: "chain", Distribution: slow{stack.Chain(c.Distribution())}, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	cfg := DefaultConfig()
	cfg.Network, cfg.Stack.Parts = NetworkNone, PartFirst
	m, err := NewStack(c, s, cfg)
	if err != nil {
		t.Fatal(err)
	}
	end, err := guide.EndIn(g, g.NumVertices()-1)
	if err != nil {
		t.Fatal(err)
	}
	sample := func(ctx context.Context) <-chan error {
		done, sampler := make(chan error, 1), m.Sampler()
		sampler.Condition = end
		go func() {
			_, err := sampler.Sample(ctx, 1, 1)
			done <- err
		}()
		return done
	}
	long, stop := context.WithCancel(t.Context())
	first := sample(long)
	short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	select {
	case err := <-sample(short):
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after its deadline: %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the deadline is over")
	}
	if stop(); !errors.Is(<-first, context.Canceled) {
		t.Error("the first did not end with its context")
	}
}
