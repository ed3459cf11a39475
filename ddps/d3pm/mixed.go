package d3pm

import (
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// mover is a PathDistribution without exact draws, whose reverse process is exact all the same: Move takes p, the x̃_0
// of the step before, to another path by a Markov kernel whose stationary distribution is that of x̃_0 given x_t. The
// x̃_0 of the step before is a valid start, since given x_t it has that distribution.
type mover interface {
	chain.PathDistribution
	Move(rng *rand.Rand, p ddps.Path)
}

// PathBase is an exact denoiser that knows the distribution of the whole path x̃_0 given x_t, which is more than a
// chain of its rows: a *mixture.Denoiser. Safe for concurrent use.
type PathBase interface {
	Denoiser
	Graph() *ddps.LayeredGraph
	// LogProb returns log P(p) before any x_t.
	LogProb(p ddps.Path) (float64, error)
	// Ratio returns ᾱ_t/(1−ᾱ_t).
	Ratio(t int) float64
	// Whole returns the distribution of the path, and Given that under a condition which weighs paths by exp(logw), by
	// edge of l or, where that is nil, of the graph; nil where no path meets it.
	Whole() chain.PathDistribution
	Given(l *chain.Product, logw []float64) chain.PathDistribution
}

// pathDenoiser is a Denoiser on a PathBase, whose edges a network may weigh by c_v(e) = π_v(e)/π⁰_v(e), π⁰ the base's
// rows,
//
//	P(x̃_0 | x_t) ∝ P⁰(x̃_0 | x_t) ∏_{e on path} c(e).
type pathDenoiser interface {
	Denoiser
	// PathBase returns the base, nil where x̃_0 is a chain of the rows; bare reports whether all c are 1.
	PathBase() (base PathBase, bare bool)
	// Factors sets pi to the row distributions and c to the factors, [batch, edge], for each of xt.
	Factors(pi, c []float64, xt []ddps.PALM, t int) error
}

// mixed is a denoiser whose distribution of x̃_0 given x_t is more than a chain of its rows. Joint draws from it;
// kernels that go row by row have no use for it.
type mixed struct {
	exact PathBase
	model pathDenoiser // nil: the base alone
}

// mixtureOf returns what d is as such a denoiser, nil if it is none.
func mixtureOf(d Denoiser) *mixed {
	switch d := d.(type) {
	case PathBase:
		return &mixed{exact: d}
	case pathDenoiser:
		switch base, bare := d.PathBase(); {
		case base == nil:
		case bare:
			return &mixed{exact: base}
		default:
			return &mixed{exact: base, model: d}
		}
	}
	return nil
}

// bare reports whether the distribution is the base's own: every factor is 1, and no rows are needed to know them.
func (m *mixed) bare() bool { return m != nil && m.model == nil }

// dists sets pi to the row distributions and c to the factors, [batch, edge], for each of xt; c stays empty
// where all are 1.
func (m *mixed) dists(pi, c []float64, xt []ddps.PALM, t int) error {
	if m.bare() {
		return m.exact.Posterior(pi, xt, t)
	}
	return m.model.Factors(pi, c, xt, t)
}

// given returns the distribution given c (nil: none), and the logarithm of a factor that it leaves out of the
// weights. It is nil where no path meets c.
func (m *mixed) given(c Condition) (chain.PathDistribution, float64) {
	if c == nil {
		return m.exact.Whole(), 0
	}
	return GivenPaths(m.exact, c)
}

// GivenPaths returns the distribution of b given c. A condition with the method
//
//	LogWeights() (*chain.Product, []float64)
//
// says so what it weighs, by logarithms, on its product graph; what others weigh is found by Tilt.
func GivenPaths(b PathBase, c Condition) (chain.PathDistribution, float64) {
	l, logw, shift := logWeights(b.Graph(), c)
	if math.IsInf(shift, -1) {
		return nil, shift
	}
	return b.Given(l, logw), shift
}

// logWeights returns the logarithms of what c weighs, by edge of its product graph l or, where that is nil, of g (nil:
// all 0), but for a factor of which it returns the logarithm; −Inf where no path meets c.
func logWeights(g *ddps.LayeredGraph, c Condition) (l *chain.Product, logw []float64, shift float64) {
	if own, ok := c.(interface {
		LogWeights() (*chain.Product, []float64)
	}); ok {
		l, logw = own.LogWeights()
		return l, logw, 0
	}
	l, w := ProductOf(c)
	w, shift = chain.Weights(g, l, w, c.Tilt)
	if w != nil && !math.IsInf(shift, -1) {
		logw = make([]float64, len(w))
		for e, x := range w {
			logw[e] = vec.Log(x)
		}
	}
	return l, logw, shift
}
