package experiment

import (
	"context"
	"math"
	"math/big"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/guide/where"
)

// Share is how often a condition is met: the number of paths of the graph that meet it, and its probability under
// the data and under the chain fitted to them. Where the condition weighs paths (boltzmann), the expectation of
// the weight stands for its probability.
type Share struct {
	Text        string
	Paths       *big.Int
	Data, Chain float64 // NaN for data that there are not
}

// Explanation says what a condition asks of a model's paths.
type Explanation struct {
	Share
	Weighs    bool         // it weighs paths, and is not just met or not
	All       *big.Int     // paths of the graph
	Terms     []Share      // of each of its terms alone, where there are several
	Model     float64      // its probability under the model
	StdErr    float64      // of Model
	Particles *d3pm.Report // nil where the model cannot meet it
	Likeliest ddps.Path    // the most likely path that meets it, under the chain; nil if the chain has none
	LogProb   float64      // of that path under the chain, without the condition
}

// Explain explains the condition x on the paths of m. data are the paths that m learnt from, pruned; nil for none.
// n paths are drawn from the model, by particles whose sampler is p's, for its probability there. A condition that
// no path of the graph meets, or that asks for what there is not, is an error.
func Explain(ctx context.Context, m *d3pm.Model, data *datasets.Data, x *where.Expr, totals map[string][]float64, p *d3pm.Particles, n int, seed uint64) (*Explanation, error) {
	c, err := x.Condition(m.Graph, totals)
	if err != nil {
		return nil, err
	}
	e := &Explanation{Share: share(m, data, c), All: ddps.NewIndex(m.Graph).Count()}
	for i, alone := range x.Split() {
		_, weighs := x.Terms[i].(where.Boltzmann)
		e.Weighs = e.Weighs || weighs
		if len(x.Terms) == 1 {
			break
		}
		c, err := alone.Condition(m.Graph, totals)
		if err != nil {
			return nil, err
		}
		e.Terms = append(e.Terms, share(m, data, c))
	}
	law, _, err := guide.Given(m.Graph, m.Chain.P, c)
	if err == nil {
		e.Likeliest, _ = law.MostLikely()
		if e.LogProb, err = m.Chain.LogProb(e.Likeliest); err != nil {
			return nil, err
		}
	}
	p.Sampler.Condition = c
	if _, e.Particles, err = p.Sample(ctx, n, seed); err != nil {
		if e.Likeliest == nil && ctx.Err() == nil { // a model that corrects the chain is refused what the chain cannot do
			return e, nil
		}
		return nil, err
	}
	e.Model = math.Exp(e.Particles.LogZ)
	e.StdErr = e.Model * e.Particles.StdErr
	return e, nil
}

// share measures a condition.
func share(m *d3pm.Model, data *datasets.Data, c guide.Condition) Share {
	s := Share{Text: c.String(), Paths: guide.Count(m.Graph, c), Data: math.NaN()}
	s.Chain = math.Exp(c.Tilt(m.Chain.P, make([]float64, len(m.Chain.P))))
	if data != nil {
		sum := 0.0
		for i, p := range data.Paths {
			sum += float64(data.Counts[i]) * math.Exp(c.LogWeight(p))
		}
		s.Data = sum / float64(data.Total())
	}
	return s
}
