package stack

import (
	"context"
	"hash/fnv"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/markov"
)

// square returns a graph of L layers of copies of three places, after a source.
func square(t testing.TB, L int) *ddps.LayeredGraph {
	t.Helper()
	sizes, heads, place := []int{1}, [][]int{{1, 2, 3}}, []int{3}
	for l := range L {
		sizes = append(sizes, 3)
		for x := range 3 {
			place = append(place, x)
			var h []int
			for y := range 3 {
				if l+1 < L && (x != 2 || y != 1) {
					h = append(h, 4+3*l+y)
				}
			}
			heads = append(heads, h)
		}
	}
	g, err := ddps.New(sizes, heads)
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Place: place})
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// network is a stand-in for a network: rows from a table of all walks, so that no finite state holds them.
type network struct {
	g     *ddps.LayeredGraph
	noise float64
	base  *chain.Chain
}

// row returns the row after a walk.
func (n network) row(walk []int) []float64 {
	v := walk[len(walk)-1]
	lo, hi := n.g.Edges(v)
	z := make([]float64, hi-lo)
	for d := range z {
		h := fnv.New64a()
		for _, u := range append(append([]int(nil), walk...), d) {
			h.Write([]byte{byte(u)})
		}
		z[d] = math.Log(n.base.P[lo+d]) + n.noise*ddps.Rand(h.Sum64(), 0).NormFloat64()
	}
	out := make([]float64, len(z))
	softmax(z, out)
	return out
}

func (n network) Graph() *ddps.LayeredGraph { return n.g }

func (n network) LogProb(paths []ddps.Path, out []float64) error {
	for i, p := range paths {
		out[i] = 0
		for l := range len(p) - 1 {
			e, _ := n.g.EdgeBetween(p[l], p[l+1])
			lo, _ := n.g.Edges(p[l])
			out[i] += math.Log(n.row(p[:l+1])[e-lo])
		}
	}
	return nil
}

func (n network) Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error {
	numbers := make([]int, len(paths))
	for i := range numbers {
		numbers[i] = first + i
	}
	drawSteps(ctx, n, paths, seed, numbers)
	return nil
}

func (n network) Start(count int) States { return &walks{n, make([][]int, count)} }

// walks are the states of a network: all of the walks.
type walks struct {
	n    network
	list [][]int
}

func (w *walks) Step(vertices []int, logp []float64) {
	D := w.n.g.MaxDegree()
	for i, v := range vertices {
		w.list[i] = append(w.list[i], v)
		for d, p := range w.n.row(w.list[i]) {
			logp[i*D+d] = math.Log(p)
		}
	}
}

func (w *walks) Select(from []int) {
	list := make([][]int, len(from))
	for i, r := range from {
		list[i] = append([]int(nil), w.list[r]...)
	}
	w.list = list
}

// fixture is a graph, a network, tractable parts fitted to its paths, and all paths.
type fixture struct {
	g     *ddps.LayeredGraph
	net   network
	first Tractable
	model Tractable
	paths []ddps.Path
	data  chain.Sample
}

func fixtureOf(t testing.TB, L int, noise float64) *fixture {
	t.Helper()
	g := square(t, L)
	f := &fixture{g: g, net: network{g, noise, chain.Uniform(g)}, data: chain.Sample{Paths: make([]ddps.Path, 400)}}
	if err := f.net.Sample(context.Background(), f.data.Paths, 1, 0); err != nil {
		t.Fatal(err)
	}
	c, err := chain.Fit(g, f.data.Paths, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := markov.Fit(g, f.data, markov.Config{Order: 2, MinCount: 1, Position: true, Ridge: 3})
	if err != nil {
		t.Fatal(err)
	}
	f.first, f.model = Chain(c.Distribution()), Context(m, 0)
	for p := range g.Paths() {
		f.paths = append(f.paths, p)
	}
	return f
}

// sure returns the distribution of one path, the first edge of each vertex.
func (f *fixture) sure(t testing.TB) Tractable {
	t.Helper()
	p := make([]float64, f.g.NumEdges())
	for v := range f.g.NumVertices() {
		if lo, hi := f.g.Edges(v); lo < hi {
			p[lo] = 1
		}
	}
	c, err := chain.New(f.g, p)
	if err != nil {
		t.Fatal(err)
	}
	return Chain(c.Distribution())
}

// probs returns the probabilities of all paths.
func (f *fixture) probs(t testing.TB, d Distribution) []float64 {
	t.Helper()
	p := make([]float64, len(f.paths))
	if err := d.LogProb(f.paths, p); err != nil {
		t.Fatal(err)
	}
	for i, x := range p {
		p[i] = math.Exp(x)
	}
	return p
}

// condition accepts paths of which the vertices' numbers sum to r modulo m, with weights where weigh is set; weight
// is by path.
func (f *fixture) condition(t testing.TB, m, r int, weigh bool) (c Condition, weight []float64) {
	t.Helper()
	last, _ := f.g.Layer(f.g.NumLayers() - 1)
	l, _, err := chain.Unfold(f.g, 0, func(q, e int) (int, bool) {
		q = (q + f.g.Head(e)) % m
		return q, f.g.Head(e) < last || q == r
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	c = Condition{Product: l}
	if weigh {
		for _, e := range l.Edge {
			c.LogW = append(c.LogW, .2*float64(e%5)-.3)
		}
	}
	for _, p := range f.paths {
		w, err := c.logWeight(p)
		if err != nil {
			t.Fatal(err)
		}
		weight = append(weight, math.Exp(w))
	}
	return c, weight
}

// given returns the probabilities of all paths under d given weights, and the sum before.
func (f *fixture) given(t testing.TB, d Distribution, w []float64) (p []float64, sum float64) {
	t.Helper()
	p = f.probs(t, d)
	for i := range p {
		p[i] *= w[i]
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p, sum
}

// draws is what draws paths: a Distribution, or one given a condition.
type draws interface {
	Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error
}

// drawn returns χ² per cell of draws of d against probabilities; the draws must depend on seed and number alone.
func (f *fixture) drawn(t testing.TB, d draws, p []float64) (per, cells float64) {
	t.Helper()
	const n, first = 24000, 1234
	all, again := make([]ddps.Path, n), make([]ddps.Path, 700)
	if err := d.Sample(context.Background(), all, 21, 0); err != nil {
		t.Fatal(err)
	}
	if err := d.Sample(context.Background(), again, 21, first); err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(again, all[first:first+len(again)], slices.Equal[ddps.Path]) {
		t.Errorf("draws %d… differ when drawn alone", first)
	}
	return f.chi(t, all, p)
}

// chi returns χ² per cell of draws against probabilities, over paths expected at least eight times.
func (f *fixture) chi(t testing.TB, draws []ddps.Path, p []float64) (per, cells float64) {
	t.Helper()
	x, count := ddps.NewIndex(f.g), make([]float64, len(p))
	for _, path := range draws {
		r, err := x.Rank(path)
		if err != nil {
			t.Fatal(err)
		}
		i := r.Int64()
		if count[i]++; p[i] == 0 {
			t.Fatalf("a draw of probability 0: %v", path)
		}
	}
	for i, q := range p {
		if e := q * float64(len(draws)); e >= 8 {
			per += (count[i] - e) * (count[i] - e) / e
			cells++
		}
	}
	return per / cells, cells
}
