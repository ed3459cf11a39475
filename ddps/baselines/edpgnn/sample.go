package edpgnn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// SampleConfig sets annealed Langevin dynamics (Song and Ermon 2019; Niu et al., algorithm 1).
type SampleConfig struct {
	Steps int     `toml:"steps"` // at each level of noise, at least 1
	Step  float64 `toml:"step"`  // size of a step in units of σ², in (0, 1]: α = Step·σ²
	Noise float64 `toml:"noise"` // scale ε of the noise, at least 0; 1 is a Langevin step
	Batch int     `toml:"batch"` // graphs worked on at a time; it changes no number
}

// DefaultSample returns the publication's 1,000 steps a level, with the step and noise in the middle of its grid.
func DefaultSample() SampleConfig {
	return SampleConfig{Steps: 1000, Step: 0.005, Noise: 0.5, Batch: 128}
}

// Check returns an error that names the setting out of range.
func (c SampleConfig) Check() error {
	switch {
	case c.Steps < 1:
		return fmt.Errorf("steps is %d, must be at least 1", c.Steps)
	case !(c.Step > 0 && c.Step <= 1):
		return fmt.Errorf("step is %g, must be above 0 and at most 1", c.Step)
	case !(c.Noise >= 0) || math.IsInf(c.Noise, 0):
		return fmt.Errorf("noise is %g, must be at least 0", c.Noise)
	case c.Batch < 1 || c.Batch > 1<<16:
		return fmt.Errorf("batch is %d, must be in 1…%d", c.Batch, 1<<16)
	}
	return nil
}

// ErrDiverged is what Sample returns, wrapped, where a matrix is not finite.
var ErrDiverged = errors.New("the dynamics diverged")

// Sample draws graphs number first…first+n−1 under a seed, each by numbers of its own. sizes are the numbers of
// vertices to choose from, all alike, in 1…N; nil means N. progress, which may be nil, is called with how many of all
// steps are done. When ctx ends it returns ctx's error. A matrix that is not finite is ErrDiverged, wrapped.
func (m *Model) Sample(ctx context.Context, first, n int, seed uint64, sizes []int, c SampleConfig,
	progress func(done, total int)) ([]baselines.Graph, error) {
	if err := c.Check(); err != nil {
		return nil, fmt.Errorf("edpgnn: sample: %w", err)
	}
	if sizes == nil {
		sizes = []int{m.N}
	}
	for _, k := range sizes {
		if k < 1 || k > m.N {
			return nil, fmt.Errorf("edpgnn: sample: a graph of %d vertices, expected 1…%d", k, m.N)
		}
	}
	var list []baselines.Graph
	total := baselines.StepsPerEpoch(n, c.Batch) * c.Steps * len(m.cfg.Sigmas)
	for lo := 0; lo < n; lo += c.Batch {
		base := lo / c.Batch * c.Steps * len(m.cfg.Sigmas)
		tick := func(k int) {
			if progress != nil {
				progress(base+k, total)
			}
		}
		part, err := m.draw(ctx, first+lo, min(c.Batch, n-lo), seed, sizes, c, tick)
		if err != nil {
			return nil, fmt.Errorf("edpgnn: sample: %w", err)
		}
		list = append(list, part...)
	}
	return list, nil
}

