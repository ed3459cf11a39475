package where

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

// sequences is a graph of words that begin in any of three letters, have three to six of them, and are filled up with
// END.
func sequences(t testing.TB) *ddps.LayeredGraph {
	sizes, heads, names := []int{1, 3}, [][]int{{1, 2, 3}}, []string{"source", "a", "b", "c"}
	for l := range 6 {
		sizes = append(sizes, 4)
		names = append(names, "a", "b", "c", "END")
		for range sizes[l+1] {
			heads = append(heads, nil)
		}
		first := len(heads)
		for v := first - sizes[l+1]; v < first; v++ {
			for w := range 4 {
				stop, end := w == 3, names[v] == "END"
				if end == stop && (end || l < 5) || !end && stop && l >= 2 {
					heads[v] = append(heads[v], first+w)
				}
			}
		}
	}
	heads = append(heads, nil, nil, nil, nil)
	return meta(t, sizes, heads, ddps.Meta{Names: names})
}

// patrol is a day of a guard: four places, every five minutes from 8:00, with moves to neighbours and waits.
func patrol(t testing.TB) *ddps.LayeredGraph {
	sizes, heads, names := []int{1}, [][]int{}, []string{"Depot"}
	places := []string{"Depot", "Gate", "Park", "Dock 4"}
	for l := range 5 {
		sizes, names = append(sizes, 4), append(names, places...)
		first := 1 + 4*l
		for v := range sizes[l] {
			heads = append(heads, []int{first + v, first + (v+1)%4, first + (v+3)%4})
		}
	}
	heads = append(heads, nil, nil, nil, nil)
	return meta(t, sizes, heads, ddps.Meta{Names: names, Attr: map[string]string{"from": "8:00", "slot": "300"}})
}

