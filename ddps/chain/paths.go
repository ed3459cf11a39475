package chain

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
)

// PathDistribution is a distribution over whole paths given x_t (*mixture.Paths), which may be more than a chain of
// rows. It holds scratch: one for each goroutine.
type PathDistribution interface {
	// Weigh sets the distribution to that given x_t (nil: no x_t), ratio being ᾱ_t/(1−ᾱ_t), with factors c ≥ 0 by edge
	// (nil: all 1). It returns the logarithm of the normalising sum up to a constant of t; −Inf: no path has weight.
	Weigh(xt ddps.PALM, ratio float64, c []float64) float64
	// Draw draws a path into p, of length L.
	Draw(rng *rand.Rand, p ddps.Path)
	// LogProb returns the logarithm of a path's probability.
	LogProb(p ddps.Path) float64
	// LogMean returns the logarithm of the expectation of the product of r ≥ 0, by edge, over the path's edges.
	LogMean(r []float64) float64
	// Share returns the same distribution for another goroutine, for Draw and LogProb alone.
	Share() PathDistribution
}
