package net

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// Param is one named trainable array, row-major float32, living on the host: Name string, Shape []int, Data []float32.
type Param = engine.Param

// OptimConfig sets the optimiser: AdamW (Loshchilov and Hutter 2019) with linear warm-up, cosine decay to 0,
// clipping of the gradient's global norm, and an exponential moving average (EMA) of the weights for sampling. Its
// fields are LR, WeightDecay, Beta1, Beta2, Eps, Clip, EMA float64 and Warmup int.
type OptimConfig = engine.OptimConfig

// DefaultOptim returns settings for the MLP on Toy.
func DefaultOptim() OptimConfig {
	return OptimConfig{LR: 2e-3, Warmup: 100, WeightDecay: 0.01, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8, Clip: 1, EMA: 0.999}
}

// Shape is what a compiled graph depends on, besides the network.
type Shape struct {
	N, L, D, TMax int
	Grad          bool
}

// Loss is a batch's loss: means over examples of sums over on-path rows. VB is already times T.
type Loss struct{ Total, CE, VB float64 }

// Add adds share times m.
func (l *Loss) Add(m Loss, share float64) {
	l.Total += share * m.Total
	l.CE += share * m.CE
	l.VB += share * m.VB
}

// LossMemory returns how many bytes the loss of n examples as a graph takes, and how many values of each of the
// network's activations are kept.
func LossMemory(g *ddps.LayeredGraph, n int, grad bool) (bytes, kept int64) {
	if kept = 1; grad {
		kept = 2
	}
	return 4 * int64(n) * int64(g.NumLayers()-1) * int64(g.MaxDegree()) * 6 * kept, kept
}
