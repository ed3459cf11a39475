package dotgrad

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
)

// The gradient of a slice is its adjoint where the slice was, and 0 elsewhere.
func TestSlice(t *testing.T) { each(t, sliceGradient) }

func sliceGradient(t *testing.T, b backends.Backend) {
	stock := graph.VJPRegistration[graph.NodeTypeSlice]
	graph.VJPRegistration[graph.NodeTypeSlice] = sliceVJP(stock)
	defer func() { graph.VJPRegistration[graph.NodeTypeSlice] = stock }()
	rng := rand.New(rand.NewPCG(11, 12))
	dims := []int{4, 5, 3}
	for _, c := range [][3][2]int{
		{{0, 4}, {0, 5}, {0, 3}}, {{1, 4}, {0, 5}, {0, 3}}, {{0, 3}, {0, 5}, {0, 3}}, {{1, 3}, {2, 4}, {0, 1}},
		{{3, 4}, {0, 2}, {1, 3}},
	} {
		got := tensors.MustCopyFlatData[float32](graph.MustExecOnce(b, func(x *graph.Node) *graph.Node {
			y := graph.Slice(x, graph.AxisRange(c[0][0], c[0][1]), graph.AxisRange(c[1][0], c[1][1]), graph.AxisRange(c[2][0],
				c[2][1]))
			weight := graph.Sin(graph.AddScalar(graph.IotaFull(x.Graph(), y.Shape()), 0.5))
			return graph.Gradient(graph.ReduceAllSum(graph.Mul(y, weight)), x)[0]
		}, random(rng, dims...)))
		k := 0
		for i, x := range got {
			at, want := [3]int{i / 15, i / 3 % 5, i % 3}, 0.0
			inside := true
			for axis, r := range c {
				inside = inside && at[axis] >= r[0] && at[axis] < r[1]
			}
			if inside {
				want = math.Sin(float64(k) + 0.5)
				k++
			}
			if math.Abs(float64(x)-want) > 1e-5 {
				t.Fatalf("slice %v: gradient of entry %v is %g, want %g", c, at, x, want)
			}
		}
	}
}
