package stack

import (
	"context"
	"testing"

	"github.com/ddps-go/ddps/ddps/guide/where"
)

// lookedAt is a chain that counts how often it looks ahead.
type lookedAt struct {
	product
	n *int
}

func (l lookedAt) look(ctx context.Context, c Condition) (*lookahead, error) {
	*l.n++
	return l.product.look(ctx, c)
}

// The parts that are estimated by particles share one lookahead, whose product graph may be large.
func TestGivenLooksOnce(t *testing.T) {
	f, n := fixtureOf(t, 4, 1), 0
	s, err := New([]Part{{Name: "chain", Distribution: lookedAt{f.first.(product), &n}, Weight: .98},
		{Name: "one", Distribution: f.net, Weight: .01}, {Name: "other", Distribution: f.net, Weight: .01}})
	if err != nil {
		t.Fatal(err)
	}
	x, err := where.Parse(`visit(vertex 2)`)
	if err != nil {
		t.Fatal(err)
	}
	c, err := x.Condition(f.g, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := c.Product()
	_, err = s.Given(context.Background(), Condition{p.Product, p.LogW}, Options{Draws: 64, Least: 1})
	if err != nil || n != 1 {
		t.Errorf("the chain looks ahead %d times, expected once: %v", n, err)
	}
}
