package stack

import (
	"context"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/markov"
)

// FirstOrder fits first-order chains.
func FirstOrder(g *ddps.LayeredGraph) Fitter {
	return Fitter{Name: "first-order chain", Fit: func(_ context.Context, train, validation chain.Sample) (Distribution,
		Refit, error) {
		kappa, _, err := chain.TuneKappa(g, train, validation, chain.KappaGrid())
		if err != nil {
			return nil, nil, err
		}
		fit := func(_ context.Context, s chain.Sample) (Distribution, error) {
			c, err := chain.Fit(g, s.Paths, s.Weights, kappa)
			if err != nil {
				return nil, err
			}
			return Chain(c.Distribution()), nil
		}
		return refitted(fit, train)
	}}
}

// SecondOrder fits second-order chains.
func SecondOrder(g *ddps.LayeredGraph) Fitter {
	return Fitter{Name: "second-order chain", Fit: func(_ context.Context, train, validation chain.Sample) (Distribution,
		Refit, error) {
		cfg, _, err := chain.TuneSecond(g, train, validation, chain.KappaGrid())
		if err != nil {
			return nil, nil, err
		}
		fit := func(_ context.Context, s chain.Sample) (Distribution, error) {
			l, err := chain.FitSecond(g, s.Paths, s.Weights, cfg)
			if err != nil {
				return nil, err
			}
			return Chain(l), nil
		}
		return refitted(fit, train)
	}}
}

// Contexts fits context models, their settings chosen by markov.Tune; chosen, unless it is nil, gets these and all
// trials. limit is that of Context.
func Contexts(g *ddps.LayeredGraph, limit int, chosen func(markov.Config, []markov.Trial)) Fitter {
	return Fitter{Name: "context model", Fit: func(ctx context.Context, train, validation chain.Sample) (Distribution,
		Refit, error) {
		m, trials, err := markov.Tune(ctx, g, train, validation, nil, nil)
		if err != nil {
			return nil, nil, err
		}
		if chosen != nil {
			chosen(m.Config(), trials)
		}
		return refitted(func(ctx context.Context, s chain.Sample) (Distribution, error) {
			next, err := m.Refit(ctx, s, nil)
			if err != nil {
				return nil, err
			}
			return Context(next, limit), nil
		}, train)
	}}
}

// ContextOf fits context models of given settings.
func ContextOf(g *ddps.LayeredGraph, cfg markov.Config, limit int) Fitter {
	return Fitter{Name: "context model, " + cfg.String(),
		Fit: func(_ context.Context, train, _ chain.Sample) (Distribution, Refit, error) {
			return refitted(fitContext(g, cfg, limit), train)
		}}
}

// Proposals fits context models that condition where the other parts do not: cfg, or what is nearest to it with a
// product graph of at most limit edges (markov.Compact); chosen, unless it is nil, gets the settings taken.
func Proposals(g *ddps.LayeredGraph, cfg markov.Config, limit int, chosen func(markov.Config)) Fitter {
	return Fitter{Name: "small context model", Proposal: true,
		Fit: func(ctx context.Context, train, _ chain.Sample) (Distribution, Refit, error) {
			small, err := markov.Compact(ctx, g, train, cfg, limit)
			if err != nil {
				return nil, nil, err
			}
			if chosen != nil {
				chosen(small)
			}
			return refitted(fitContext(g, small, 0), train)
		}}
}

func fitContext(g *ddps.LayeredGraph, cfg markov.Config, limit int) Refit {
	return func(ctx context.Context, s chain.Sample) (Distribution, error) {
		m, err := markov.FitContext(ctx, g, s, cfg, nil)
		if err != nil {
			return nil, err
		}
		return Context(m, limit), nil
	}
}

// refitted returns what fit makes of train, and fit itself.
func refitted(fit Refit, train chain.Sample) (Distribution, Refit, error) {
	d, err := fit(context.Background(), train)
	return d, fit, err
}
