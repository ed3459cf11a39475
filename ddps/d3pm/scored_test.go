package d3pm

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// counted is the exact denoiser of a mixture, and how many paths were scored in reverse steps.
type counted struct {
	*mixture.Denoiser
	n *atomic.Int64
}

func (d counted) Whole() chain.PathDistribution { return countedPaths{d.Denoiser.Whole(), d.n} }

type countedPaths struct {
	chain.PathDistribution
	n *atomic.Int64
}

func (x countedPaths) LogProb(p ddps.Path) float64 {
	x.n.Add(1)
	return x.PathDistribution.LogProb(p)
}

func (x countedPaths) Share() chain.PathDistribution {
	return countedPaths{x.PathDistribution.Share(), x.n}
}

// first is the condition that a path takes edge 0.
type first struct{ g *ddps.LayeredGraph }

func (c first) Tilt(pi, out []float64) float64 {
	w := make([]float64, len(pi))
	_, hi := c.g.Edges(0)
	for e := range w {
		if e == 0 || e >= hi {
			w[e] = 1
		}
	}
	return chain.NewTilter(c.g).Tilt(pi, w, out)
}

// Reverse steps score no path but for particles: of a stack with a network that takes hundreds of draws.
func TestStepsScoreNoPath(t *testing.T) {
	g, rng, s := ddps.Example(), rand.New(rand.NewPCG(1, 2)), Cosine(16)
	z := make([]float64, g.NumEdges())
	for e := range z {
		z[e] = rng.NormFloat64()
	}
	chain.Softmax(g, z, z)
	d := counted{mixture.NewDenoiser(mixture.Of((&chain.Chain{Graph: g, P: z}).Distribution()), s.Abar), new(atomic.Int64)}
	sampler := &Sampler{Graph: g, Denoiser: d, Schedule: s, Steps: 4}
	if _, err := sampler.Sample(context.Background(), 20, 1); err != nil || d.n.Load() > 0 {
		t.Errorf("%d paths are scored in sampling 20: %v", d.n.Load(), err)
	}
	particles := &Particles{Sampler: sampler, K: 4, Target: first{g}}
	if _, _, err := particles.Sample(context.Background(), 5, 1); err != nil || d.n.Load() == 0 {
		t.Errorf("%d paths are scored by particles: %v", d.n.Load(), err)
	}
}
