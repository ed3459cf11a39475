package swingnn

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/baselines"
)

// DefaultTrain returns the published settings for small graphs: Adam at 10⁻⁴, batches of 80, gradients clipped at 10.
// Of the published moving averages it is that of 0.999, which the published code samples with. Steps are those of the
// published 10,001 epochs of 1,080 paths.
func DefaultTrain() baselines.TrainConfig {
	return baselines.TrainConfig{Steps: 140_014, Batch: 80, LRDecay: 1, EvalEvery: 1400, Checkpoint: 1400,
		Optim: baselines.OptimConfig{LR: 1e-4, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8, Clip: 10, EMA: 0.999}}
}

// SmallTrain returns settings for Small on the paper's data: fewer and smaller steps, at a far higher rate, which
// falls.
func SmallTrain() baselines.TrainConfig {
	c := DefaultTrain()
	c.Steps, c.Batch, c.LRDecay, c.EvalEvery, c.Checkpoint = 16_000, 16, 0.988, 500, 500
	c.Optim.LR, c.Optim.Warmup, c.Optim.Clip, c.Optim.Beta2 = 0.01, 100, 1, 0.99
	return c.WithSteps(24_000) // beyond these the validation loss no longer falls
}

// Trainer returns a trainer of n on paths of g; held may be empty, and paths that occur several times count as often.
// The batch of step k takes the next examples of the epoch, ln σ from N(PMean, PStd²), and noise; with SelfCond, in
// half of the steps and for all their examples alike, as published, the network is asked for an estimate to condition
// on first.
func (n *Model) Trainer(g *ddps.LayeredGraph, train, held []ddps.Path, cfg baselines.TrainConfig) (*baselines.Trainer,
	error) {
	task, err := n.task(g, train, held, cfg)
	if err != nil {
		return nil, fmt.Errorf("swingnn: train: %w", err)
	}
	return baselines.NewTrainer(task, cfg)
}

func (n *Model) task(g *ddps.LayeredGraph, train, held []ddps.Path, cfg baselines.TrainConfig) (t baselines.Task,
	err error) {
	if g.NumVertices() != n.V {
		return t, fmt.Errorf("a graph of %d vertices, a network of %d", g.NumVertices(), n.V)
	}
	s, err := n.source(g, train, cfg.Seed, 0)
	if err != nil {
		return t, err
	}
	print := sha256.Sum256(fmt.Append(nil, n.V, train, held))
	t = baselines.Task{Kind: Kind, Config: n.file(), Data: hex.EncodeToString(print[:8]), Params: n.params,
		Epoch: baselines.StepsPerEpoch(len(train), max(cfg.Batch, 1))}
	order := baselines.NewOrder(len(train), s.seed[0])
	var b batch
	t.LossGrad = func(k int, grads [][]float32) (float64, error) {
		if err := s.fill(&b, k*cfg.Batch, cfg.Batch, order.At); err != nil {
			return 0, err
		}
		return n.lossGrad(&b, grads)
	}
	if len(held) > 0 {
		h, err := n.source(g, held, cfg.Seed, 1)
		if err != nil {
			return t, err
		}
		t.Held = func() (float64, error) { return h.mean(cfg.Batch) }
	}
	return t, nil
}

// source makes batches of paths.
type source struct {
	n      *Model
	points []float64 // [paths, Dim]
	paths  int
	seed   [3]uint64 // of order, examples, self-conditioning
}

// source checks the paths, of which there must be one. Sources of other numbers draw other numbers under a seed.
func (n *Model) source(g *ddps.LayeredGraph, paths []ddps.Path, seed, number uint64) (*source, error) {
	if len(paths) == 0 {
		return nil, errors.New("no paths")
	}
	points, err := Points(g, paths)
	if err != nil {
		return nil, err
	}
	s := &source{n: n, points: points, paths: len(paths)}
	rng := ddps.Rand(seed, number)
	for i := range s.seed {
		s.seed[i] = rng.Uint64()
	}
	return s, nil
}

// fill makes a batch of size examples, those at places from first on in an order, with an estimate if the coin says so.
func (s *source) fill(b *batch, first, size int, at func(k int) int) error {
	D := s.n.Dim()
	if b.N != size || b.Clean == nil {
		*b = batch{N: size, Clean: make([]float64, size*D), Noisy: make([]float64, size*D), Sigma: make([]float64, size)}
	}
	for k := range size {
		s.example(b, k, at(first+k), ddps.Rand(s.seed[1], uint64(first+k)))
	}
	b.Self = nil
	if s.n.cfg.SelfCond && ddps.Rand(s.seed[2], uint64(first)).Float64() < 0.5 {
		self := make([]float64, size*D)
		if err := s.n.estimate(self, b); err != nil {
			return err
		}
		b.Self = self
	}
	return nil
}

// example sets example k to a path, noised.
func (s *source) example(b *batch, k, path int, rng *rand.Rand) {
	n := s.n
	D := n.Dim()
	y, x := b.Clean[k*D:(k+1)*D], b.Noisy[k*D:(k+1)*D]
	copy(y, s.points[path*D:])
	if n.cfg.Permute {
		move := rng.Perm(n.V)
		eachEntry(n.V, func(c, i, j int) {
			y[entry(n.V, min(move[i], move[j]), max(move[i], move[j]))] = s.points[path*D+c]
		})
	}
	b.Sigma[k] = math.Exp(n.cfg.PMean + n.cfg.PStd*rng.NormFloat64())
	for c := range x {
		x[c] = y[c] + b.Sigma[k]*rng.NormFloat64()
	}
}

// mean returns the loss over all paths, the same noise every time; the last batch is filled up from the first ones.
func (s *source) mean(size int) (loss float64, err error) {
	var b batch
	parts := baselines.StepsPerEpoch(s.paths, size)
	for k := range parts {
		if err := s.fill(&b, k*size, size, func(k int) int { return k % s.paths }); err != nil {
			return 0, err
		}
		l, err := s.n.lossGrad(&b, nil)
		if err != nil {
			return 0, err
		}
		loss += l / float64(parts)
	}
	return loss, nil
}
