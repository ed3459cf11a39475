package mixture

import (
	"testing"

	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

// The states of Turns know the other place before, over any wait, and whether there was one; every path lies under one
// of the product graph.
func TestTurns(t *testing.T) {
	g := oracle.Places()
	l, states, err := turnStates(g, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for p := range g.Paths() {
		edges, ok, err := l.Edges(nil, p)
		if err != nil || !ok {
			t.Fatalf("path %v: %v %v", p, ok, err)
		}
		n++
		place := g.Meta().Place
		for i, k := range edges {
			want := came{-1, false}
			for j := 1; j <= i+1; j++ { // the rule, move by move
				if u, v := place[p[j-1]], place[p[j]]; u == v {
					want.waited = true
				} else {
					want = came{u, false}
				}
			}
			if got := states[l.Graph.Head(k)]; got != want {
				t.Fatalf("path %v, move %d: %v, want %v", p, i, got, want)
			}
		}
	}
	if n != 16 {
		t.Errorf("%d paths", n)
	}
}
