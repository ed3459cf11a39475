package chain

import (
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

// fixture is a distribution, all paths of its graph in their order, and their probabilities by multiplication.
type fixture struct {
	name  string
	dist  *Distribution
	paths []ddps.Path
	edges [][]int
	p     []float64
}

// fixtureOf multiplies the probabilities up itself, by the product graph's definition.
func fixtureOf(name string, l *Distribution) fixture {
	f := fixture{name: name, dist: l}
	g := l.Product.Graph
	for path := range l.Base().Paths() {
		edges, err := l.Base().PathEdges(nil, path)
		if err != nil {
			panic(err)
		}
		s, p := 0, 1.0
		for _, e := range edges {
			lo, hi := g.Edges(s)
			k := lo
			for k < hi && l.Product.Edge[k] != e {
				k++
			}
			if k == hi {
				p = 0
				break
			}
			p *= l.P[k]
			s = g.Head(k)
		}
		f.paths, f.edges, f.p = append(f.paths, path), append(f.edges, edges), append(f.p, p)
	}
	return f
}

// fixtures are distributions of first and second order and conditioned ones, on the example, Toy and random graphs.
func fixtures() []fixture {
	_, _, toy := oracle.Load()
	graphs := []*ddps.LayeredGraph{ddps.Example(), toy}
	for i := range uint64(20) {
		graphs = append(graphs, oracle.RandomGraph(ddps.Rand(11, i)))
	}
	var list []fixture
	for i, g := range graphs {
		name, rng := []string{"example", "toy", "random"}[min(i, 2)], ddps.Rand(12, uint64(i))
		first := (&Chain{g, oracle.RandomRows(g, rng)}).Distribution()
		line := Line(g)
		second := &Distribution{line, oracle.RandomRows(line.Graph, rng)}
		list = append(list, fixtureOf(name+", first order", first), fixtureOf(name+", second order", second))
		c, at, err := Unfold(g, 0, countMod(3), 0)
		if err != nil {
			panic(err)
		}
		if given, _, err := second.Condition(c, lastState(c, at, 1)); err == nil {
			list = append(list, fixtureOf(name+", conditioned", given))
		}
	}
	return list
}

// countMod is an automaton that adds the numbers of edges up modulo m.
func countMod(m int) func(q, e int) (int, bool) {
	return func(q, e int) (int, bool) { return (q + e) % m, true }
}

// lastState returns weights that are 1 but for the edges to states of the last layer other than q.
func lastState(c *Product, at []int, q int) []float64 {
	w := slices.Repeat([]float64{1}, len(c.Edge))
	last, _ := c.Graph.Layer(c.Graph.NumLayers() - 1)
	for k := range w {
		if h := c.Graph.Head(k); h >= last && at[h] != q {
			w[k] = 0
		}
	}
	return w
}

// close9 reports whether a and b are within 1e-9 of each other, relative where they are large, or equal.
func close9(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

func (f fixture) wantProbs(t *testing.T, l *Distribution, want []float64) {
	t.Helper()
	sum := 0.0
	for i, p := range f.paths {
		lp, err := l.LogProb(p)
		if err != nil {
			t.Fatal(err)
		}
		sum += math.Exp(lp)
		if !close9(math.Exp(lp), want[i]) {
			t.Errorf("%s: P(%v) = %v, want %v", f.name, p, math.Exp(lp), want[i])
		}
	}
	if !close9(sum, 1) {
		t.Errorf("%s: probabilities sum to %v", f.name, sum)
	}
}
