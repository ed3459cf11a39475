package lab

import (
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/plots/paper"
)

// Distribution is a distribution of paths that is a Markov chain of any order: a fitted chain of second order, a chain
// given a condition.
type Distribution = chain.Distribution

// FitSecond fits a second-order Markov chain to data: pseudo-counts in paths, kappa1 an edge of the first-order chain
// that it backs off to, kappa2 the weight of that against what was seen after the edge before.
func FitSecond(d *Data, kappa1, kappa2 float64) (*Distribution, error) {
	return chain.FitSecond(d.Graph, d.Paths, run.Counts(d), chain.SecondConfig{Kappa1: kappa1, Kappa2: kappa2})
}

// Given returns a distribution given a condition, exactly.
//
//	given := must(Given(must(Fit(data, 1)).Distribution(), must(Where("reward >= 3", data.Graph, u, nil))))
//	SampleLaw(given, 1000, 0)
func Given(l *Distribution, c Condition) (*Distribution, error) {
	given, _, err := guide.GivenDistribution(l, c)
	return given, err
}

// SampleLaw draws n paths of a distribution.
func SampleLaw(l *Distribution, n int, seed uint64) *Draws {
	d := &Draws{Graph: l.Base(), Paths: make([]Path, n)}
	for i := range d.Paths {
		d.Paths[i] = l.Sample(ddps.Rand(seed, uint64(i)))
	}
	return d
}

// SampleMixture draws n paths of the model's mixture of chains given a condition, exactly and with no diffusion: what
// the model is without its network.
func SampleMixture(m *Model, c Condition, n int, seed uint64) (*Draws, error) {
	given, _, err := query.GivenMixture(m.Mixture, c)
	if err != nil {
		return nil, err
	}
	d := &Draws{Graph: m.Graph, Paths: make([]Path, n)}
	for i := range d.Paths {
		d.Paths[i] = given.Sample(ddps.Rand(seed, uint64(i)))
	}
	return d, nil
}

// Probability returns the probability of a condition under the model, exactly but for an estimate of a stack with a
// GRU; of one that weighs paths (boltzmann) the expectation of the weight. The error says so if the model has a
// network: explain estimates it then.
func Probability(m *Model, c Condition) (float64, error) {
	logp, exact, err := query.LogProb(m, c)
	if err == nil && !exact && !m.Tractable() {
		err = errors.New("lab: the model has a network, under which no probability is known in closed form")
	}
	return math.Exp(logp), err
}

// MadeBy returns the true distribution of Heights or Ridge, of all paths that meet a condition (nil: of all), by
// enumeration: the truth that models of these data are held against.
func MadeBy(d *Data, c Condition) (*Target, error) {
	if c == nil {
		return compare.MadeBy(d, nil)
	}
	return compare.MadeBy(d, func(p Path) bool { return c.LogWeight(p) == 0 })
}

// Contest holds draws against a target, a row each by its name: reward, distances of the distributions of paths, and of
// the features with memory (districts after three moves and at the end, revisits) where the target has them; where it
// has more paths than there are draws, of those alone. u is the reward to report, by edge, nil for none; all draws are
// of one size.
func Contest(t *Target, u []float64, names []string, draws ...*Draws) (*Table, error) {
	if len(draws) == 0 || len(names) != len(draws) {
		return nil, fmt.Errorf("lab: contest: %d names for %d draws, expected one each and at least one", len(names),
			len(draws))
	}
	c, err := compare.New(t, u, len(draws[0].Paths), 0)
	if err != nil {
		return nil, err
	}
	var rows []compare.Row
	for i, d := range draws {
		r, err := c.Row(names[i], d.Paths)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return table(paper.Comparison(u != nil, rows)), nil
}
