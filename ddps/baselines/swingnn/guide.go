package swingnn

import (
	"context"
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/baselines"
)

// Reward is a reward of matrices, R(x) = Σ_c u_c·(1 + x_c)/2: that of a path's edges on the matrix of a path, where an
// edge is 1 and all else −1, and linear between. The paper's experiment has u = 1 at one edge (§5.1).
type Reward []float64 // u by coordinate

// NewReward returns the reward of g's edges u, by edge number, as one of matrices. The error names what is wrong with
// u.
func NewReward(g *ddps.LayeredGraph, u []float64) (Reward, error) {
	if err := g.CheckReward(u); err != nil {
		return nil, fmt.Errorf("swingnn: %w", err)
	}
	V := g.NumVertices()
	r := make(Reward, V*(V-1)/2)
	for e, z := range u {
		r[entry(V, g.Tail(e), g.Head(e))] = z
	}
	return r, nil
}

// gradient is ∇R, u/2.
func (r Reward) gradient() []float64 {
	g := make([]float64, len(r))
	for c, u := range r {
		g[c] = u / 2
	}
	return g
}

// GuideNoisy is the paper's guidance of this baseline (§5.1, after Ma et al. 2024): the gradient of the reward of the
// noisy sample, ∇_x R(x). As R is linear it is the same everywhere.
func GuideNoisy(denoise Denoiser, r Reward) Guide {
	grad := r.gradient()
	return func(d, g, x, self []float64, sigma float64) error {
		for lo := 0; lo < len(g); lo += len(grad) {
			copy(g[lo:], grad)
		}
		return denoise(d, x, self, sigma)
	}
}

// GuideDenoised is guidance by the gradient of the reward of the denoised sample, ∇_x R(D(x; σ)), through the network.
func (n *Model) GuideDenoised(r Reward) Guide {
	grad := r.gradient()
	return func(d, g, x, self []float64, sigma float64) error { return n.DenoiseGrad(d, g, x, self, grad, sigma) }
}

// Sampler returns a sampler of n by these settings, unguided.
func (n *Model) Sampler(cfg SampleConfig) *Sampler {
	return &Sampler{SampleConfig: cfg, Dim: n.Dim(), Denoise: n.Denoise, Batch: deviceBatch * n.cfg.parts()}
}

// Sample draws the edge sets of samples first…first+count−1 of a seed, unguided. progress, which may be nil, is called
// with evaluations of the network done, of all samples.
func (n *Model) Sample(ctx context.Context, first, count int, seed uint64, cfg SampleConfig,
	progress func(done, total int)) ([][]baselines.Edge, error) {
	s := n.Sampler(cfg)
	s.Progress = progress
	x, err := s.Sample(ctx, first, count, seed)
	if err != nil {
		return nil, err
	}
	return Edges(n.V, x), nil
}
