package query

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/stack"
)

// Share is how often a condition is met: the number of paths of the graph that meet it, and its probability under
// the data and under the chain fitted to them. Where the condition weighs paths (boltzmann), the expectation of
// the weight stands for its probability. Probabilities below the range of float64 are 0; their logarithms are not −Inf.
type Share struct {
	Text              string
	Paths             *big.Int
	Data, Chain       float64 // NaN for data that there are not
	LogData, LogChain float64 // their natural logarithms
}

// Term is one of the terms that and joins at the top of a condition. Of one that needs too many states by itself all
// but LogOthers and LogGiven is NaN, nil or 0.
type Term struct {
	Share                 // of it alone
	States, Edges int     // of its own product with the graph
	LogModel      float64 // log P(term), under Of
	LogOthers     float64 // log P of all the other terms together; NaN where they need too many states
	LogGiven      float64 // log P(term | the others): the term with the least makes the condition rare
	StdErr        float64 // standard error of LogGiven; 0 where it is exact
}

// Expected is the expectation of a total, over all paths and over those that meet a condition.
type Expected struct {
	Name             string
	All, Given       float64
	AllErr, GivenErr float64 // standard errors; 0 where it is exact
}

// Explanation says how likely a condition is among a model's paths, and what they are like given it.
type Explanation struct {
	Share
	Product  *guide.Product // of the graph with the condition's states
	Weighs   bool           // it weighs paths, and is not just met or not
	All      *big.Int       // paths of the graph
	Terms    []Term         // where there are several
	Model    float64        // its probability under the model
	LogModel float64        // the logarithm of that
	// as LogModel or LogChain, of the paths that may meet it where totals are rounded; else NaN
	LogMost float64
	StdErr  float64 // of Model; 0 where it is exact
	Of      string  // whose Best, Terms, Totals and Uses are: "the model" or "the chain"
	// how many draws stand for each part of a stack that is not tractable in Best, Totals and Uses; 0: these are exact
	Draws     int
	Parts     []stack.Estimate // of a stack: how its parts were conditioned
	Particles *d3pm.Report     // nil where the model cannot meet it, or its distribution is known
	Chains    *MostLikely      // under the chain; nil if it has no path that meets it
	Models    *MostLikely      // under the model; nil if it has none, or is a network over noisy PALMs
	// the most likely paths under the model, or where it is not known the chain, best first
	Best []MostLikely
	// of each total that there is, under the model or else the chain; nil where no path meets it
	Totals []Expected
	// by vertex: the probability of a visit given the condition, and without it; likewise
	Visits, AllVisit []float64
	Uses, AllUses    []float64 // by edge: the probability that a path takes it, likewise
}

// MostLikely is the most likely path that meets a condition, under some distribution.
type MostLikely struct {
	Path    ddps.Path
	LogProb float64 // without the condition
	Sure    bool    // no path is more likely; else the best of very many
}

// ExplainConfig says what Explain has to work with.
type ExplainConfig struct {
	Env       where.Env
	Best      int             // how many of the most likely paths to list; 0: one
	Particles *d3pm.Particles // estimate the probability under a model with a network, which needs them; else not used
	Groups    int             // of particles
	Draws     int             // of a stack: that each part is estimated from; 0: as stack.Options
	Seed      uint64          // of the estimates
	Condition guide.Condition // the condition as compiled with Env; nil: Explain compiles it
}

