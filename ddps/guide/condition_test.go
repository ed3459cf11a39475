package guide

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

// enumerated is a condition with the weight that it must give to each path.
type enumerated struct {
	name   string
	make   func() (Condition, error)
	weight func(ddps.Path) float64
}

// step returns the first step after from at which p meets s, len(p) if none does.
func step(g *ddps.LayeredGraph, p ddps.Path, s Stop, from int) int {
	for l := from + 1; l < len(p); l++ {
		if slices.Contains(s.Vertices, p[l]) {
			return l
		}
		if l > 0 {
			if e, _ := g.EdgeBetween(p[l-1], p[l]); slices.Contains(s.Edges, e) {
				return l
			}
		}
	}
	return len(p)
}

// cases returns conditions of every kind on g, u its rewards and cost others that are no whole numbers.
func cases(g *ddps.LayeredGraph, u, cost []float64, a, b, c Stop) []enumerated {
	L := g.NumLayers()
	all := func(p ddps.Path, stops ...Stop) bool {
		return !slices.ContainsFunc(stops, func(s Stop) bool { return step(g, p, s, -1) == L })
	}
	total := func(p ddps.Path) float64 { return g.Total(u, p) }
	end := []int{g.NumVertices() - 1, g.NumVertices() - 2}
	rmax := g.Best(u)
	limit := (g.Best(cost) + chain.Uniform(g).P[0]) / 2
	best := func() (Condition, error) { return MaxReward(g, u) }
	warm := func() (Condition, error) { return Boltzmann(g, u, 0.7) }
	list := []enumerated{
		{"best", best, func(p ddps.Path) float64 { return met(total(p) == rmax) }},
		{"warm", warm, func(p ddps.Path) float64 { return math.Exp(0.7 * total(p)) }},
		{"cold", func() (Condition, error) { return Boltzmann(g, u, -3) },
			func(p ddps.Path) float64 { return math.Exp(-3 * total(p)) }},
		{"at least", func() (Condition, error) { return AtLeast(g, u, rmax-1) },
			func(p ddps.Path) float64 { return met(total(p) >= rmax-1) }},
		{"exactly", func() (Condition, error) { return Exactly(g, u, rmax-1) },
			func(p ddps.Path) float64 { return met(total(p) == rmax-1) }},
		{"band", func() (Condition, error) { return Within(g, u, Band{Min: rmax - 2, Max: rmax - 1}) },
			func(p ddps.Path) float64 { return met(total(p) >= rmax-2 && total(p) <= rmax-1) }},
		{"budget", func() (Condition, error) { return Budget(g, cost, limit) },
			func(p ddps.Path) float64 { return met(g.Total(cost, p) <= limit) }},
		{"must visit", func() (Condition, error) { return MustVisit(g, a.Vertices[0]) },
			func(p ddps.Path) float64 { return met(slices.Contains(p, a.Vertices[0])) }},
		{"avoid", func() (Condition, error) { return Avoid(g, a) }, func(p ddps.Path) float64 { return met(!all(p, a)) }},
		{"through one", func() (Condition, error) { return Through(g, c) },
			func(p ddps.Path) float64 { return met(all(p, c)) }},
		{"through", func() (Condition, error) { return Through(g, a, b, c) },
			func(p ddps.Path) float64 { return met(all(p, a, b, c)) }},
		{"in order", func() (Condition, error) { return InOrder(g, c, a) },
			func(p ddps.Path) float64 { return met(step(g, p, a, step(g, p, c, -1)) < L) }},
		{"layer", func() (Condition, error) { return Through(g, c.Layer(g, 2)) },
			func(p ddps.Path) float64 { return met(all(p, c.Layer(g, 2))) }},
		{"end", func() (Condition, error) { return EndIn(g, end...) },
			func(p ddps.Path) float64 { return met(slices.Contains(end, p[L-1])) }},
	}
	for _, both := range [][2]int{{1, 3}, {3, 6}, {8, 9}, {4, 9}, {0, 10}, {1, 11}, {3, 13}, {5, 8}} {
		x, y := list[both[0]], list[both[1]]
		list = append(list, enumerated{x.name + " and " + y.name, func() (Condition, error) {
			p, err := x.make()
			q, err2 := y.make()
			if err := errors.Join(err, err2); err != nil {
				return nil, err
			}
			return All(p, q)
		}, func(p ddps.Path) float64 { return x.weight(p) * y.weight(p) }})
	}
	return list
}

