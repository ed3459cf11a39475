package edpgnn

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/gomlx/gomlx/pkg/core/graph"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// graphs holds graphs as matrices.
type graphs struct {
	n     int
	x     [][]float32 // [graph] [n, n]
	there [][]float32 // [graph] [n] 1 for a vertex that is there, else 0
}

// newGraphs takes graphs of at most n vertices. The error names the graph, from 1, that is wrong.
func newGraphs(n int, list []baselines.Graph) (*graphs, error) {
	if len(list) == 0 {
		return nil, errors.New("no graphs")
	}
	s := &graphs{n: n}
	for i, g := range list {
		if g.N < 1 || g.N > n {
			return nil, fmt.Errorf("graph %d has %d vertices, expected 1…%d", i+1, g.N, n)
		}
		if err := g.Check(); err != nil {
			return nil, fmt.Errorf("graph %d: %w", i+1, err)
		}
		x := make([]float32, n*n)
		g.Set(x, n)
		s.x, s.there = append(s.x, x), append(s.there, vertices(g.N, n))
	}
	return s, nil
}

// vertices returns [n] that marks the first k.
func vertices(k, n int) []float32 {
	there := make([]float32, n)
	for v := range k {
		there[v] = 1
	}
	return there
}

// batch is what the network and its loss see: N noisy matrices.
type batch struct {
	N, n, S int
	x       []float32 // [N, n, n] A + σ·e, masked
	e       []float32 // [N, n, n] the noise in units of σ, masked
	sigma   []float32 // [N] σ
	level   []float32 // [N, S] one-hot level of the noise
	there   []float32 // [N, n]
	weight  []float32 // [N] of each matrix in the loss
}

func newBatch(N, n, S int) *batch {
	f := func(k int) []float32 { return make([]float32, k) }
	return &batch{N: N, n: n, S: S, x: f(N * n * n), e: f(N * n * n), sigma: f(N), level: f(N * S), there: f(N * n),
		weight: f(N)}
}

// inputs are the tensors of the network's inputs: x, level, there and the matrix that is 0 on the diagonal, else 1.
func (b *batch) inputs() []any {
	return []any{engine.Tensor(b.x, b.N, b.n, b.n), engine.Tensor(b.level, b.N, b.S), engine.Tensor(b.there, b.N, b.n),
		engine.Tensor(offDiagonal(b.n), b.n, b.n)}
}

// network builds the score, [N, n, n], from the parameters and the inputs; in training normalised by the batch, whose
// statistics it returns.
func (m *Model) network(params, in []*graph.Node, train bool) (score *graph.Node, stats []*graph.Node) {
	b := newNodes(m, params, in[1], in[2], in[3])
	b.train = train
	return b.score(in[0]), b.stats
}

// offDiagonal returns [n, n], 0 on the diagonal, else 1.
func offDiagonal(n int) []float32 {
	x := make([]float32, n*n)
	for i := range x {
		if i/n != i%n {
			x[i] = 1
		}
	}
	return x
}

// set makes matrix i of the batch a matrix a with noise of level s, drawn from rng.
func (b *batch) set(i int, a, there []float32, s int, sigma float64, weight float32, rng *rand.Rand) {
	n := b.n
	x, e := b.x[i*n*n:(i+1)*n*n], b.e[i*n*n:(i+1)*n*n]
	baselines.Noise(e, n, 1, rng)
	copy(b.there[i*n:], there)
	mask(e, there)
	for k := range x {
		x[k] = a[k] + float32(sigma)*e[k]
	}
	b.setLevel(i, s, sigma)
	b.weight[i] = weight
}

func (b *batch) setLevel(i, s int, sigma float64) {
	clear(b.level[i*b.S : (i+1)*b.S])
	b.level[i*b.S+s], b.sigma[i] = 1, float32(sigma)
}

// mask clears the entries of x, [n, n], whose vertices are not both there.
func mask(x, there []float32) {
	n := len(there)
	for u, a := range there {
		for v, b := range there {
			x[u*n+v] *= a * b
		}
	}
}

// parallel calls f(i) for i in 0…n−1 on all CPUs.
func parallel(n int, f func(i int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	wg.Wait()
}