// Explain explains the condition x on the paths of m. data are the paths that m learned from, pruned; nil for none.
// What the model makes of it is exact where its distribution is known. Of a stack the parts that are not tractable,
// such as a GRU, are estimated by draws; a network over noisy PALMs is by particles. A condition that no path of the
// graph meets, or that names what there is not, is an error.
func Explain(ctx context.Context, m *model.Model, data *datasets.Data, x *where.Expr, cfg ExplainConfig) (*Explanation,
	error) {
	c, err := cfg.Condition, error(nil)
	if c == nil {
		if c, err = x.CompileContext(ctx, m.Graph, cfg.Env); err != nil {
			return nil, err
		}
	}
	e := &Explanation{Share: share(m, data, c), Product: c.Product(), Weighs: x.Weighs(),
		All: ddps.NumPaths(m.Graph), LogModel: math.Inf(-1)}
	dist := m.Distribution()
	if e.Of = "the model"; dist == nil && m.Stack == nil {
		e.Of, dist = "the chain", mixture.Of(m.Chain.Distribution())
	}
	if m.Stack != nil { // before others are, as it remembers the last condition
		if err := e.ofStack(ctx, m, c, cfg); err != nil {
			return nil, err
		}
	}
	if err := e.explainTerms(ctx, m, dist, data, x, c, cfg); err != nil {
		return nil, err
	}
	if given, _, err := guide.Given(m.Graph, m.Chain.P, c); err == nil {
		e.Chains = &MostLikely{Sure: true}
		e.Chains.Path, _ = given.MostLikely()
		if e.Chains.LogProb, err = m.Chain.LogProb(e.Chains.Path); err != nil {
			return nil, err
		}
	}
	if m.Stack != nil {
		return e, e.bound(ctx, m, dist, x, cfg)
	}
	given, logm, err := GivenMixture(dist, c)
	switch {
	case math.IsInf(logm, -1): // no class has a path that meets it
	case err != nil:
		return nil, err
	default:
		if err := e.describe(ctx, dist, given, cfg); err != nil {
			return nil, err
		}
	}
	if err := e.bound(ctx, m, dist, x, cfg); err != nil {
		return nil, err
	}
	if m.Distribution() != nil {
		e.LogModel, e.Model = logm, math.Exp(logm)
		if len(e.Best) > 0 {
			e.Models = &e.Best[0]
		}
		return e, nil
	}
	return e, e.estimate(ctx, c, cfg)
}

// stack returns how a stack is conditioned.
func (c ExplainConfig) stack() stack.Options { return stack.Options{Draws: c.Draws, Seed: c.Seed} }

// bound sets LogMost.
func (e *Explanation) bound(ctx context.Context, m *model.Model, dist *mixture.Mixture, x *where.Expr,
	cfg ExplainConfig) error {
	if e.LogMost = math.NaN(); e.Product.Notes == nil {
		return nil
	}
	cfg.Env.Wide = true
	_, logp, _, err := probOf(ctx, m, dist, x, cfg)
	e.LogMost = logp
	return err
}

// estimate sets the probability under a model with a network.
func (e *Explanation) estimate(ctx context.Context, c guide.Condition, cfg ExplainConfig) (err error) {
	if cfg.Particles == nil || cfg.Particles.Sampler == nil {
		return errors.New("query: explain: a model with a network is estimated by particles: set Particles, with its " +
			"Sampler, and Groups")
	}
	cfg.Particles.Sampler.Condition = c
	if _, e.Particles, err = cfg.Particles.Sample(ctx, cfg.Groups, cfg.Seed); err != nil {
		if e.Chains == nil && ctx.Err() == nil { // a model that corrects the chain is refused what the chain cannot do
			return nil
		}
		return err
	}
	e.LogModel = e.Particles.LogZ
	e.Model = math.Exp(e.LogModel)
	e.StdErr = e.Model * e.Particles.StdErr
	return nil
}

// describe sets what paths are like given the condition, and without it.
func (e *Explanation) describe(ctx context.Context, dist *mixture.Mixture, given *Conditioned,
	cfg ExplainConfig) error {
	list, sure, err := given.KBest(ctx, max(1, cfg.Best))
	if err != nil {
		return err
	}
	for i, s := range list {
		logp, err := dist.LogProb(s.Path)
		if err != nil {
			return err
		}
		e.Best = append(e.Best, MostLikely{s.Path, logp, i < sure})
	}
	all := plainMixture(dist)
	e.Visits, e.AllVisit, e.Uses, e.AllUses = given.Reach(), all.Reach(), given.Marginals(), all.Marginals()
	for _, name := range slices.Sorted(maps.Keys(cfg.Env.Totals)) {
		if u := cfg.Env.Totals[name]; u != nil {
			e.Totals = append(e.Totals, Expected{Name: name, All: floats.Dot(u, e.AllUses), Given: floats.Dot(u, e.Uses)})
		}
	}
	return nil
}
