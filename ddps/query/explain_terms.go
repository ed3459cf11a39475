package query

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/stack"
)

// explainTerms measures each term alone and all others without it, under e.Of: a stack, or else dist.
func (e *Explanation) explainTerms(ctx context.Context, m *model.Model, dist *mixture.Mixture, data *datasets.Data,
	x *where.Expr, c guide.Condition, cfg ExplainConfig) error {
	list := x.Split()
	if len(list) == 1 {
		return nil
	}
	all, allErr, err := logProb(ctx, m, dist, c, cfg.stack())
	if err != nil {
		return err
	}
	for i, alone := range list {
		c, own, _, err := probOf(ctx, m, dist, alone, cfg)
		if err != nil {
			return err
		}
		t := Term{Share: Share{Text: alone.String(), Data: math.NaN(), Chain: math.NaN(), LogData: math.NaN(),
			LogChain: math.NaN()}, LogModel: own}
		if c != nil {
			t.Share, t.States, t.Edges = share(m, data, c), c.Product().States(), c.Product().Edges()
		}
		_, others, othersErr, err := probOf(ctx, m, dist, where.Join(slices.Delete(slices.Clone(list), i, i+1)), cfg)
		if err != nil {
			return err
		}
		t.LogOthers, t.LogGiven, t.StdErr = others, all-others, math.Hypot(allErr, othersErr)
		if t.LogGiven > 0 && !x.Weighs() { // estimates of two probabilities, the second of which is not less
			t.LogGiven = 0
		}
		e.Terms = append(e.Terms, t)
	}
	return nil
}

// probOf is logProb of a condition, which it compiles: nil and NaN where that needs too many states, and NaN where the
// model's product with it does.
func probOf(ctx context.Context, m *model.Model, dist *mixture.Mixture, x *where.Expr,
	cfg ExplainConfig) (c guide.Condition, logp, se float64, err error) {
	if c, err = x.CompileContext(ctx, m.Graph, cfg.Env); err == nil {
		logp, se, err = logProb(ctx, m, dist, c, cfg.stack())
	}
	if errors.Is(err, guide.ErrTooLarge) || errors.Is(err, stack.ErrTooLarge) ||
		errors.Is(err, stack.ErrNoEstimate) {
		return c, math.NaN(), 0, nil
	}
	return c, logp, se, err
}

// logProb returns the logarithm of the probability of c under m's stack, with its standard error, or, of a model that
// is none, under dist, exactly. −Inf: no path meets it.
func logProb(ctx context.Context, m *model.Model, dist *mixture.Mixture, c guide.Condition, o stack.Options) (
	logp, se float64, err error) {
	if m.Stack == nil {
		if _, logp, err = GivenMixture(dist, c); math.IsInf(logp, -1) {
			err = nil
		}
		return logp, 0, err
	}
	x, err := m.Given(ctx, c, o)
	if errors.Is(err, chain.ErrImpossible) {
		return math.Inf(-1), 0, nil
	}
	if err != nil {
		return math.NaN(), 0, err
	}
	return x.LogP, x.StdErr, nil
}

// share measures a condition.
func share(m *model.Model, data *datasets.Data, c guide.Condition) Share {
	s := Share{Text: c.String(), Paths: guide.Count(m.Graph, c), LogData: math.NaN()}
	s.LogChain = c.Tilt(m.Chain.P, make([]float64, len(m.Chain.P)))
	if data != nil {
		logs := make([]float64, len(data.Paths))
		for i, p := range data.Paths {
			logs[i] = c.LogWeight(p)
			s.Data += float64(data.Count(i)) / float64(data.Total()) * math.Exp(logs[i])
			logs[i] += math.Log(float64(data.Count(i)))
		}
		s.LogData = floats.LogSumExp(logs) - math.Log(float64(data.Total()))
	} else {
		s.Data = math.NaN()
	}
	s.Chain = math.Exp(s.LogChain)
	return s
}

// LogProb returns the logarithm of the probability of a condition, or of the expectation of its weight, and whether it
// is exact: under a chain, a mixture of chains, or a stack of parts that are all tractable. Under another stack it is
// an estimate, that of model.Model.Given, which has its standard error; under a model with a network it is that of the
// fitted chain. −Inf: it is impossible.
func LogProb(m *model.Model, c guide.Condition) (logp float64, exact bool, err error) {
	if m.Stack == nil && m.Distribution() == nil {
		return c.Tilt(m.Chain.P, make([]float64, len(m.Chain.P))), false, nil
	}
	logp, se, err := logProb(context.Background(), m, m.Distribution(), c, stack.Options{})
	return logp, se == 0 && err == nil, err
}
