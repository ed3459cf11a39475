package markov

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Fit fits a context model to the paths of a sample; a path of weight n is the same as n paths. The error names the
// setting that is out of range, or the path that is none of g or whose weight is negative or not finite. O(length of
// the paths · views) for the tables, and up to 100 rounds of L-BFGS on a sample of their steps for the weights.
func Fit(g *ddps.LayeredGraph, s chain.Sample, cfg Config) (*Model, error) {
	return FitContext(context.Background(), g, s, cfg, nil)
}

// FitContext is Fit that ends early with ctx's error, between two rounds of the weights' fit. late, unless it is nil,
// is called between them too: where it reports true the weights stay as they are then.
func FitContext(ctx context.Context, g *ddps.LayeredGraph, s chain.Sample, cfg Config, late func() bool) (*Model,
	error) {
	m, weights, err := prepare(g, s, cfg)
	if err != nil {
		return nil, err
	}
	if err := m.fit(ctx, s.Paths, weights, late); err != nil {
		return nil, err
	}
	return m, nil
}

// Refit fits a model of m's settings to another sample. The fit of its weights begins at those of m, which is faster
// than Fit where the samples are alike. late is that of FitContext. The errors are those of Fit, and ctx's.
func (m *Model) Refit(ctx context.Context, s chain.Sample, late func() bool) (*Model, error) {
	next, weights, err := prepare(m.g, s, m.cfg)
	if err != nil {
		return nil, err
	}
	next.theta = m.theta
	if err := next.fit(ctx, s.Paths, weights, late); err != nil {
		return nil, err
	}
	return next, nil
}

// prepare checks a sample, and returns a model without tables and the sample's weights.
func prepare(g *ddps.LayeredGraph, s chain.Sample, cfg Config) (*Model, []float64, error) {
	p, err := newPlaces(g)
	if err != nil {
		return nil, nil, err
	}
	if err := cfg.check(p); err != nil {
		return nil, nil, err
	}
	weights, _, err := ddps.Weights(len(s.Paths), s.Weights)
	if err != nil {
		return nil, nil, fmt.Errorf("markov: %w", err)
	}
	for i, path := range s.Paths {
		if err := g.Check(path); err != nil {
			return nil, nil, fmt.Errorf("markov: path %d: %w", i+1, err)
		}
	}
	return &Model{places: p, cfg: cfg, views: cfg.views()}, weights, nil
}

// fit fills the tables and fits the weights, from where they are or from the prior.
func (m *Model) fit(ctx context.Context, paths []ddps.Path, weights []float64, late func() bool) error {
	m.count(paths, weights)
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.theta == nil {
		m.theta = m.prior()
	}
	return m.weigh(ctx, maxNumbers, fitRelative, late)
}

// weigh fits the weights, from where they are, on steps of at most about limit numbers, until five rounds lower the
// loss by less than a share of relative, or late. Each weight is measured in its own standard error there, which makes
// their curvatures alike.
func (m *Model) weigh(ctx context.Context, limit int, relative float64, late func() bool) error {
	steps, sum := m.steps(m.paths, m.weights, m.sample(m.paths, m.weights, limit))
	if sum == 0 { // no walk has a choice
		return nil
	}
	l := m.loss(steps, m.cfg.Ridge/sum)
	scale := l.curvature(m.theta)
	for i, h := range scale {
		scale[i] = 1 / math.Sqrt(h)
	}
	theta, grad, value, last := slices.Clone(m.theta), make([]float64, len(m.theta)), 0.0, []float64(nil)
	at := func(x []float64) {
		if !slices.Equal(x, last) {
			last = append(last[:0], x...)
			floats.MulTo(theta, x, scale)
			value = l.value(theta, grad)
			floats.Mul(grad, scale)
		}
	}
	start := floats.DivTo(make([]float64, len(theta)), theta, scale)
	r, err := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { at(x); return value },
		Grad: func(g, x []float64) { at(x); copy(g, grad) },
	}, start, &optimize.Settings{MajorIterations: 100, GradientThreshold: 1e-6,
		Converger: &optimize.FunctionConverge{Relative: relative, Iterations: 5}, Recorder: until{ctx, late}},
		&optimize.LBFGS{})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch none := r == nil || math.IsInf(r.F, 0); { // not a round is done
	case none && errors.Is(err, errLate):
		return nil
	case none:
		return fmt.Errorf("markov: the weights cannot be fitted: %w", err)
	}
	m.theta = floats.MulTo(theta, r.X, scale) // where the line search ends early too: no worse than at first
	return nil
}

// until is a Recorder that ends an optimisation with its context, or where late is not nil and reports true.
type until struct {
	context.Context
	late func() bool
}

// errLate ends an optimisation whose last point is taken.
var errLate = errors.New("late")

// Init implements optimize.Recorder.
func (u until) Init() error { return u.Err() }

// Record implements optimize.Recorder.
func (u until) Record(_ *optimize.Location, op optimize.Operation, _ *optimize.Stats) error {
	if op == optimize.MajorIteration && u.late != nil && u.late() {
		return errLate
	}
	return u.Err()
}
