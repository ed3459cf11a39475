//go:build goexperiment.simd && amd64

package octet

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// Vector kernels give the bits of the plain ones.
func TestVectors(t *testing.T) {
	if !vector {
		t.Skip("no AVX2 with FMA")
	}
	for seed := range uint64(20) {
		plain := testKernels(t, seed, false, false)
		for _, w := range []bool{false, true} {
			if w && !wide {
				continue
			}
			for name, got := range testKernels(t, seed, true, w) {
				if !slices.Equal(got, plain[name]) {
					t.Errorf("seed %d: %s in vectors (wide: %v) differs from plain Go", seed, name, w)
				}
			}
		}
	}
}

// testKernels returns what each kernel makes of the same numbers, as bits.
func testKernels(t *testing.T, seed uint64, v, w bool) map[string][]uint64 {
	wasVector, wasWide := vector, wide
	vector, wide = v, w
	defer func() { vector, wide = wasVector, wasWide }()
	n, all := newNumbers(t, seed), map[string][]uint64{}
	E, V := len(n.g.Head), len(n.g.First)-1
	room := func(n int) []Lane { return make([]Lane, n) }
	boost := room(16)
	for D := range boost {
		boost[D] = Spread(1 + 3*float64(D))
	}
	pi, m := room(E), room(V)
	bad := posterior(n.g, pi, m, n.p, n.x, boost)
	all["posterior"] = append(testBits(append(pi, m...)), uint64(bad))
	p := slices.Clone(n.p)
	for e := range n.g.First[1] {
		p[e] = 1e-300
	}
	bad = posterior(n.g, pi, m, p, n.x, boost)
	all["posterior out of range"] = []uint64{uint64(bad)}
	reach(n.g, n.pi, m)
	all["reach"] = testBits(m)
	x := slices.Clone(n.x)
	draw(n.g, n.pi, n.u, x)
	all["draw"] = []uint64{}
	for _, c := range x {
		all["draw"] = append(all["draw"], uint64(c[0]), uint64(c[3]), uint64(c[4]), uint64(c[7]))
	}
	testLaws(n, m, all)
	testTilts(t, n, all)
	return all
}

// testTilts adds what conditions make of n.
func testTilts(t *testing.T, n *testNumbers, all map[string][]uint64) {
	E, V := len(n.g.Head), len(n.g.First)-1
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
		bad := tilt(n.g, n.pi, out, m, tops, w)
		all[fmt.Sprint("tilt ", scale)] = append(testBits(slices.Concat(out, m, tops)), uint64(bad))
		l := testLift(t, n.g)
		p, m := make([]Lane, len(l.Edge)), make([]Lane, len(l.First)-1)
		above := make([]float64, len(l.Edge))
		for i, e := range l.Edge {
			above[i] = w[e]
		}
		bad = climb(l, n.pi, p, m, tops, above)
		all[fmt.Sprint("climb ", scale)] = append(testBits(slices.Concat(p, m, tops)), uint64(bad))
		for i := range p {
			for k := range Width {
				p[i][k] = n.pi[l.Edge[i]][k] * scale
			}
		}
		bad = descend(n.g, l, p, n.pi, out, m)
		all[fmt.Sprint("descend ", scale)] = append(testBits(append(out, m...)), uint64(bad))
		bad = mean(l, p, m, tops, n.law)
		all[fmt.Sprint("mean ", scale)] = append(testBits(append(m, tops...)), uint64(bad))
	}
}

// testLift has two states over each vertex but the first.
func testLift(t *testing.T, g *Graph) *Lift {
	sizes, heads, edge := []int{1}, [][]int{}, []int{}
	state := func(v int32, q int) int { return max(0, 2*int(v)-1+q) }
	for l := 1; l+1 < len(g.Layer); l++ {
		sizes = append(sizes, 2*int(g.Layer[l+1]-g.Layer[l]))
	}
	for v := range int32(len(g.First) - 1) {
		for q := range 2 {
			var to []int
			for e := g.First[v]; e < g.First[v+1]; e++ {
				to, edge = append(to, state(g.Head[e], (q+int(e))%2)), append(edge, int(e))
			}
			heads = append(heads, to)
			if v == 0 {
				break
			}
		}
	}
	lg, err := ddps.New(sizes, heads)
	if err != nil {
		t.Fatal(err)
	}
	return NewLift(lg, edge)
}

// testLaws adds what the kernels that set laws make of n; m is room.
func testLaws(n *testNumbers, m []Lane, all map[string][]uint64) {
	room := func(n int) []Lane { return make([]Lane, n) }
	E, V := len(n.g.Head), len(n.g.First)-1
	for name, kernel := range map[string]func(law []Lane){
		"undivided": func(law []Lane) { undivided(n.g, n.s, n.pi, law, n.x) },
		"mixture":   func(law []Lane) { mixture(n.g, n.s, n.pi, law, n.x) },
		"occupancy": func(law []Lane) { occupancy(n.g, n.s, n.pi, law, n.x, m) },
		"joint":     func(law []Lane) { joint(n.g, n.s, law, n.x, n.x0) },
		"annealed":  func(law []Lane) { annealed(n.g, n.s, n.pi, law) },
		"guide":     func(law []Lane) { copy(law, n.pi); guide(n.g, law, n.law, 2.5, false) },
		"logarithms": func(law []Lane) {
			annealed(n.g, n.s, n.pi, law)
			guide(n.g, law, nil, 0, true)
		},
		"ratios": func(law []Lane) { ratios(n.g, n.s, n.x0, n.x, law) },
		"ascend": func(law []Lane) {
			reach(n.g, n.pi, m)
			ascend(n.g, n.p, n.pi, law, m, room(V))
		},
	} {
		law := room(E)
		kernel(law)
		all[name] = testBits(law)
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
func TestCorrectVectors(t *testing.T) {
	if !wide {
		t.Skip("no AVX-512")
	}
	defer func() { wide = true }()
	for i, scale := range []float32{1, 20, 1, 20} {
		var text []string
		stride := 1 + i/2
		for _, w := range []bool{true, false} {
			n := newNumbers(t, 5)
			for i := range n.out {
				for k := range n.out[i] {
					n.out[i][k] *= scale
				}
			}
			wide = w
			Correct(n.g, n.pi, n.out, stride, make([]Single, 16), hard)
			text = append(text, fmt.Sprint(n.pi))
		}
		if text[0] != text[1] {
			t.Errorf("scale %g, outputs %d apart: other numbers", scale, stride)
		}
	}
}
