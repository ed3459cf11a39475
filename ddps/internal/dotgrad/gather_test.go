package dotgrad

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/gomlx/gomlx/pkg/core/tensors"
)

type shape = shapes.Shape

// The gradient of Gather at an index met k times is the sum of its k adjoints, sorted or not. GoMLX passes
// the right flags on (unsorted, not unique); this holds the backend to it, for vectors and for rows.
// (Indices are [K, 1] for a vector: the Go backend refuses an index axis beyond the operand's rank.)
func TestGatherSumsDuplicates(t *testing.T) { each(t, gatherSumsDuplicates) }

func gatherSumsDuplicates(t *testing.T, b backends.Backend) {
	rng := rand.New(rand.NewPCG(7, 8))
	const rows, n, l = 7, 5, 6
	index := make([]int32, n*l)
	for i := range index {
		index[i] = int32(rng.IntN(rows - 1)) // row 6 is never met
	}
	for _, width := range []int{0, 1, 4} {
		dims, w, idx := []int{rows}, 1, tensors.FromFlatDataAndDimensions(index, n*l, 1)
		if width > 0 {
			dims, w, idx = append(dims, width), width, tensors.FromFlatDataAndDimensions(index, n, l, 1)
		}
		table := random(rng, dims...)
		got := tensors.MustCopyFlatData[float32](graph.MustExecOnce(b, func(table, idx *graph.Node) *graph.Node {
			out := graph.Gather(table, idx)
			weight := graph.Sin(graph.AddScalar(graph.IotaFull(table.Graph(), out.Shape()), 0.5))
			return graph.Gradient(graph.ReduceAllSum(graph.Mul(out, weight)), table)[0]
		}, table, idx))
		want := make([]float64, rows*w)
		for i, row := range index {
			for c := range w {
				want[int(row)*w+c] += math.Sin(float64(i*w+c) + 0.5)
			}
		}
		for i := range want {
			if math.Abs(want[i]-float64(got[i])) > 1e-5 {
				t.Fatalf("width %d entry %d: got %g, want %g", width, i, got[i], want[i])
			}
		}
	}
}
