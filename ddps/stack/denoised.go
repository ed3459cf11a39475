package stack

import (
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// denoised is the distribution of the path given x_t under a mixture of parts: a chain.PathDistribution. It holds
// scratch: one for each goroutine.
type denoised struct {
	parts  []chain.PathDistribution
	weight []float64 // ω_k
	class  []float64 // P(part | x_t)
	logs   []float64 // of LogMean
	taken  []float64 // of rows
}

// Weigh implements chain.PathDistribution. The sums of all parts are up to one constant.
func (x *denoised) Weigh(xt ddps.PALM, ratio float64, c []float64) float64 {
	for k, p := range x.parts {
		x.class[k] = p.Weigh(xt, ratio, c)
	}
	return mixture.Classes(x.weight, x.class)
}

// Draw implements chain.PathDistribution.
func (x *denoised) Draw(rng *rand.Rand, p ddps.Path) {
	k := 0
	if len(x.parts) > 1 {
		k = chain.Pick(x.class, rng.Float64())
	}
	x.parts[k].Draw(rng, p)
}

// LogProb implements chain.PathDistribution.
func (x *denoised) LogProb(p ddps.Path) float64 {
	sum := 0.0
	for k, class := range x.class {
		if class > 0 {
			sum += class * math.Exp(x.parts[k].LogProb(p))
		}
	}
	if sum >= 0x1p-1000 {
		return real.Log(sum)
	}
	logs := make([]float64, len(x.class)) // of a path of hundreds of places
	for k, class := range x.class {
		if logs[k] = real.Log(class); class > 0 {
			logs[k] += x.parts[k].LogProb(p)
		}
	}
	return mixture.LogSum(logs)
}

// LogMean implements chain.PathDistribution.
func (x *denoised) LogMean(r []float64) float64 {
	if x.logs == nil {
		x.logs = make([]float64, len(x.parts))
	}
	for k, class := range x.class {
		if x.logs[k] = math.Inf(-1); class > 0 {
			x.logs[k] = x.parts[k].LogMean(r)
		}
	}
	return mixture.Classes(x.class, x.logs)
}

// Share implements chain.PathDistribution.
func (x *denoised) Share() chain.PathDistribution {
	own := &denoised{weight: x.weight, class: x.class}
	for _, p := range x.parts {
		own.parts = append(own.parts, p.Share())
	}
	return own
}

// rows adds to pi, by edge, the probabilities that the path takes each edge.
func (x *denoised) rows(pi []float64) {
	if x.taken == nil {
		x.taken = make([]float64, len(pi))
	}
	for k, class := range x.class {
		p, ok := x.parts[k].(interface{ Rows([]float64) })
		if !ok || !(class > 0) {
			continue
		}
		clear(x.taken)
		p.Rows(x.taken)
		for e, y := range x.taken {
			pi[e] += class * y
		}
	}
}
