package vec

import (
	"github.com/ddps-go/ddps/ddps/internal/vec/abi"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// testGraph has rows of 1 to 9 choices.
func testGraph(t testing.TB) *Graph {
	sizes := []int{1, 9, 4, 9, 3}
	var heads [][]int
	first := 0
	for l, n := range sizes {
		next := first + n
		for v := range n {
			var to []int
			for w := 0; l+1 < len(sizes) && w < sizes[l+1] && (w == v%sizes[l+1] || (v+w)%3 > 0 || l == 0); w++ {
				to = append(to, next+w)
			}
			if l+1 < len(sizes) && len(to) == 0 {
				to = append(to, next)
			}
			heads = append(heads, to)
		}
		first = next
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		t.Fatal(err)
	}
	var rows []int32
	for v, on := range g.Reachable() {
		if on && g.Degree(v) > 1 {
			rows = append(rows, int32(v))
		}
	}
	return NewGraph(g, rows, nil)
}

// testNumbers are what the kernels work on: a chain, distributions, choices, all drawn; some probabilities are 0.
type testNumbers struct {
	g        *Graph
	s        *Step
	p        []float64
	pi, dist []Lane
	x, x0    []Choice
	u        []Lane
	out      []Single
}

func newNumbers(t testing.TB, seed uint64) *testNumbers {
	g, rng := testGraph(t), rand.New(rand.NewPCG(seed, 1))
	E, V := len(g.Head), len(g.First)-1
	n := &testNumbers{g: g, s: NewStep(16), p: make([]float64, E), pi: make([]Lane, E), dist: make([]Lane, E),
		x: make([]Choice, V), x0: make([]Choice, V), u: make([]Lane, len(g.Rows)), out: make([]Single, 2*E)}
	for v := range V {
		lo, hi := g.First[v], g.First[v+1]
		for e := lo; e < hi; e++ {
			n.p[e] = rng.Float64()
			for k := range Width {
				if n.pi[e][k] = rng.ExpFloat64(); hi-lo == 1 {
					n.pi[e][k] = 1
				} else if rng.IntN(7) == 0 {
					n.pi[e][k] = 0
				}
				n.dist[e][k] = rng.Float64()
				n.out[2*e][k] = float32(4 * rng.NormFloat64())
			}
		}
		for k := range Width {
			n.x0[v][k] = -1
			if hi > lo {
				n.x[v][k] = int64(rng.IntN(int(hi - lo)))
				n.x0[v][k] = int64(rng.IntN(int(hi-lo)+1)) - 1
			}
		}
	}
	for r := range n.u {
		for k := range Width {
			n.u[r][k] = rng.Float64()
		}
	}
	n.s.At, n.s.As, n.s.Rest = Spread(0.3), Spread(0.7), Spread(1-0.3)
	for _, r := range []*Rates{&n.s.Like, &n.s.From, &n.s.To, &n.s.Path[0], &n.s.Path[1]} {
		for D := 1; D < 16; D++ {
			r.Set(D, rng.Float64(), rng.Float64())
		}
	}
	return n
}

// hard corrects a row in logarithms.
func hard(pi []float64, out []float32) {
	for i, p := range pi {
		pi[i] = Log(p) + float64(out[i])
	}
	SoftmaxRow(pi, pi)
}

func TestExponentials(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100000 {
		x := math.Ldexp(0.5+rng.Float64()/2, rng.IntN(2000)-1060)
		want := math.Log(math.Ldexp(x, 200)) - 200*math.Ln2 // math.Log errs below 2⁻¹⁰²² on amd64, Go 1.26
		if x > 0x1p-1000 {
			want = math.Log(x)
		}
		if got := Log(x); math.Abs(got-want) > 4e-16*max(1, math.Abs(want)) {
			t.Fatalf("log(%g) is %g, want %g", x, got, want)
		}
		y := -rng.ExpFloat64() * 50
		if got, want := ExpDown(y), math.Exp(y); math.Abs(got-want) > 5e-16*want && y > abi.Lowest {
			t.Fatalf("e^%g is %g, want %g", y, got, want)
		}
	}
	if Log(1) != 0 || !math.IsInf(Log(0), -1) || ExpDown(0) != 1 || ExpDown(math.Inf(-1)) != 0 || ExpDown(-709) != 0 {
		t.Error("the ends")
	}
}

// Corrected rows are the softmax of log π + out, also where that takes logarithms.
func TestCorrect(t *testing.T) {
	if !Vectors() {
		t.Skip("no AVX2 with FMA")
	}
	for _, scale := range []float32{1, 40} {
		n := newNumbers(t, 3)
		want := make([]Lane, len(n.pi))
		copy(want, n.pi)
		for i := range n.out {
			for k := range n.out[i] {
				n.out[i][k] *= scale
			}
		}
		if bad := Correct(n.g, n.pi, n.out, 2, make([]Single, 16), make([]uint8, 2*n.g.NumVertices()), hard); bad != 0 {
			t.Fatalf("lanes %b are not numbers", bad)
		}
		for v := range len(n.g.First) - 1 {
			lo, hi := int(n.g.First[v]), int(n.g.First[v+1])
			for k := 0; k < Width && hi-lo > 1; k++ {
				correctLane(want[lo:hi], n.out[2*lo:], 2, k, hard)
				for e := lo; e < hi; e++ {
					if w := want[e][k]; !(math.Abs(n.pi[e][k]-w) <= 1e-5*w) && w > 1e-30 {
						t.Fatalf("scale %g, edge %d, lane %d: %g, want %g", scale, e, k, n.pi[e][k], w)
					}
				}
			}
		}
		n.out[2*int(n.g.First[1])][5] = float32(math.NaN())
		if bad := Correct(n.g, n.pi, n.out, 2, make([]Single, 16), make([]uint8, 2*n.g.NumVertices()), hard); bad != 1<<5 {
			t.Errorf("lanes %b are not numbers, want lane 5", bad)
		}
	}
}
