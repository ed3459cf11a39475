package vec

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// The kernels give the bits of the plain ones, with AVX2 and with AVX-512.
func TestKernels(t *testing.T) {
	for seed := range uint64(20) {
		want := testKernels(t, seed, plain)
		for l := avx2; l <= best; l++ {
			restore := lower(l)
			for name, got := range testKernels(t, seed, assembly) {
				if !slices.Equal(got, want[name]) {
					t.Errorf("seed %d: %s with %s differs from plain Go", seed, name, Kind())
				}
			}
			restore()
		}
	}
}

// set is the kernels in one form.
type set struct {
	posterior func(g *Graph, pi, m, tops []Lane, p []float64, x []Choice, boost []Lane) uint8
	reach     func(g *Graph, pi, p []Lane)
	draw      func(g *Graph, q, u []Lane, x []Choice)
	austin    func(g *Graph, s *Step, pi, out []Lane, x []Choice)
	eq2       func(g *Graph, s *Step, pi, out []Lane, x []Choice)
	occupancy func(g *Graph, s *Step, pi, out []Lane, x []Choice, reach []Lane)
	joint     func(g *Graph, s *Step, out []Lane, x, x0 []Choice)
	ratios    func(g *Graph, s *Step, xs, xt []Choice, w []Lane)
	anneal    func(g *Graph, s *Step, pi, out []Lane)
	keep      func(g *Graph, pi, out, m, tops []Lane, w []float64) uint8
	lift      func(l *Graph, pi, p, m, tops []Lane, w []float64) uint8
	project   func(g, l *Graph, p, pi, out, reach []Lane) uint8
	mean      func(l *Graph, p, m, tops, w []Lane) uint8
	weigh     func(l *Graph, p []float64, b, m, tops []Lane) uint8
	occupy    func(l, g *Graph, p []float64, b, m, tops []Lane, c int, reach, out []Lane, total Lane)
	guide     func(g *Graph, q, grad []Lane, lambda float64, logs bool)
	gradient  func(g *Graph, u []float64, pi, grad, p, w []Lane)
}

var assembly = set{Posterior, Reach, Draw, Austin, Eq2, Occupancy, Joint, Ratios, Anneal, Keep, KeepProduct, Project,
	Mean, Weigh, func(l, g *Graph, p []float64, b, m, tops []Lane, c int, reach, out []Lane, total Lane) {
		groups := NewGroups(l, g)
		Occupy(groups, groups.Order(p), b, m, tops, c, reach, out, total)
	},
	func(g *Graph, q, grad []Lane, lambda float64, logs bool) {
		Guide(g, q, grad, lambda, logs, make([]uint8, 2*len(g.Rows)))
	}, Gradient}

var plain = set{
	func(g *Graph, pi, m, _ []Lane, p []float64, x []Choice, boost []Lane) uint8 {
		return posteriorPlain(g, pi, m, p, x, boost)
	}, reachPlain, drawPlain, austinPlain, mixturePlain, occupancyPlain, jointPlain, ratiosPlain, annealedPlain,
	tiltPlain, climbPlain, descendPlain, meanPlain, weighPlain, occupyPlain, guidePlain,
	func(g *Graph, u []float64, pi, grad, p, w []Lane) {
		reachPlain(g, pi, p)
		ascendPlain(g, u, pi, grad, p, w)
	}}

// testKernels returns what each kernel makes of the same numbers, as bits.
func testKernels(t *testing.T, seed uint64, f set) map[string][]uint64 {
	n, all := newNumbers(t, seed), map[string][]uint64{}
	E, V := len(n.g.Head), n.g.NumVertices()
	lanes := func(n int) []Lane { return make([]Lane, n) }
	boost := lanes(16)
	for D := range boost {
		boost[D] = Spread(1 + 3*float64(D))
	}
	pi, m, tops := lanes(E), lanes(V), lanes(len(n.g.Layer))
	bad := f.posterior(n.g, pi, m, tops, n.p, n.x, boost)
	all["posterior"] = append(testBits(append(pi, m...)), uint64(bad))
	p := slices.Clone(n.p)
	for e := range n.g.First[1] {
		p[e] = 1e-300
	}
	bad = f.posterior(n.g, pi, m, tops, p, n.x, boost)
	all["posterior out of range"] = []uint64{uint64(bad)}
	f.reach(n.g, n.pi, m)
	all["reach"] = testBits(m)
	x := slices.Clone(n.x)
	f.draw(n.g, n.pi, n.u, x)
	all["draw"] = []uint64{}
	for _, c := range x {
		for _, i := range c {
			all["draw"] = append(all["draw"], uint64(i))
		}
	}
	testRows(n, f, m, all)
	testConditions(t, n, f, all)
	return all
}

