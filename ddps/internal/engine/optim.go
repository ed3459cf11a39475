package engine

import (
	"fmt"
	"math"
	"strings"

	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// OptimConfig sets the optimiser: AdamW (Loshchilov and Hutter 2019) with linear warm-up, cosine decay to 0,
// clipping of the gradient's global norm, and an exponential moving average (EMA) of the weights for sampling.
type OptimConfig struct {
	LR          float64 `toml:"lr"`           // greatest learning rate, above 0
	Warmup      int     `toml:"warmup"`       // steps of linear warm-up, ≥ 0
	WeightDecay float64 `toml:"weight_decay"` // decoupled, ≥ 0; biases are exempt
	Beta1       float64 `toml:"beta1"`        // in [0, 1)
	Beta2       float64 `toml:"beta2"`        // in [0, 1)
	Eps         float64 `toml:"eps"`          // above 0
	Clip        float64 `toml:"clip"`         // greatest global norm of the gradient; 0: no clipping
	// decay of the average, in [0, 1); starts lower: min(EMA, (1+k)/(10+k)) at step k
	EMA float64 `toml:"ema"`
}

// Check returns an error that names the setting out of range.
func (c OptimConfig) Check() error {
	in := func(x, lo, hi float64) bool { return x >= lo && x < hi }
	for _, f := range []struct {
		name string
		ok   bool
	}{{"lr", c.LR > 0 && !math.IsInf(c.LR, 0)}, {"warmup", c.Warmup >= 0},
		{"weight_decay", in(c.WeightDecay, 0, math.Inf(1))},
		{"beta1", in(c.Beta1, 0, 1)}, {"beta2", in(c.Beta2, 0, 1)}, {"eps", c.Eps > 0 && !math.IsInf(c.Eps, 0)},
		{"clip", in(c.Clip, 0, math.Inf(1))}, {"ema", in(c.EMA, 0, 1)}} {
		if !f.ok {
			return fmt.Errorf("%s is out of range", f.name)
		}
	}
	return nil
}

// Rate returns the learning rate of step k in 0…steps−1: linear warm-up, then a cosine to 0.
func (c OptimConfig) Rate(k, steps int) float64 {
	if k < c.Warmup {
		return c.LR * float64(k+1) / float64(c.Warmup)
	}
	return c.LR * (1 + math.Cos(math.Pi*float64(k-c.Warmup)/float64(max(1, steps-c.Warmup)))) / 2
}

// Optimizer is AdamW's state, arrays in the order of the parameters.
type Optimizer struct {
	OptimConfig
	M, V [][]float32 // running means of the gradient and of its square
	Mean [][]float32 // the averaged weights
}

// NewOptimizer makes the state before the first step.
func NewOptimizer(c OptimConfig, params []Param) *Optimizer {
	o := &Optimizer{OptimConfig: c}
	for _, p := range params {
		o.M, o.V = append(o.M, make([]float32, len(p.Data))), append(o.V, make([]float32, len(p.Data)))
		o.Mean = append(o.Mean, append([]float32(nil), p.Data...))
	}
	return o
}

// Update takes step k, from 0, at the learning rate given and returns the gradient's global norm before clipping. A
// gradient that is not finite changes nothing; one that makes a weight or the state overflow is an error too. Both name
// the parameter.
func (o *Optimizer) Update(params []Param, grads [][]float32, k int, rate float64) (norm float64, err error) {
	for i, g := range grads {
		sum := 0.0
		for _, x := range g {
			sum += float64(x) * float64(x)
		}
		if math.IsNaN(sum) || math.IsInf(sum, 0) {
			return 0, fmt.Errorf("the gradient of parameter %q is not finite", params[i].Name)
		}
		norm += sum
	}
	norm = math.Sqrt(norm)
	scale := 1.0
	if o.Clip > 0 && norm > o.Clip {
		scale = o.Clip / norm
	}
	step, eps, keep := o.factors(k, rate)
	for i, p := range params {
		decay := rate * o.decay(p)
		n := len(p.Data)
		a := vec.AdamW{Beta1: o.Beta1, Beta2: o.Beta2, Scale: scale, Decay: decay, Step: step, Eps: eps, Keep: keep}
		if !a.Update(p.Data, grads[i][:n], o.M[i][:n], o.V[i][:n], o.Mean[i][:n]) {
			return 0, notFinite(p)
		}
	}
	return norm, nil
}

// factors returns what step k works with: rate·m̂/(√v̂ + ε), with m̂ = m/(1 − β₁ᵏ⁺¹) and v̂ = v/(1 − β₂ᵏ⁺¹), is
// step·m/(√v + eps), and keep is the share of the average that stays.
func (o *Optimizer) factors(k int, rate float64) (step, eps, keep float64) {
	root := math.Sqrt(1 - math.Pow(o.Beta2, float64(k+1)))
	return rate * root / (1 - math.Pow(o.Beta1, float64(k+1))), o.Eps * root, min(o.EMA, float64(1+k)/float64(10+k))
}

// decay returns the weight decay of a parameter.
func (o *Optimizer) decay(p Param) float64 {
	if strings.HasSuffix(p.Name, "bias") {
		return 0
	}
	return o.WeightDecay
}

func notFinite(p Param) error { return fmt.Errorf("parameter %q is not finite after the step", p.Name) }