// Every condition, on the example graph and on Toy, against the enumeration of all paths: log m, the distribution of
// the path, the row distributions, the weights of paths, and whether it can be met at all.
func TestConditionsEnumerated(t *testing.T) {
	o, _, toy := oracle.Load()
	for name, g := range map[string]*ddps.LayeredGraph{"example": ddps.Example(), "toy": toy} {
		rng := ddps.Rand(12, 0)
		z, u, cost := make([]float64, g.NumEdges()), make([]float64, g.NumEdges()), make([]float64, g.NumEdges())
		for e := range z {
			z[e], u[e], cost[e] = rng.NormFloat64(), float64(rng.IntN(4)-1), math.Round(100*rng.Float64())/100
		}
		if name == "toy" {
			u = o.U
		}
		chain.Softmax(g, z, z)
		a, b, c := Stop{Vertices: []int{4, 5}, Edges: []int{6}}, Stop{Vertices: []int{8}}, Stop{Edges: []int{0, 1, 4, 5},
			Vertices: []int{5, 7}}
		dist, impossible := oracle.NewDistribution(g), 0
		for _, k := range cases(g, u, cost, a, b, c) {
			impossible += checkEnumerated(t, name+", "+k.name, dist, dist.Of(z), z, k)
		}
		if impossible > 8 {
			t.Errorf("%s: %d cases are impossible: too few are tested", name, impossible)
		}
	}
}

// checkEnumerated compares a condition with the weights of all paths; it returns 1 where none has any.
func checkEnumerated(t *testing.T, name string, dist *oracle.Distribution, p, pi []float64, k enumerated) int {
	t.Helper()
	g, m := dist.Graph, 0.0
	for i, q := range dist.Paths {
		m += p[i] * k.weight(q)
	}
	c, err := k.make()
	if m == 0 {
		if err == nil || !strings.Contains(err.Error(), "no path meets") {
			t.Errorf("%s: no path meets it, but the error is %v", name, err)
		}
		return 1
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return 0
	}
	out := make([]float64, len(pi))
	if logm := c.Tilt(pi, out); !near(logm, math.Log(m), 1e-9) || !near(math.Exp(logm), m, 1e-9) {
		t.Errorf("%s: log m = %v, want %v", name, logm, math.Log(m))
	}
	tilted, logm, err := Given(g, pi, c)
	if err != nil || !near(logm, c.Tilt(pi, out), 1e-12) {
		t.Errorf("%s: given: log m = %v, %v", name, logm, err)
	}
	n := int64(0)
	for _, q := range dist.Paths {
		if k.weight(q) > 0 {
			n++
		}
	}
	if got := Count(g, c); !got.IsInt64() || got.Int64() != n {
		t.Errorf("%s: %v paths, want %d", name, got, n)
	}
	flow := make([]float64, len(pi))
	for i, q := range dist.Paths {
		want := p[i] * k.weight(q) / m
		for _, e := range dist.Edges[i] {
			flow[e] += want
		}
		if lp, _ := tilted.LogProb(q); !near(math.Exp(lp), want, 1e-9) {
			t.Errorf("%s: P(%v) = %v, want %v", name, q, math.Exp(lp), want)
		}
		if got := c.LogWeight(q); !near(math.Exp(got), k.weight(q), 1e-9) {
			t.Errorf("%s: weight of %v: %v, want %v", name, q, math.Exp(got), k.weight(q))
		}
	}
	checkGiven(t, name, dist, c, k)
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		sum := 0.0
		for e := lo; e < hi; e++ {
			sum += flow[e]
		}
		for e := lo; e < hi && sum > 0; e++ {
			if !near(out[e], flow[e]/sum, 1e-9) {
				t.Errorf("%s: row of vertex %d: %v, want %v", name, v, out[e], flow[e]/sum)
			}
		}
	}
	return 0
}

