package dotgrad

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/ddps-go/ddps/ddps/internal/backend"
	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
)

// What GoMLX came with, saved before any test installs ours.
var (
	stockDot        = graph.VJPRegistration[graph.NodeTypeDot]
	stockDotGeneral = graph.VJPRegistration[graph.NodeTypeDotGeneral]
)

// use selects the stock gradients or ours; tests run one after the other.
func use(stock bool) {
	if stock {
		graph.VJPRegistration[graph.NodeTypeDot] = stockDot
		graph.VJPRegistration[graph.NodeTypeDotGeneral] = stockDotGeneral
		return
	}
	graph.VJPRegistration[graph.NodeTypeDot] = dotVJP
	graph.VJPRegistration[graph.NodeTypeDotGeneral] = dotGeneralVJP(func(*graph.Node, []*graph.Node, shape) []*graph.Node {
		panic("dotgrad: axes not read")
	})
}

// each runs test on the Go backend and, where this program has XLA and finds a plugin, on XLA, which must be there if
// DDPS_TEST_XLA is 1.
func each(t *testing.T, test func(t *testing.T, b backends.Backend)) {
	for _, spec := range []string{"go", "go:large", "xla:cpu"} {
		t.Run(spec, func(t *testing.T) {
			b, err := backend.Open(spec)
			if err != nil && spec == "xla:cpu" && os.Getenv("DDPS_TEST_XLA") != "1" {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			test(t, b)
		})
	}
}

func random(rng *rand.Rand, dims ...int) *tensors.Tensor {
	n := 1
	for _, d := range dims {
		n *= d
	}
	data := make([]float32, n)
	for i := range data {
		data[i] = float32(rng.NormFloat64())
	}
	return tensors.FromFlatDataAndDimensions(data, dims...)
}

// grads returns the gradients of Σ out·weight with a weight that differs in every entry.
func grads(b backends.Backend, op func(l, r *graph.Node) *graph.Node, l, r *tensors.Tensor) [][]float32 {
	outs := graph.MustExecOnceN(b, func(l, r *graph.Node) []*graph.Node {
		out := op(l, r)
		weight := graph.Sin(graph.AddScalar(graph.IotaFull(l.Graph(), out.Shape()), 0.5))
		return graph.Gradient(graph.ReduceAllSum(graph.Mul(out, weight)), l, r)
	}, l, r)
	return [][]float32{tensors.MustCopyFlatData[float32](outs[0]), tensors.MustCopyFlatData[float32](outs[1])}
}

type pattern struct {
	name string
	l, r []int
	op   func(l, r *graph.Node) *graph.Node
}

func einsum(eq string, l, r []int) pattern {
	return pattern{eq, l, r, func(a, b *graph.Node) *graph.Node { return graph.Einsum(eq, a, b) }}
}

func general(lc, lb, rc, rb, l, r []int) pattern {
	return pattern{fmt.Sprint("general ", lc, lb, rc, rb), l, r, func(a, b *graph.Node) *graph.Node {
		return graph.DotGeneral(a, lc, lb, b, rc, rb)
	}}
}

func patterns() []pattern {
	d := func(dims ...int) []int { return dims }
	return []pattern{
		{"dot vector vector", d(5), d(5), graph.Dot},
		{"dot matrix vector", d(3, 5), d(5), graph.Dot},
		{"dot matrix matrix", d(3, 5), d(5, 4), graph.Dot},
		{"dot row column", d(1, 5), d(5, 1), graph.Dot},
		einsum("i,i->", d(4), d(4)), einsum("i,j->ij", d(3), d(4)), einsum("i,j->ji", d(3), d(4)),
		einsum("ij,jk->ik", d(2, 3), d(3, 4)), einsum("ij,jk->ki", d(2, 3), d(3, 4)),
		einsum("ij,kj->ik", d(2, 3), d(4, 3)), einsum("ji,jk->ik", d(3, 2), d(3, 4)),
		einsum("ji,kj->ki", d(3, 2), d(4, 3)), einsum("ij,j->i", d(2, 3), d(3)), einsum("i,ij->j", d(2), d(2, 3)),
		einsum("bij,bjk->bik", d(2, 3, 4), d(2, 4, 5)), einsum("ibj,jbk->kbi", d(3, 2, 4), d(4, 2, 5)),
		einsum("bhld,bhmd->bhlm", d(2, 3, 4, 5), d(2, 3, 6, 5)), einsum("blhd,bmhd->bhlm", d(2, 4, 3, 5), d(2, 6, 3, 5)),
		einsum("abc,cab->", d(2, 3, 4), d(4, 2, 3)), einsum("abc,cba->b", d(2, 3, 4), d(4, 3, 2)),
		einsum("abcd,dcx->abx", d(2, 3, 4, 5), d(5, 4, 6)), einsum("abcd,xcd->xab", d(2, 3, 4, 5), d(6, 4, 5)),
		einsum("bi,bi->b", d(3, 4), d(3, 4)), einsum("ij,ij->ij", d(3, 4), d(3, 4)), einsum("ij,ji->ij", d(3, 4), d(4, 3)),
		einsum("nld,nl->nd", d(2, 3, 4), d(2, 3)), einsum("ij,kl->ikjl", d(2, 3), d(4, 5)), einsum("ijx,jk->ik", d(2, 3, 2),
			d(3, 4)),
		general(d(1, 2), nil, d(1, 0), nil, d(2, 3, 4), d(4, 3, 5)), general(d(2, 1), d(0), d(0, 2), d(1), d(2, 3, 4),
			d(4, 2, 3)),
		general(d(-1), d(0), d(-2), d(0), d(2, 3, 4), d(2, 4, 5)), general(nil, d(0, 1), nil, d(1, 0), d(2, 3, 4),
			d(3, 2, 5)),
		general(d(0), d(2, 1), d(3), d(0, 2), d(2, 3, 4), d(4, 5, 3, 2)), general(nil, nil, nil, nil, d(), d(3)),
		general(d(0, 3), d(1), d(2, 0), d(1), d(2, 3, 4, 5), d(5, 3, 2, 6)),
		general(d(1), nil, d(0), nil, d(200, 70), d(70, 190)), // large enough for the backend's blocked kernel
	}
}

func TestAgainstStock(t *testing.T) { each(t, againstStock) }

func againstStock(t *testing.T, b backends.Backend) {
	rng := rand.New(rand.NewPCG(1, 2))
	defer use(true)
	for _, p := range patterns() {
		l, r := random(rng, p.l...), random(rng, p.r...)
		use(true)
		want := grads(b, p.op, l, r)
		use(false)
		got := grads(b, p.op, l, r)
		for side := range want {
			for i := range want[side] {
				w, g := float64(want[side][i]), float64(got[side][i])
				if math.Abs(w-g) > 1e-5*max(1, math.Abs(w)) {
					t.Fatalf("%s: side %d entry %d: got %g, want %g", p.name, side, i, g, w)
				}
			}
		}
	}
}

// A second derivative goes through the gradients of the gradient's own products.
func TestSecondOrder(t *testing.T) { each(t, secondOrder) }

func secondOrder(t *testing.T, b backends.Backend) {
	rng := rand.New(rand.NewPCG(3, 4))
	twice := func(l, r *graph.Node) *graph.Node {
		return graph.Gradient(graph.ReduceAllSum(graph.Square(graph.Einsum("bij,bjk->kbi", l, r))), l)[0]
	}
	l, r := random(rng, 2, 3, 4), random(rng, 2, 4, 5)
	defer use(true)
	use(true)
	want := grads(b, twice, l, r)
	use(false)
	got := grads(b, twice, l, r)
	for side := range want {
		for i := range want[side] {
			if d := math.Abs(float64(want[side][i] - got[side][i])); d > 1e-4*max(1, math.Abs(float64(want[side][i]))) {
				t.Fatalf("side %d entry %d: got %g, want %g", side, i, got[side][i], want[side][i])
			}
		}
	}
}

func TestInstallOnce(t *testing.T) {
	defer use(true)
	use(true)
	Install()
	Install()
	b, err := backend.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	l, r := random(rng, 2, 3), random(rng, 3, 4)
	if g := grads(b, graph.Dot, l, r); len(g[0]) != 6 || len(g[1]) != 12 {
		t.Fatalf("gradients of %d and %d entries", len(g[0]), len(g[1]))
	}
}

func bench(b *testing.B, stock bool) {
	const n = 512
	be, err := backend.Open("go")
	if err != nil {
		b.Fatal(err)
	}
	defer use(true)
	use(stock)
	rng := rand.New(rand.NewPCG(1, 2))
	l, r := random(rng, n, n), random(rng, n, n)
	exec := graph.MustNewExec(be, func(l, r *graph.Node) []*graph.Node {
		return graph.Gradient(graph.ReduceAllSum(graph.Square(graph.Dot(l, r))), l, r)
	})
	exec.MustExec(l, r)
	for b.Loop() {
		exec.MustExec(l, r)
	}
}

func BenchmarkStock(b *testing.B)     { bench(b, true) }
func BenchmarkInstalled(b *testing.B) { bench(b, false) }
