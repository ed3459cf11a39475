package net

import "github.com/ddps-go/ddps/ddps/internal/engine"

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