// draw draws up to c.Batch graphs; the rest of the batch is of no vertex.
func (m *Model) draw(ctx context.Context, first, n int, seed uint64, sizes []int, c SampleConfig, tick func(k int)) (
	[]baselines.Graph, error) {
	b := newBatch(c.Batch, m.N, len(m.cfg.Sigmas))
	rngs, list := make([]*rand.Rand, n), make([]baselines.Graph, n)
	size := m.N * m.N
	for i := range n {
		rngs[i] = ddps.Rand(seed, uint64(first+i))
		list[i].N = sizes[rngs[i].IntN(len(sizes))]
		copy(b.there[i*m.N:], vertices(list[i].N, m.N))
		begin(b.x[i*size:(i+1)*size], b.there[i*m.N:(i+1)*m.N], rngs[i])
	}
	score := make([]float32, len(b.x))
	err := langevin(ctx, b, rngs, m.cfg.Sigmas, c, tick, func() error { return m.scores(score, b) }, score)
	if err != nil {
		return nil, err
	}
	for i := range list {
		x := b.x[i*size : (i+1)*size]
		for _, y := range x {
			if math.IsNaN(float64(y)) || math.IsInf(float64(y), 0) {
				return nil, fmt.Errorf("graph %d: %w: take a smaller step", first+i, ErrDiverged)
			}
		}
		list[i].Edges = baselines.Threshold(x, m.N, 0.5)
	}
	return list, nil
}

// begin sets x, [n, n], to absolute values of symmetric standard normal noise, masked.
func begin(x, there []float32, rng *rand.Rand) {
	baselines.Noise(x, len(there), 1, rng)
	for i, y := range x {
		x[i] = max(y, -y)
	}
	mask(x, there)
}

// langevin takes c.Steps steps at each level of noise, from the greatest to the least, on the first len(rngs) matrices
// of b:
//
//	x ← x + ε√(2α)·e,  x ← x + α·s(x; σ),   α = Step·σ²
//
// scores sets score, of x's shape, from b.
func langevin(ctx context.Context, b *batch, rngs []*rand.Rand, sigmas []float64, c SampleConfig, tick func(k int),
	scores func() error, score []float32) error {
	n, done := b.n, 0
	for s := len(sigmas) - 1; s >= 0; s-- {
		for i := range b.N {
			b.setLevel(i, s, sigmas[s])
		}
		alpha := c.Step * sigmas[s] * sigmas[s]
		for range c.Steps {
			if err := ctx.Err(); err != nil {
				return err
			}
			parallel(len(rngs), func(i int) {
				shake(b.x[i*n*n:(i+1)*n*n], b.there[i*n:(i+1)*n], c.Noise*math.Sqrt(2*alpha), rngs[i])
			})
			if err := scores(); err != nil {
				return err
			}
			parallel(len(rngs), func(i int) { climb(b.x[i*n*n:(i+1)*n*n], score[i*n*n:], n, float32(alpha)) })
			done++
			tick(done)
		}
	}
	return nil
}

// shake adds symmetric noise of a deviation to the entries of x whose vertices are there.
func shake(x, there []float32, sigma float64, rng *rand.Rand) {
	n := len(there)
	for u := range n {
		if there[u] == 0 {
			continue
		}
		for v := u + 1; v < n; v++ {
			if there[v] != 0 {
				z := float32(sigma * rng.NormFloat64())
				x[u*n+v] += z
				x[v*n+u] += z
			}
		}
	}
}

// climb adds alpha times the score to x, [n, n], above the diagonal, and mirrors it.
func climb(x, score []float32, n int, alpha float32) {
	for u := range n {
		for v := u + 1; v < n; v++ {
			x[u*n+v] += alpha * (score[u*n+v] + score[v*n+u]) / 2
			x[v*n+u] = x[u*n+v]
		}
	}
}

// scores sets score to the network's for the batch.
func (m *Model) scores(score []float32, b *batch) error {
	m.engine.Lock()
	defer m.engine.Unlock()
	args := append(engine.ParamTensors(m.params), b.inputs()...)
	build := func(args []*graph.Node) []*graph.Node {
		score, _ := m.network(args[:len(m.params)], args[len(m.params):], false)
		return []*graph.Node{score}
	}
	return m.engine.Run(cmp.Or(m.cfg.Backend, defaultBackend), shape{N: b.N}, build, args,
		func(outs []*tensors.Tensor) error {
			return tensors.ConstFlatData(outs[0], func(x []float32) { copy(score, x) })
		})
}
