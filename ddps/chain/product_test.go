package chain

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

// One path of the line graph projects to each path, and NewProduct agrees with Line on what is where.
func TestLine(t *testing.T) {
	for i := range uint64(50) {
		g := oracle.RandomGraph(ddps.Rand(51, i))
		line := Line(g)
		if a, b := ddps.NewIndex(g).Count(), ddps.NewIndex(line.Graph).Count(); a.Cmp(b) != 0 {
			t.Errorf("%v paths, %v of the line graph", a, b)
		}
		l, err := NewProduct(g, line.Graph, line.Edge)
		if err != nil {
			t.Fatal(err)
		}
		for s, v := range l.Vertex {
			if v >= 0 && v != line.Vertex[s] {
				t.Errorf("state %d projects to %d, not %d", s, v, line.Vertex[s])
			}
		}
		for _, l := range []*Product{line, Identity(g)} {
			for p := range g.Paths() {
				edges, ok, err := l.Edges([]int{-7}, p)
				want, _ := g.PathEdges(nil, p)
				if err != nil || !ok || edges[0] != -7 || len(edges) != len(p) {
					t.Fatalf("%v: edges %v, %v, %v", p, edges, ok, err)
				}
				s := 0
				for j, k := range edges[1:] {
					if l.Edge[k] != want[j] || l.Graph.Tail(k) != s || l.Vertex[s] != p[j] {
						t.Errorf("%v: edge %d over %d, want %d", p, k, l.Edge[k], want[j])
					}
					s = l.Graph.Head(k)
				}
			}
		}
	}
}

func TestNewLiftErrors(t *testing.T) {
	g := ddps.Example()
	other, err := ddps.New([]int{1, 2}, [][]int{{1, 2}, nil, nil})
	if err != nil {
		t.Fatal(err)
	}
	edges := func(change func([]int)) []int {
		e := upTo(g.NumEdges())
		change(e)
		return e
	}
	for _, c := range []struct {
		g    *ddps.LayeredGraph
		edge []int
		want string
	}{
		{other, []int{0, 1}, "2 layers over 4"}, {g, nil, "0 base edges"},
		{g, edges(func(e []int) { e[0] = -1 }), "state 0: edge -1"}, {g, edges(func(e []int) { e[len(e)-1] = len(e) }),
			"the base has"},
		{g, edges(func(e []int) { e[0], e[1] = 1, 0 }), "must ascend"}, {g, edges(func(e []int) { e[1] = 0 }), "must ascend"},
		{g, edges(func(e []int) { e[2] = 3 }), "projects to"}, {g, edges(func(e []int) { e[0] = len(e) - 1 }),
			"another layer"},
	} {
		if _, err := NewProduct(g, c.g, c.edge); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("edges %v: %v, want %q", c.edge, err, c.want)
		}
	}
	if _, err := NewProduct(other, other, []int{0, 1}); err != nil {
		t.Errorf("the identity: %v", err)
	}
	if _, err := NewProduct(g, g, upTo(g.NumEdges())); err != nil {
		t.Errorf("the identity: %v", err)
	}
}

// Paths that meet an automaton's condition, counted by enumeration.
func TestUnfold(t *testing.T) {
	for i := range uint64(50) {
		g := oracle.RandomGraph(ddps.Rand(52, i))
		next := func(q, e int) (int, bool) { return (2*q + e) % 5, (q+e)%4 != 3 }
		l, at, err := Unfold(g, 1, next, 0)
		if err != nil {
			t.Fatal(err)
		}
		n := int64(0)
		for p := range g.Paths() {
			edges, _ := g.PathEdges(nil, p)
			q, ok, on, s := 1, true, l != nil, 0
			for _, e := range edges {
				if q, ok = next(q, e); !ok {
					on = false
					break
				}
				if !on {
					continue
				}
				k, has := l.above(s, e)
				if on = has; !on { // no way on to the end
					continue
				}
				if s = l.Graph.Head(k); at[s] != q {
					t.Errorf("state %d is %d, want %d", s, at[s], q)
				}
			}
			if ok {
				n++
			}
			if l != nil && ok != on {
				t.Errorf("%v: in the product graph %v, want %v", p, on, ok)
			}
		}
		if l == nil {
			if n > 0 {
				t.Errorf("no lift, %d paths", n)
			}
			continue
		}
		if c := ddps.NewIndex(l.Graph).Count(); c.Cmp(big.NewInt(n)) != 0 {
			t.Errorf("%v paths, want %d", c, n)
		}
		if slices.Contains(l.Graph.Reachable(), false) {
			t.Error("a state out of reach")
		}
	}
	if _, _, err := Unfold(ddps.Example(), 0, countMod(3), 5); err == nil || !strings.Contains(err.Error(),
		"more than 5 edges, at layer 2 of 4") {
		t.Errorf("limit: %v", err)
	}
}