// checkGiven conditions a second-order distribution, and holds it against the weights of all paths.
func checkGiven(t *testing.T, name string, dist *oracle.Distribution, c Condition, k enumerated) {
	t.Helper()
	second, err := chain.FitSecond(dist.Graph, dist.Paths[:(len(dist.Paths)+1)/2], nil, chain.SecondConfig{Kappa1: 0.3,
		Kappa2: 2})
	if err != nil {
		t.Fatal(err)
	}
	want, m := make([]float64, len(dist.Paths)), 0.0
	for i, q := range dist.Paths {
		lp, _ := second.LogProb(q)
		want[i] = math.Exp(lp) * k.weight(q)
		m += want[i]
	}
	given, logm, err := GivenDistribution(second, c)
	if err != nil || !near(logm, math.Log(m), 1e-9) {
		t.Errorf("%s: second order: log m = %v, %v, want %v", name, logm, err, math.Log(m))
		return
	}
	for i, q := range dist.Paths {
		if lp, _ := given.LogProb(q); !near(math.Exp(lp), want[i]/m, 1e-9) {
			t.Errorf("%s: second order: P(%v) = %v, want %v", name, q, math.Exp(lp), want[i]/m)
		}
	}
}

// What needs no memory has none, so that it is as cheap as weights by edge.
func TestNoMemory(t *testing.T) {
	g := ddps.Example()
	u := []float64{1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1}[:g.NumEdges()]
	best, _ := MaxReward(g, u)
	warm, _ := Boltzmann(g, u, 2)
	avoid, _ := Avoid(g, Stop{Vertices: []int{5}})
	end, _ := EndIn(g, 8, 9)
	visit, _ := MustVisit(g, 4)
	low, _ := AtLeast(g, u, -5)
	together, err := All(warm, avoid, end)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Condition{best, warm, avoid, end, visit, low, together} {
		if l, _ := c.OnProduct(); l != nil {
			t.Errorf("%v has a memory", c)
		}
	}
	if l, _ := (must(Through(g, Stop{Vertices: []int{2}, Edges: []int{9}}))).OnProduct(); l == nil {
		t.Error("C or an edge: a path must remember which")
	}
}

func must(c Condition, err error) Condition {
	if err != nil {
		panic(err)
	}
	return c
}