func meta(t testing.TB, sizes []int, heads [][]int, m ddps.Meta) *ddps.LayeredGraph {
	t.Helper()
	g, err := ddps.New(sizes, heads)
	if err == nil {
		g, err = g.WithMeta(m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g.Prune()
}

// distribution is a distribution of paths in closed form, and its probabilities.
type distribution struct {
	classes []*chain.Distribution
	weight  []float64
	p       []float64
}

// distributions returns a first-order chain, a second-order one, and a mixture of two.
func distributions(t testing.TB, g *ddps.LayeredGraph, paths []ddps.Path, seed uint64) []distribution {
	t.Helper()
	rng := ddps.Rand(seed, 1)
	random := func() *chain.Distribution {
		p := make([]float64, g.NumEdges())
		for e := range p {
			p[e] = rng.NormFloat64()
		}
		chain.Softmax(g, p, p)
		return (&chain.Chain{Graph: g, P: p}).Distribution()
	}
	second, err := chain.FitSecond(g, paths[:len(paths)/2+1], nil, chain.SecondConfig{Kappa1: 0.3, Kappa2: 2})
	if err != nil {
		t.Fatal(err)
	}
	list := []distribution{{classes: []*chain.Distribution{random()}, weight: []float64{1}},
		{classes: []*chain.Distribution{second}, weight: []float64{1}},
		{classes: []*chain.Distribution{random(), random()}, weight: []float64{0.3, 0.7}}}
	for i := range list {
		for _, p := range paths {
			sum := 0.0
			for k, dist := range list[i].classes {
				lp, _ := dist.LogProb(p)
				sum += list[i].weight[k] * math.Exp(lp)
			}
			list[i].p = append(list[i].p, sum)
		}
	}
	return list
}

// given returns the probability of c and the distribution of each class given it.
func (d distribution) given(t testing.TB, c guide.Condition) (m float64, classes []*chain.Distribution,
	weight []float64) {
	t.Helper()
	classes, weight, err := guide.GivenDistributions(d.classes, c)
	if err != nil {
		t.Fatal(err)
	}
	for k, logm := range weight {
		weight[k] = d.weight[k] * math.Exp(logm)
		m += weight[k]
	}
	return m, classes, weight
}

// enumerable are six graphs whose paths can be listed, with an author for each.
func enumerable(t testing.TB) map[string]*author {
	_, _, toy := oracle.Load()
	w, _ := world(t)
	list := map[string]*author{"example": {g: ddps.Example(), from: -1}, "toy": {g: toy, from: -1},
		"world": {g: w, from: -1},
		"dna":   {g: dna(t, "source", 5), from: -1, dna: true}, "sequences": {g: sequences(t), from: -1},
		"patrol": {g: patrol(t), from: 8 * 3600}}
	seed := uint64(0)
	for _, name := range []string{"example", "toy", "world", "dna", "sequences", "patrol"} {
		a := list[name]
		seed++
		a.rng, a.totals = ddps.Rand(24, seed), map[string][]float64{}
		for v := range a.g.NumVertices() {
			if n := a.g.Name(v); n != "source" && n != "END" && !slices.Contains(a.names, n) {
				a.names = append(a.names, n)
			}
		}
		reward, cost := make([]float64, a.g.NumEdges()), make([]float64, a.g.NumEdges())
		for e := range reward {
			reward[e], cost[e] = float64(a.rng.IntN(4)-1), math.Round(100*a.rng.Float64())/100
		}
		a.totals["reward"], a.totals["cost"] = reward, cost
		a.list = a.names[:min(2, len(a.names))]
	}
	return list
}

// A thousand random conditions of the whole grammar, at most four deep, on six graphs with three distributions each,
// against the enumeration of all paths: probability, number of paths, the distribution given the condition, and the
// opposite.
func TestRandomConditions(t *testing.T) {
	const each = 210
	tests, met := 0, 0
	for name, a := range enumerable(t) {
		e := newEnumerated(t, name, a)
		for range each {
			e.check(t)
		}
		tests, met = tests+e.tests, met+e.met
	}
	t.Logf("%d conditions, of which %d some path meets", tests, met)
	if tests < 1000 || met < 600 {
		t.Errorf("%d conditions, %d met: too few", tests, met)
	}
}

// FuzzConditions is TestRandomConditions with the fuzzer's seeds.
func FuzzConditions(f *testing.F) {
	var all []*enumerated
	list := enumerable(f)
	for _, name := range slices.Sorted(maps.Keys(list)) {
		all = append(all, newEnumerated(f, name, list[name]))
	}
	for k := range all {
		f.Add(uint64(k), uint8(k))
	}
	f.Fuzz(func(t *testing.T, seed uint64, which uint8) {
		e := all[int(which)%len(all)]
		e.a.rng, e.before, e.tests = ddps.Rand(seed, 0), "", 0
		for range 3 {
			e.check(t)
		}
	})
}

// enumerated is a graph whose conditions are compared with the enumeration of its paths.
type enumerated struct {
	name       string
	a          *author
	env        Env
	paths      []ddps.Path
	dists      []distribution
	before     string // the last condition that some path met
	tests, met int
}

func newEnumerated(t testing.TB, name string, a *author) *enumerated {
	e := &enumerated{name: name, a: a, paths: slices.Collect(a.g.Paths())}
	e.dists = distributions(t, a.g, e.paths, 7)
	e.env = Env{Totals: a.totals, ReadFile: func(string) ([]byte, error) {
		return []byte("\ufeff" + strings.Join(a.list, "\r\n") + "\n\n"), nil
	}}
	return e
}

// check checks one random condition.
func (e *enumerated) check(t *testing.T) {
	t.Helper()
	a, name := e.a, e.name
	text, means := a.condition(a.rng.IntN(5))
	x, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %s: %v", name, text, err)
	}
	weight := make([]float64, len(e.paths))
	n := int64(0)
	for i, p := range e.paths {
		if means(p) {
			weight[i] = 1
			n++
		}
	}
	again, err := Parse(x.String())
	if err != nil || again.String() != x.String() {
		t.Fatalf("%s: %s: written %s, read %v, %v", name, text, x, again, err)
	}
	c, err := again.Compile(a.g, e.env)
	if nowhere(err) {
		return
	}
	if e.tests++; n == 0 {
		if err == nil || !strings.Contains(err.Error(), "no path meets") {
			t.Errorf("%s: %s: no path meets it: %v", name, text, err)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %s: %v", name, text, err)
		return
	}
	e.met++
	if got := guide.Count(a.g, c).Int64(); got != n {
		t.Errorf("%s: %s: %d paths, want %d", name, text, got, n)
		return
	}
	checkMinimal(t, name+": "+text, c.Product())
	e.limited(t, x, c)
	if e.tests%5 == 0 { // weigh it too
		c = e.weigh(t, text, weight)
	}
	for k, dist := range e.dists {
		w := 0.0
		for i := range e.paths {
			w += dist.p[i] * weight[i]
		}
		checkGiven(t, fmt.Sprintf("%s %d: %s", name, k, text), dist, c, e.paths, weight, w)
	}
	if n == int64(len(e.paths)) || e.tests%5 == 0 {
		return
	}
	checkOpposite(t, a, e.env, e.dists, text, c)
	if e.before != "" {
		checkBoth(t, a, e.env, e.dists, e.before, text, c)
	}
	e.before = text
}

// weigh compiles a condition with Boltzmann weights, by which it multiplies those of the paths.
func (e *enumerated) weigh(t *testing.T, text string, weight []float64) guide.Condition {
	t.Helper()
	c, err := must(Parse("boltzmann(0.7, cost) and ("+text+")")).Compile(e.a.g, e.env)
	if err != nil {
		t.Fatalf("%s: %s: %v", e.name, text, err)
	}
	for i, p := range e.paths {
		weight[i] *= math.Exp(0.7 * e.a.g.Total(e.a.totals["cost"], p))
	}
	return c
}

// checkMinimal holds that no two states over a vertex have the same ways on, and that each is on a path.
func checkMinimal(t *testing.T, name string, p *guide.Product) {
	t.Helper()
	g, class, number, reached := p.Product.Graph, make([]int, p.States()), map[string]int{}, make([]bool, p.States())
	reached[0] = true
	for s := range class {
		for _, h := range g.From(s) {
			reached[h] = reached[h] || reached[s]
		}
	}
	for s := len(class) - 1; s >= 0; s-- {
		lo, _ := g.Edges(s)
		key := fmt.Sprint(p.Product.Vertex[s])
		for i, h := range g.From(s) {
			key += fmt.Sprintf(" %d:%d", p.Product.Edge[lo+i], class[h])
		}
		if _, twice := number[key]; twice || !reached[s] {
			t.Errorf("%s: state %d over vertex %d is one too many", name, s, p.Product.Vertex[s])
			return
		}
		class[s] = len(number) + 1
		number[key] = class[s]
	}
}

// nowhere reports whether err says that nothing of a name is where a condition looks for it, or that a motif is too
// long.
func nowhere(err error) bool {
	var at *Error
	return errors.As(err, &at) && slices.ContainsFunc([]string{"have no ", "has no ", "names no vertex",
		"there is no edge", "the motif "},
		func(s string) bool { return strings.Contains(at.Problem, s) })
}

// checkGiven compares the probability m and the distribution given c with those by enumeration.
func checkGiven(t *testing.T, name string, dist distribution, c guide.Condition, paths []ddps.Path, weight []float64,
	want float64) {
	t.Helper()
	m, classes, share := dist.given(t, c)
	if math.Abs(m-want) > 1e-9*max(1, want) {
		t.Errorf("%s: probability %v, want %v", name, m, want)
		return
	}
	if want == 0 {
		return
	}
	for i, p := range paths {
		q := 0.0
		for k, given := range classes {
			if given != nil {
				lp, _ := given.LogProb(p)
				q += share[k] / m * math.Exp(lp)
			}
		}
		if math.Abs(q-dist.p[i]*weight[i]/want) > 1e-9 {
			t.Errorf("%s: P(%v) = %v, want %v", name, p, q, dist.p[i]*weight[i]/want)
			return
		}
	}
}

// checkOpposite holds P(A) + P(not A) = 1, and that a condition said twice, or beside a true one, changes no bit.
func checkOpposite(t *testing.T, a *author, env Env, dists []distribution, text string, c guide.Condition) {
	t.Helper()
	compile := func(s string) guide.Condition {
		x, err := Parse(s)
		if err != nil {
			t.Fatal(s, err)
		}
		c, err := x.Compile(a.g, env)
		if err != nil {
			t.Fatal(s, err)
		}
		return c
	}
	not := compile("not (" + text + ")")
	for _, dist := range dists {
		p, _, _ := dist.given(t, c)
		q, _, _ := dist.given(t, not)
		if math.Abs(p+q-1) > 1e-12 {
			t.Errorf("%s: P(A) + P(not A) = %v", text, p+q)
		}
	}
	for _, same := range []string{"(%s) and (%s)", "length 0..99 and (%s)", "(%s) or (%s)", "not not (%s)",
		"(%s) and not (length 99..100)",
		"not (not (%s) and not (%s))", "not (not (%s) or not (%s))"} {
		d := compile(strings.ReplaceAll(same, "%s", text))
		x, y := c.Product(), d.Product()
		if !slices.Equal(x.Product.Edge, y.Product.Edge) || !slices.Equal(x.Product.Vertex, y.Product.Vertex) ||
			!slices.Equal(x.LogW, y.LogW) {
			t.Errorf("%s: %s has another product", text, same)
		}
	}
}

// checkBoth holds P(A and B) ≤ P(B), P(A or B) = P(A) + P(B) − P(A and B), and De Morgan's rules.
func checkBoth(t *testing.T, a *author, env Env, dists []distribution, other, text string, c guide.Condition) {
	t.Helper()
	p := func(dist distribution, text string) float64 {
		c, err := must(Parse(text)).Compile(a.g, env)
		if err != nil {
			return 0 // no path meets it
		}
		m, _, _ := dist.given(t, c)
		return m
	}
	for _, dist := range dists {
		b, _, _ := dist.given(t, c)
		both := p(dist, "("+other+") and ("+text+")")
		if either := p(dist, "("+other+") or ("+text+")"); both > b*(1+1e-12) ||
			math.Abs(either-p(dist, other)-b+both) > 1e-12 {
			t.Errorf("P(%s) = %v, and %s: %v, or: %v", text, b, other, both, either)
		}
		for _, op := range [][2]string{{"and", "or"}, {"or", "and"}} {
			one := p(dist, fmt.Sprintf("not ((%s) %s (%s))", other, op[0], text))
			two := p(dist, fmt.Sprintf("(not (%s)) %s (not (%s))", other, op[1], text))
			if math.Abs(one-two) > 1e-12 {
				t.Errorf("%s, %s: De Morgan's rule for %s: %v and %v", other, text, op[0], one, two)
			}
		}
	}
}

// Samples given a condition follow the distribution by enumeration: chi-square, at a level of 10⁻³ shared by all tests.
func TestRandomSamples(t *testing.T) {
	const n, each = 2000, 10
	list := enumerable(t)
	for name, a := range list {
		paths := slices.Collect(a.g.Paths())
		dist := distributions(t, a.g, paths, 7)[1]
		index := ddps.NewIndex(a.g)
		env := Env{Totals: a.totals, ReadFile: func(string) ([]byte, error) {
			return []byte(strings.Join(a.list, "\n")),
				nil
		}}
		for done := 0; done < each; {
			text, means := a.condition(2)
			x, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			c, err := x.Compile(a.g, env)
			if err != nil {
				continue
			}
			given, logm, err := guide.GivenDistribution(dist.classes[0], c)
			if err != nil {
				continue
			}
			done++
			counts := make([]float64, len(paths))
			for i := range n {
				k, err := index.Rank(given.Sample(ddps.Rand(uint64(done), uint64(i))))
				if err != nil {
					t.Fatal(err)
				}
				counts[k.Int64()]++
			}
			chi, cells, rest, restWant := 0.0, -1, 0.0, 0.0
			for i, p := range paths {
				want := n * dist.p[i] * met(means(p)) / math.Exp(logm)
				if counts[i] > 0 && want == 0 {
					t.Errorf("%s: %s: %v was drawn", name, text, p)
				}
				if want < 5 {
					rest, restWant = rest+counts[i], restWant+want
					continue
				}
				chi, cells = chi+(counts[i]-want)*(counts[i]-want)/want, cells+1
			}
			if restWant > 5 {
				chi, cells = chi+(rest-restWant)*(rest-restWant)/restWant, cells+1
			}
			if cells < 1 {
				continue
			}
			if p := (distuv.ChiSquared{K: float64(cells)}).Survival(chi); p < 1e-3/float64(each*len(list)) {
				t.Errorf("%s: %s: chi-square %v of %d, p = %v", name, text, chi, cells, p)
			}
		}
	}
}

func met(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// Go's regexp over all sequences of six letters, against regex over names of one letter.
func TestRegexAgainstGo(t *testing.T) {
	a := enumerable(t)["sequences"]
	for range 300 {
		text, means := a.regex()
		x, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		n := int64(0)
		for p := range a.g.Paths() {
			if means(p) {
				n++
			}
		}
		c, err := x.Condition(a.g, nil)
		got := int64(0)
		if err == nil {
			got = guide.Count(a.g, c).Int64()
		}
		if got != n {
			t.Errorf("%s: %d, want %d: %v", text, got, n, err)
		}
	}
}

// Where sums are too many to tell apart, neither a condition nor its opposite has a path that does not meet it.
func TestRoundedOpposite(t *testing.T) {
	a := enumerable(t)["toy"]
	rng := ddps.Rand(9, 0)
	for e := range a.totals["cost"] {
		a.totals["cost"][e] = rng.NormFloat64()
	}
	for _, op := range []string{">=", "<=", ">", "<"} {
		set := map[bool]guide.Condition{}
		for yes, text := range map[bool]string{true: "cost " + op + " 1", false: "not (cost " + op + " 1)"} {
			c, err := must(Parse(text)).Compile(a.g, Env{Totals: a.totals, MaxEdges: 1600})
			if err != nil || len(c.Product().Notes) != 1 {
				t.Fatalf("%s: %v, %q", text, err, c.Product().Notes)
			}
			set[yes] = c
		}
		left := 0
		for p := range a.g.Paths() {
			r := a.g.Total(a.totals["cost"], p)
			yes := r > 1 == (op[0] == '>')
			if set[!yes].LogWeight(p) == 0 {
				t.Errorf("%s: a path of cost %v is on the wrong side", op, r)
			}
			if set[yes].LogWeight(p) != 0 {
				left++
			}
		}
		if left == 0 || left > 300 {
			t.Errorf("%s: %d paths are left out", op, left)
		}
	}
}

// limited compiles x, whose condition is c, again with few states: it has the same product, or there are too many.
func (e *enumerated) limited(t *testing.T, x *Expr, c guide.Condition) {
	t.Helper()
	if text := x.String(); strings.Contains(text, "reward") || strings.Contains(text, "cost") {
		return // totals are counted in steps where few edges are allowed
	}
	env := e.env
	env.MaxEdges = 1 + len(c.Product().Product.Edge) + ddps.Rand(23, uint64(e.tests)).IntN(e.a.g.NumEdges())
	few, err := x.Compile(e.a.g, env)
	switch {
	case err != nil && strings.Contains(err.Error(), "too many states"):
	case err != nil:
		t.Errorf("%s: %s, in %d edges: %v", e.name, x, env.MaxEdges, err)
	case !slices.Equal(few.Product().Product.Edge, c.Product().Product.Edge):
		t.Errorf("%s: %s, in %d edges: another product", e.name, x, env.MaxEdges)
	}
}

// A term that is too large by itself is read along the paths that meet the others.
func TestTooLargeAlone(t *testing.T) {
	a := enumerable(t)["dna"]
	const at = "A"
	for _, text := range []string{"returns", "not returns", "(returns or " + fmt.Sprintf("visit(%q))", at)} {
		whole := must(Parse(fmt.Sprintf("start(%q) and %s", at, text)))
		want, err := whole.Compile(a.g, Env{})
		if err != nil {
			t.Fatal(err)
		}
		bites := false
		for limit := 10; limit < 2000; limit++ {
			env := Env{MaxEdges: limit}
			got, err := whole.Compile(a.g, env)
			if err != nil {
				continue
			}
			_, alone := must(Parse(text)).Compile(a.g, env)
			bites = bites || errors.Is(alone, guide.ErrTooLarge)
			if !slices.Equal(got.Product().Product.Edge, want.Product().Product.Edge) {
				t.Errorf("%s: another product in %d edges", whole, limit)
			}
		}
		if !bites {
			t.Errorf("%s is never too large alone where %s is not", text, whole)
		}
	}
}

// Too large a product is refused, with the size of each term and the one that is largest.
func TestTooLarge(t *testing.T) {
	a := enumerable(t)["dna"]
	x, alone, all := must(Parse(`visits("A") = 1 and visits("C") <= 2 and visits("G") <= 2`)), false, false
	for limit := 30; ; limit++ {
		_, err := x.Compile(a.g, Env{MaxEdges: limit})
		if err == nil {
			break
		}
		alone = alone || strings.HasPrefix(err.Error(), `where: visits("A") = 1: too many states, more than 30 edges`)
		all = all || strings.Contains(err.Error(), `guide: all of visits("A") = 1 (`) && strings.Contains(err.Error(),
			"; most is due to ")
	}
	if !alone || !all {
		t.Errorf("refused alone: %v, together: %v", alone, all)
	}
}
