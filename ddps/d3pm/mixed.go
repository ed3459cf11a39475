package d3pm

import (
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// mixed is a denoiser whose law of x̃_0 given x_t is more than a chain of its rows: a mixture of chains, each edge
// weighed by c_v(e) = π_v(e)/π⁰_v(e), what a network makes of the mixture's own rows π⁰,
//
//	P(x̃_0 | x_t) ∝ Σ_k ω_k ∏_{e on path} P_k(e) b(e) c(e).
//
// With one class that is the chain π. Joint draws from it; kernels that go row by row have no use for it.
type mixed struct {
	exact *mixture.Denoiser
	model *Model // nil: no network
}

// mixtureOf returns what d is as a mixture, nil if it is none.
func mixtureOf(d Denoiser) *mixed {
	switch d := d.(type) {
	case *mixture.Denoiser:
		return &mixed{exact: d}
	case *Model:
		if exact, ok := d.exact.(*mixture.Denoiser); ok && (d.Net == nil || d.Config.residual()) {
			if d.Net == nil {
				d = nil
			}
			return &mixed{exact: exact, model: d}
		}
	}
	return nil
}

// bare tells whether the law is the mixture's own: every factor is 1, and nobody needs rows to know them.
func (m *mixed) bare() bool { return m != nil && m.model == nil }

// laws sets pi to the row laws and c to the factors, [batch, edge], for each of xt; c stays empty where all are 1.
func (m *mixed) laws(pi, c []float64, xt []ddps.PALM, t int) error {
	if m.bare() {
		return m.exact.Posteriors(pi, xt, t)
	}
	return m.model.posteriors(pi, c, xt, t)
}

// weighted returns the mixture given c (nil: none), and the logarithm of a factor that it leaves out of the weights. It is
// nil where no path meets c.
func (m *mixed) weighted(c Condition) (*mixture.Weighted, float64) {
	if c == nil {
		return m.exact.Weighted, 0
	}
	return weighted(m.exact.Mixture(), c)
}

// weighted returns the mixture m given c. A condition with the method
//
//	LogWeights() (*chain.Lift, []float64)
//
// says so what it weighs, by logarithms, on its product graph; what others weigh is found by Tilt.
func weighted(m *mixture.Mixture, c Condition) (*mixture.Weighted, float64) {
	if own, ok := c.(interface {
		LogWeights() (*chain.Product, []float64)
	}); ok {
		l, logw := own.LogWeights()
		return m.WeightedLog(l, logw), 0
	}
	l, w := lift(c)
	w, shift := chain.Weights(m.Base(), l, w, c.Tilt)
	if math.IsInf(shift, -1) {
		return nil, shift
	}
	return m.Weighted(l, w), shift
}
