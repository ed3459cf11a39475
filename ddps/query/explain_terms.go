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
)

// explainTerms measures each term alone and all others without it.
func explainTerms(m *model.Model, dist *mixture.Mixture, data *datasets.Data, x *where.Expr, c guide.Condition,
	env where.Env) ([]Term, error) {
	list := x.Split()
	if len(list) == 1 {
		return nil, nil
	}
	logm := func(x *where.Expr) (guide.Condition, float64, error) {
		c, err := x.Compile(m.Graph, env)
		if err != nil {
			return nil, math.NaN(), err
		}
		_, logm, err := GivenMixture(dist, c)
		if math.IsInf(logm, -1) {
			err = nil
		}
		return c, logm, err
	}
	_, all, err := GivenMixture(dist, c)
	if err != nil && !math.IsInf(all, -1) {
		return nil, err
	}
	var terms []Term
	for i, alone := range list {
		c, own, err := logm(alone)
		if err != nil {
			return nil, err
		}
		t := Term{Share: share(m, data, c), States: c.Product().States(), Edges: c.Product().Edges(), LogModel: own}
		if _, t.LogOthers, err = logm(where.Join(slices.Delete(slices.Clone(list), i, i+1))); err != nil {
			t.LogOthers = math.NaN() // too many states without the term
		}
		t.LogGiven = all - t.LogOthers
		terms = append(terms, t)
	}
	return terms, nil
}

// share measures a condition.
func share(m *model.Model, data *datasets.Data, c guide.Condition) Share {
	s := Share{Text: c.String(), Paths: guide.Count(m.Graph, c), LogData: math.NaN()}
	s.LogChain = c.Tilt(m.Chain.P, make([]float64, len(m.Chain.P)))
	if data != nil {
		logs := make([]float64, len(data.Paths))
		for i, p := range data.Paths {
			logs[i] = c.LogWeight(p)
			s.Data += float64(data.Counts[i]) / float64(data.Total()) * math.Exp(logs[i])
			logs[i] += math.Log(float64(data.Counts[i]))
		}
		s.LogData = floats.LogSumExp(logs) - math.Log(float64(data.Total()))
	} else {
		s.Data = math.NaN()
	}
	s.Chain = math.Exp(s.LogChain)
	return s
}

// LogProb returns the logarithm of the probability of a condition, or of the expectation of its weight: under the model
// where its distribution is known in closed form (exact is true), else under the fitted chain. −Inf: it is impossible.
//
// Of a stack it is that of model.Model.Given, and exact true.
func LogProb(m *model.Model, c guide.Condition) (logp float64, exact bool, err error) {
	if m.Stack != nil {
		x, err := m.Given(context.Background(), c)
		if errors.Is(err, chain.ErrImpossible) {
			return math.Inf(-1), true, nil
		}
		if err != nil {
			return math.NaN(), false, err
		}
		return x.LogP, true, nil
	}
	if m.Distribution() == nil {
		return c.Tilt(m.Chain.P, make([]float64, len(m.Chain.P))), false, nil
	}
	if _, logp, err = GivenMixture(m.Distribution(), c); math.IsInf(logp, -1) {
		err = nil
	}
	return logp, true, err
}