func TestBadConditions(t *testing.T) {
	g := ddps.Example() // A | B C D | E F G | H I J
	u := make([]float64, g.NumEdges())
	u[0], u[1] = math.Pi, math.E
	inf := math.Inf(1)
	visit := func(v ...int) Condition { return must(MustVisit(g, v...)) }
	avoid := func(v ...int) Condition { return must(Avoid(g, Stop{Vertices: v})) }
	other, err := ddps.Example().WithMeta(ddps.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	for want, f := range map[string]func() (Condition, error){
		"no vertex 10":                  func() (Condition, error) { return MustVisit(g, 10) },
		"no vertex -1":                  func() (Condition, error) { return Avoid(g, Stop{Vertices: []int{-1}}) },
		"no edge 99":                    func() (Condition, error) { return Through(g, Stop{Edges: []int{99}}) },
		"empty set":                     func() (Condition, error) { return Avoid(g, Stop{}) },
		"no stops":                      func() (Condition, error) { return InOrder(g) },
		"not in the last layer":         func() (Condition, error) { return EndIn(g, 4) },
		"visit vertex 1 and vertex 2":   func() (Condition, error) { return MustVisit(g, 1, 2) },
		"reward >= 4: no path meets it": func() (Condition, error) { return AtLeast(g, u, 4) },
		"cost <= -1: no path meets it":  func() (Condition, error) { return Budget(g, u, -1) },
		"is no band":                    func() (Condition, error) { return Within(g, u, Band{Min: 2, Max: 1}) },
		"NaN to 1":                      func() (Condition, error) { return Within(g, u, Band{Min: math.NaN(), Max: 1}) },
		"steps of -1 is no band":        func() (Condition, error) { return Within(g, u, Band{Max: 1, Step: -1}) },
		"too many steps":                func() (Condition, error) { return Within(g, u, Band{Max: 1, Step: 1e-300}) },
		"the weight of edge A → B is +I": func() (Condition, error) {
			return New(g, "x", Automaton{Next: func(q, e int) (int, float64) { return 0, inf }})
		},
		"the weight of edge A → B is -1": func() (Condition, error) {
			return New(g, "x", Automaton{Next: func(q, e int) (int, float64) { return 0, -1 }})
		},
		"of no conditions": func() (Condition, error) { return All() },
		"not a condition":  func() (Condition, error) { return All(visit(1), nil) },
		"different graphs": func() (Condition, error) { return All(visit(1), must(MustVisit(other, 1))) },
		"meets visit vertex 1 and avoid vertex 1 together": func() (Condition, error) {
			return All(visit(6), visit(1),
				avoid(4), avoid(1))
		},
		"meets avoid vertex 4 and avoid vertex 5 and avoid vertex 6 together": func() (Condition, error) {
			return All(avoid(4), visit(1, 8), avoid(5), avoid(6))
		},
	} {
		if _, err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// What a distribution forbids is told by the part that it forbids.
func TestImpossible(t *testing.T) {
	g := ddps.Example()
	pi := chain.Uniform(g).P
	pi[0], pi[1], pi[2] = 0, 0.5, 0.5 // never by B
	b, c, h := must(MustVisit(g, 1)), must(MustVisit(g, 2)), must(MustVisit(g, 7))
	for _, k := range []struct {
		c    Condition
		want string
	}{
		{b, "meets visit vertex 1"}, {c, ""}, {h, ""}, {must(All(b, h)), "meets visit vertex 1"}, {must(All(h, c)), ""},
		{must(All(must(Avoid(g, Stop{Vertices: []int{6}})), h, must(Avoid(g, Stop{Vertices: []int{2}})))),
			"meets avoid vertex 6 and visit vertex 7 and avoid vertex 2 together"},
	} {
		err := k.c.Impossible(pi)
		if (err == nil) != (k.want == "") || err != nil && !strings.HasSuffix(err.Error(), k.want) &&
			!strings.Contains(err.Error(), k.want+";") {
			t.Errorf("%v: %v, want %q", k.c, err, k.want)
		}
	}
}

// A product that does not fit is refused, with the states of each part.
func TestTooLarge(t *testing.T) {
	_, _, g := oracle.Load()
	u := make([]float64, g.NumEdges())
	for e := range u {
		u[e] = math.Sqrt(float64(e))
	}
	band, err := Within(g, u, Band{Min: 51, Max: 200})
	if err != nil {
		t.Fatal(err)
	}
	visit := must(Through(g, Stop{Vertices: []int{4, 8, 12}}))
	if _, err := allOf(100, []Condition{visit, band}); err == nil || !strings.Contains(err.Error(),
		"visit vertex 4, vertex 8, vertex 12 (3 states, 4 edges)") ||
		!strings.Contains(err.Error(), "more than 100 edges") {
		t.Errorf("error %v", err)
	}
}

// Rewards that are no multiples of anything: exact where sums are few; rounded to a step, no path outside the band, and
// none missing well inside, and the step is told.
func TestBandOfReals(t *testing.T) {
	_, _, g := oracle.Load()
	rng := ddps.Rand(5, 0)
	u, minus := make([]float64, g.NumEdges()), make([]float64, g.NumEdges())
	for e := range u {
		u[e] = rng.NormFloat64()
		minus[e] = -u[e]
	}
	pi := chain.Uniform(g).P
	dist := oracle.NewDistribution(g)
	for _, step := range []float64{0, 0.01} {
		slack := step * float64(g.NumLayers()-1)
		for _, b := range []Band{{Min: 1, Max: math.Inf(1), Step: step}, {Min: math.Inf(-1), Max: -1, Step: step},
			{Min: -0.5, Max: 0.5, Step: step}} {
			c := must(Within(g, u, b))
			if notes := c.Product().Notes; len(notes) != 1 || strings.Contains(notes[0], "in steps of") != (step > 0) {
				t.Errorf("%v: notes %q", b, notes)
			}
			b.Wide = true
			wide := must(Within(g, u, b))
			sum := 0.0
			for i, p := range dist.Paths {
				r, in := g.Total(u, p), c.LogWeight(p) == 0
				if near := wide.LogWeight(p) == 0; !near && r >= b.Min && r <= b.Max || near &&
					(r < b.Min-slack || r > b.Max+slack) || in && !near {
					t.Errorf("%v: reward %v: wide %v", b, r, near)
				}
				if in && (r < b.Min || r > b.Max) || !in && r >= b.Min+slack && r <= b.Max-slack {
					t.Errorf("%v: reward %v: %v", b, r, in)
				}
				sum += met(in) * dist.Of(pi)[i]
			}
			if got := math.Exp(c.Tilt(pi, minus)); !near(got, sum, 1e-9) {
				t.Errorf("%v: m = %v, want %v", b, got, sum)
			}
		}
	}
}

// Each pass is linear in the edges of the product.
func BenchmarkTilt(b *testing.B) {
	for _, width := range []int{10, 32, 100, 316} { // 10³ … 10⁶ edges
		sizes, heads := []int{1}, [][]int{nil}
		for l := range 10 {
			lo := len(heads)
			for range width {
				heads = append(heads, nil)
			}
			sizes = append(sizes, width)
			for v := lo - sizes[l]; v < lo; v++ {
				for w := lo; w < len(heads); w++ {
					heads[v] = append(heads[v], w)
				}
			}
		}
		g, err := ddps.New(sizes, heads)
		if err != nil {
			b.Fatal(err)
		}
		u := make([]float64, g.NumEdges())
		rng := ddps.Rand(1, 0)
		for e := range u {
			u[e] = float64(rng.IntN(2))
		}
		pi, out := chain.Uniform(g).P, make([]float64, g.NumEdges())
		any := Stop{Vertices: []int{1 + width, 2 + 3*width}}
		for name, make := range map[string]func() (Condition, error){
			"MaxReward": func() (Condition, error) { return MaxReward(g, u) }, "Boltzmann": func() (Condition,
				error) {
				return Boltzmann(g, u, 1)
			},
			"AtLeast": func() (Condition, error) { return AtLeast(g, u, 6) }, "Exactly": func() (Condition,
				error) {
				return Exactly(g, u, 6)
			},
			"Avoid": func() (Condition, error) { return Avoid(g, any) }, "Through": func() (Condition, error) {
				return Through(g,
					any)
			},
			"Budget": func() (Condition, error) { return Budget(g, u, 4) },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, g.NumEdges()), func(b *testing.B) {
				c, err := make()
				if err != nil {
					b.Fatal(err)
				}
				edges := g.NumEdges()
				if l, _ := c.OnProduct(); l != nil {
					edges = l.Graph.NumEdges()
				}
				for b.Loop() {
					c.Tilt(pi, out)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*edges), "ns/edge")
				b.ReportMetric(float64(edges), "edges")
			})
		}
	}
}

// A Boltzmann weight is above 0 however great |β| is.
func TestBoltzmannForbidsNothing(t *testing.T) {
	g := ddps.Example()
	u := make([]float64, g.NumEdges())
	u[0], u[5] = 1, 2
	all := ddps.NewIndex(g).Count()
	for _, beta := range []float64{-1e4, -700, 0, 700, 1e4} {
		c, err := Boltzmann(g, u, beta)
		if err != nil {
			t.Fatal(err)
		}
		if n := Count(g, c); n.Cmp(all) != 0 {
			t.Errorf("β %v: %v of %v paths", beta, n, all)
		}
		for p := range g.Paths() {
			if math.IsInf(c.LogWeight(p), 0) {
				t.Errorf("β %v: path %v has log weight %v", beta, p, c.LogWeight(p))
			}
		}
	}
}
