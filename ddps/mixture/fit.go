package mixture

import (
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"gonum.org/v1/gonum/optimize"
)

// Fit fits a mixture to paths with weights (nil: all 1). Class k is a base, tilted by potentials of vertices and,
// where the order is 2, of turns, a move from place v to w of a path that was in another place u before, over any wait,
//
//	P_k(path) = base(path)·exp(Σ_v φ_k(v) + Σ_turns ψ(u, v, w) + ψ'(layer)·1[w = u]
//		+ ψ''(layer)·1[w = v, once more])/Z_k,
//
// which is again a chain, on the product graph Turns where there are turns: a class costs a number per vertex, and all
// of them together one a turn of places, whatever its layer, and two a layer. The base is the chain c, fitted to the
// same paths, where the order is 1; turns contain the edges, and the base is then the distribution uniform over all
// paths, which costs no number at all. It seeks the φ, ψ and ω most likely under Gaussian priors,
//
//	Σ_n w_n log Σ_k ω_k P_k(path_n) − ½ρ (Σ φ² + Σ ψ²) − ½τ Σ (φ_k(v) − φ_k(v'))²,
//
// v and v' the same place (Meta.Place) in layers that follow each other, by Fitter.Fit without
// validation paths. each, unless it is nil, is called after every round; an error of its own ends the fit and is
// returned. The other errors are those of NewFitter.
func Fit(c *chain.Chain, paths []ddps.Path, weights []float64, cfg Config, seed uint64, each func(round int) error) (
	*Mixture, error) {
	if cfg.Simple() {
		if _, err := chain.EdgeWeights(c.Graph, paths, weights); err != nil {
			return nil, err
		}
		return Of(c.Distribution()), cfg.Check(c.Graph)
	}
	m, err := NewFitter(c, chain.Sample{Paths: paths, Weights: weights}, chain.Sample{}, cfg)
	if err != nil {
		return nil, err
	}
	fit, err := m.Fit(Trial{Ridge: cfg.Ridge, Smooth: cfg.Smooth, Rounds: cfg.Rounds, Seed: seed, Each: each})
	if err != nil {
		return nil, err
	}
	return m.Mixture(fit), nil
}

// errInfinite is the error of a fit that has no finite loss.
var errInfinite = errors.New("the loss is infinite; walks that are very much longer than the others may be the " +
	"cause: --max-length leaves them out")

// Fitter fits mixtures of one order and number of classes to the same paths, with several strengths of
// regularisation. It holds scratch: one for each goroutine.
type Fitter struct{ loss *penalised }

// NewFitter prepares fits to the sample train of mixtures of cfg's order and classes. c is the chain fitted to the
// same paths; validation, unless it has no paths, decides when a fit ends. The errors are those of cfg.Check, and of
// Fit for either sample; a mixture that is one first-order chain is one, too. O(edges of the product graph + length
// of the paths).
func NewFitter(c *chain.Chain, train, validation chain.Sample, cfg Config) (*Fitter, error) {
	if err := cfg.Check(c.Graph); err != nil {
		return nil, err
	}
	if cfg.Simple() {
		return nil, fmt.Errorf("mixture: one first-order chain has nothing to fit")
	}
	if _, err := chain.EdgeWeights(c.Graph, train.Paths, train.Weights); err != nil {
		return nil, err
	}
	if len(validation.Paths) > 0 {
		if _, err := chain.EdgeWeights(c.Graph, validation.Paths, validation.Weights); err != nil {
			return nil, fmt.Errorf("validation paths: %w", err)
		}
	}
	return &Fitter{newPenalised(c, train, validation, cfg)}, nil
}

// Trial is one fit of a Fitter.
type Trial struct {
	Ridge, Smooth float64               // ρ and τ, in the ranges of Config
	Rounds        int                   // of L-BFGS at most
	Seed, Stream  uint64                // of the first potentials
	From          *Fitted               // where the fit begins, a warm start; nil: at the first potentials
	Each          func(round int) error // called after every round, unless it is nil; its error ends the fit
}

// Fitted is the parameters that a fit has found, and how it ended.
type Fitted struct {
	Ridge, Smooth float64
	Rounds        int       // that were run
	Loss          float64   // after them: NLL of the paths and −log prior, in nats per path
	Validation    float64   // NLL of the validation paths, in nats per path; NaN without any
	Settled       bool      // the fit ended before the rounds ran out
	X             []float64 // the parameters
}

// Mixture returns the mixture of a fit's parameters.
func (m *Fitter) Mixture(fit *Fitted) *Mixture { return m.loss.mixture(fit.X) }

// Work returns about how many products a round computes: the edges of the product graph and the vertices by which paths
// in lexicographic order differ from the path before, each times the classes.
func (m *Fitter) Work() int {
	n := len(m.loss.b)
	for _, same := range m.loss.train.common {
		n += m.loss.train.L - int(same)
	}
	return n * m.loss.width
}

// Fit runs L-BFGS (Liu and Nocedal 1989) on the parameters, each in a unit of its own (units). The gradient is closed
// form: a class's visits to v less those that it expects. Every settleEvery rounds it computes the NLL of the
// validation paths, and the parameters with the least are those of the fit. It ends where that has not fallen
// settlePatience times in a row, or where the loss falls no more, both by settleBy of itself, or after the rounds of
// the trial. The minimum found need not be the least. A round takes O(Work), and the result is the same for any
// number of threads. It is an error if the loss is not finite at the first potentials.
func (m *Fitter) Fit(t Trial) (*Fitted, error) {
	f := m.loss
	f.cfg.Ridge, f.cfg.Smooth = t.Ridge, t.Smooth
	w := &descent{f: f, unit: f.units(), each: t.Each, mark: math.Inf(1)}
	w.fit = &Fitted{Ridge: t.Ridge, Smooth: t.Smooth, Validation: math.NaN()}
	if w.x = f.start(t.Seed, t.Stream); t.From != nil {
		copy(w.x, t.From.X)
	}
	start := make([]float64, len(w.x))
	for i, u := range w.unit {
		start[i] = w.x[i] / u
	}
	w.slope = make([]float64, len(w.x))
	// the start counts
	settings := &optimize.Settings{MajorIterations: t.Rounds + 1, GradientThreshold: 1e-7, Recorder: w}
	r, err := optimize.Minimize(optimize.Problem{Func: w.loss, Grad: w.grad}, start, settings, &optimize.LBFGS{Store: 10})
	if w.err != nil {
		return nil, w.err
	}
	if r == nil || !(math.Abs(r.F) <= math.MaxFloat64) || err != nil && !errors.Is(err, errSettled) && w.fit.Rounds == 0 {
		return nil, fmt.Errorf("mixture: the fit cannot begin, ridge being %v, smooth %v: %w", t.Ridge, t.Smooth,
			errInfinite)
	}
	return w.end(r), nil // a line search that ends early leaves the best point there was
}