// testConditions adds what conditions make of n.
func testConditions(t *testing.T, n *testNumbers, f set, all map[string][]uint64) {
	E, V := len(n.g.Head), n.g.NumVertices()
	w := slices.Clone(n.p)
	for e := range w {
		if e%3 == 0 { // the weights of some rows are all 0
			w[e] = 0
		}
	}
	for _, scale := range []float64{1, 1e-300} {
		for e := range n.g.First[1] {
			w[e] *= scale
		}
		out, m, tops := make([]Lane, E), make([]Lane, V), make([]Lane, len(n.g.Layer))
		bad := f.keep(n.g, n.pi, out, m, tops, w)
		all[fmt.Sprint("keep ", scale)] = append(testBits(slices.Concat(out, m, tops)), uint64(bad))
		l := testProduct(t, n.g, false)
		p, m := make([]Lane, len(l.Edge)), make([]Lane, l.NumVertices())
		above := make([]float64, len(l.Edge))
		for i, e := range l.Edge {
			above[i] = w[e]
		}
		bad = f.lift(l, n.pi, p, m, tops, above)
		all[fmt.Sprint("lift ", scale)] = append(testBits(slices.Concat(p, m, tops)), uint64(bad))
		for i := range p {
			for k := range Width {
				p[i][k] = n.pi[l.Edge[i]][k] * scale
			}
		}
		bad = f.project(n.g, l, p, n.pi, out, m)
		all[fmt.Sprint("project ", scale)] = append(testBits(append(out, m...)), uint64(bad))
		bad = f.mean(l, p, m, tops, n.dist)
		all[fmt.Sprint("mean ", scale)] = append(testBits(append(m, tops...)), uint64(bad))
		testClasses(t, n, f, scale, above, all)
	}
}

// testClasses adds what four classes make of n, on product graphs whose states are in the order of their vertices and
// not.
func testClasses(t *testing.T, n *testNumbers, f set, scale float64, w []float64, all map[string][]uint64) {
	for odd, l := range []*Graph{testProduct(t, n.g, false), testProduct(t, n.g, true)} {
		p, class := make([]float64, len(l.Edge)*Classes), make([]float64, len(l.Edge))
		for i := range p {
			p[i] = w[i/Classes%len(w)] * float64(1+i%7) / 7
		}
		m, tops := make([]Lane, l.NumVertices()*Classes), make([]Lane, (len(l.Layer)-1)*Classes)
		bad := f.weigh(l, p, n.dist, m, tops)
		name := fmt.Sprint("classes ", scale, odd)
		all[name] = append(testBits(append(m, tops...)), uint64(bad))
		out := make([]Lane, len(n.g.Head))
		for c := range Classes {
			for i := range class {
				class[i] = p[i*Classes+c]
			}
			f.occupy(l, n.g, class, n.dist, m, tops, c, make([]Lane, l.NumVertices()), out, n.u[c])
		}
		all["rows of "+name] = testBits(out)
	}
}

