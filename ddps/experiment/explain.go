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
	StdErr    float64      // of Model; 0 where the model's law is known in closed form (d3pm.Model.Law)
	Particles *d3pm.Report // nil where the model cannot meet it, or its law is known
	Chains    *Likeliest   // under the chain; nil if it has no path that meets it
	Models    *Likeliest   // under the model; nil if it has none, or its law is not known
}

// Likeliest is the most likely path that meets a condition, under some law.
type Likeliest struct {
	Path    ddps.Path
	LogProb float64 // without the condition
	Sure    bool    // no path is more likely; else the best of very many
}

// Explain explains the condition x on the paths of m. data are the paths that m learnt from, pruned; nil for none.
// What the model makes of it is exact where its law is known; else n paths are drawn from it, by particles whose sampler is
// p's, for its probability there. A condition that no path of the graph meets, or that asks for what there is not, is an error.
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
		e.Chains = &Likeliest{Sure: true}
		e.Chains.Path, _ = law.MostLikely()
		if e.Chains.LogProb, err = m.Chain.LogProb(e.Chains.Path); err != nil {
			return nil, err
		}
	}
	if mix := m.Law(); mix != nil {
		given, logm, err := GivenMixture(mix, c)
		switch {
		case math.IsInf(logm, -1): // no class has a path that meets it
			return e, nil
		case err != nil:
			return nil, err
		}
		e.Model, e.Models = math.Exp(logm), &Likeliest{}
		if e.Models.Path, _, e.Models.Sure, err = given.MostLikely(ctx); err != nil {
			return nil, err
		}
		e.Models.LogProb, err = mix.LogProb(e.Models.Path)
		return e, err
	}
	p.Sampler.Condition = c
	if _, e.Particles, err = p.Sample(ctx, n, seed); err != nil {
		if e.Chains == nil && ctx.Err() == nil { // a model that corrects the chain is refused what the chain cannot do
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