// testProduct has two states over each vertex but the first, numbered by vertex or, where odd, not.
func testProduct(t *testing.T, g *Graph, odd bool) *Graph {
	sizes, heads, edge := []int{1}, [][]int{}, []int{}
	for l := 1; l+1 < len(g.Layer); l++ {
		sizes = append(sizes, 2*int(g.Layer[l+1]-g.Layer[l]))
	}
	state := func(v int32, q int) int {
		if v == 0 {
			return 0
		}
		l, _ := slices.BinarySearch(g.Layer, v+1)
		lo, n := int(g.Layer[l-1]), int(g.Layer[l]-g.Layer[l-1])
		if odd {
			return 2*lo - 1 + q*n + int(v) - lo
		}
		return 2*int(v) - 1 + q
	}
	at := make([][2]int, 2*g.NumVertices()-1) // vertex and number
	for v := range int32(g.NumVertices()) {
		for q := range 2 {
			at[state(v, q)] = [2]int{int(v), q}
		}
	}
	at[0][1] = 0
	for _, x := range at {
		var to []int
		for e := g.First[x[0]]; e < g.First[x[0]+1]; e++ {
			to, edge = append(to, state(g.Head[e], (x[1]+int(e))%2)), append(edge, int(e))
		}
		heads = append(heads, to)
	}
	lg, err := ddps.New(sizes, heads)
	if err != nil {
		t.Fatal(err)
	}
	return NewGraph(lg, nil, edge)
}

// The groups of a product graph are its vertices, and its states only where some are come to from several by turns.
func TestGroups(t *testing.T) {
	g := newNumbers(t, 1).g
	for _, odd := range []bool{false, true} {
		l := testProduct(t, g, odd)
		groups := NewGroups(l, g)
		if len(groups.order) != len(l.Edge) {
			t.Errorf("%d edges of %d", len(groups.order), len(l.Edge))
		}
		if single := len(groups.rates) == 1; single != odd {
			t.Errorf("odd %v: groups of %d states", odd, len(groups.rates))
		}
	}
}

// testRows adds what the kernels that set rows make of n; m is scratch.
func testRows(n *testNumbers, f set, m []Lane, all map[string][]uint64) {
	lanes := func(n int) []Lane { return make([]Lane, n) }
	E, V := len(n.g.Head), n.g.NumVertices()
	for name, kernel := range map[string]func(q []Lane){
		"austin":    func(q []Lane) { f.austin(n.g, n.s, n.pi, q, n.x) },
		"eq2":       func(q []Lane) { f.eq2(n.g, n.s, n.pi, q, n.x) },
		"occupancy": func(q []Lane) { f.occupancy(n.g, n.s, n.pi, q, n.x, m) },
		"joint":     func(q []Lane) { f.joint(n.g, n.s, q, n.x, n.x0) },
		"anneal":    func(q []Lane) { f.anneal(n.g, n.s, n.pi, q) },
		"guide":     func(q []Lane) { copy(q, n.pi); f.guide(n.g, q, n.dist, 2.5, false) },
		"infinite":  func(q []Lane) { copy(q, n.dist); q[1][3] = math.Inf(1); f.guide(n.g, q, n.dist, 1e308, true) },
		"logarithms": func(q []Lane) {
			f.anneal(n.g, n.s, n.pi, q)
			f.guide(n.g, q, nil, 0, true)
		},
		"ratios":   func(q []Lane) { f.ratios(n.g, n.s, n.x0, n.x, q) },
		"gradient": func(q []Lane) { f.gradient(n.g, n.p, n.pi, q, m, lanes(V)) },
	} {
		q := lanes(E)
		kernel(q)
		all[name] = testBits(q)
	}
}

func testBits(x []Lane) []uint64 {
	var bits []uint64
	for i := range x {
		for _, y := range x[i] {
			if math.IsNaN(y) {
				y = 0
			}
			bits = append(bits, math.Float64bits(y))
		}
	}
	return bits
}

// Correct gives the same bits in vectors of four and of eight.
func TestCorrectWidths(t *testing.T) {
	if best < avx512 {
		t.Skip("no AVX-512")
	}
	for i, scale := range []float32{1, 20, 1, 20} {
		var text []string
		stride := 1 + i/2
		for l := avx2; l <= avx512; l++ {
			n := newNumbers(t, 5)
			for i := range n.out {
				for k := range n.out[i] {
					n.out[i][k] *= scale
				}
			}
			restore := lower(l)
			Correct(n.g, n.pi, n.out, stride, make([]Single, 16), make([]uint8, 2*n.g.NumVertices()), hard)
			restore()
			text = append(text, fmt.Sprint(n.pi))
		}
		if text[0] != text[1] {
			t.Errorf("scale %g, outputs %d apart: other numbers", scale, stride)
		}
	}
}
