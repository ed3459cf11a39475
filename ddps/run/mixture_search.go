package run

import (
	"context"
	"errors"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// errLate ends a fit for which there is no time left.
var errLate = errors.New("the time is over")

// mixtureSearch fits a mixture to a run's paths. Where the validation paths choose ρ and τ, short fits begin at several
// first potentials, with a ρ and τ at which the classes of few walks can part; the best goes on until it has settled.
// From there first ρ, then τ is changed by powers of ten as long as that lowers the validation NLL, each fit from the
// best one so far.
type mixtureSearch struct {
	ctx         context.Context
	chain       *chain.Chain
	train, held *datasets.Data // held may be nil
	cfg         mixture.Config
	seed        uint64
	tell        func(round, rounds int) // may be nil
	late        func() bool             // the search ends when it returns true, with the best fit so far; may be nil
	fitter      *mixture.Fitter
	done        int // rounds, as if each fit had run all of its own
	info        *MixtureInfo
	unsettled   int // rounds of the fit kept, if those were too few; 0: it has settled
}

// The search: where it starts, by how many factors it goes up or down, and how it chooses the first potentials.
const (
	searchRidge, searchSmooth = 10, 1
	searchFactors             = 2
	searchStarts              = 4
	searchStartRounds         = 50
	searchStartWork           = 1 << 24 // of a round of all starts: on large graphs there are fewer
)

// mixture returns the mixture, or the chain where the settings say so or no mixture has a lower validation NLL. It sets
// cfg to what was chosen.
func (s *mixtureSearch) mixture(choose bool) (*mixture.Mixture, error) {
	single := mixture.Of(s.chain.Distribution())
	if s.cfg.Simple() {
		return single, nil
	}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	if !choose || s.held == nil {
		fit, err := s.fit(mixture.Trial{Ridge: s.cfg.Ridge, Smooth: s.cfg.Smooth, Rounds: s.cfg.Rounds})
		if err != nil {
			return nil, err
		}
		s.keep(fit)
		return s.fitter.Mixture(fit), nil
	}
	nats, err := heldNats(single, s.held)
	if err != nil {
		return nil, err
	}
	fit, err := s.best(nats)
	if err != nil {
		return nil, err
	}
	s.told(s.total())
	s.info = &MixtureInfo{Ridge: fit.Ridge, Smooth: fit.Smooth, Nats: fit.Validation, Rounds: fit.Rounds,
		Settled: fit.Settled}
	s.cfg.Ridge, s.cfg.Smooth = fit.Ridge, fit.Smooth
	if s.info.Chain = !(fit.Validation < nats); s.info.Chain {
		s.cfg.Order, s.cfg.Classes = 1, 1
		return single, nil
	}
	s.keep(fit)
	return s.fitter.Mixture(fit), nil
}

// keep notes whether the fit kept has settled.
func (s *mixtureSearch) keep(fit *mixture.Fitted) {
	if !fit.Settled {
		s.unsettled = fit.Rounds
	}
}

// prepare makes the fitter.
func (s *mixtureSearch) prepare() (err error) {
	var held chain.Sample
	if s.held != nil {
		held = chain.Sample{Paths: s.held.Paths, Weights: Counts(s.held)}
	}
	s.fitter, err = mixture.NewFitter(s.chain, chain.Sample{Paths: s.train.Paths, Weights: Counts(s.train)}, held, s.cfg)
	return err
}

// starts returns how many first potentials there are.
func (s *mixtureSearch) starts() int {
	return max(1, min(searchStarts, searchStartWork/s.fitter.Work()))
}

// total returns the rounds of a search at most.
func (s *mixtureSearch) total() int {
	if s.held == nil {
		return s.cfg.Rounds
	}
	return s.starts()*min(searchStartRounds, s.cfg.Rounds) + (1+4*searchFactors)*s.cfg.Rounds
}

func (s *mixtureSearch) told(done int) {
	if s.tell != nil {
		s.tell(done, s.total())
	}
}

// fit runs one fit.
func (s *mixtureSearch) fit(t mixture.Trial) (*mixture.Fitted, error) {
	t.Seed = s.seed
	t.Each = func(round int) error {
		s.told(s.done + round)
		if s.late != nil && s.late() {
			return errLate
		}
		return s.ctx.Err()
	}
	fit, err := s.fitter.Fit(t)
	s.done += t.Rounds
	return fit, err
}

// best returns the fit with the least validation NLL. Where the first is worse than the chain, of NLL nats, it tries a
// greater ρ before a smaller one.
func (s *mixtureSearch) best(nats float64) (*mixture.Fitted, error) {
	best, err := s.first()
	if err == nil {
		factor := 0.1
		if best.Validation > nats {
			factor = 10
		}
		best, err = s.along(best, factor, func(t *mixture.Trial) *float64 { return &t.Ridge })
	}
	if err == nil && s.chain.Graph.Meta().Place != nil { // without places τ changes nothing
		best, err = s.along(best, 10, func(t *mixture.Trial) *float64 { return &t.Smooth })
	}
	return best, err
}

// first returns a fit that has settled, from the best of some first potentials.
func (s *mixtureSearch) first() (*mixture.Fitted, error) {
	var best *mixture.Fitted
	for i := range s.starts() {
		if s.starts() == 1 {
			break
		}
		t := mixture.Trial{Ridge: searchRidge, Smooth: searchSmooth, Rounds: min(searchStartRounds, s.cfg.Rounds),
			Stream: uint64(i)}
		fit, err := s.fit(t)
		if best != nil && errors.Is(err, errLate) {
			return best, nil
		}
		if err != nil {
			return nil, err
		}
		if best == nil || fit.Validation < best.Validation {
			best = fit
		}
	}
	fit, err := s.fit(mixture.Trial{Ridge: searchRidge, Smooth: searchSmooth, Rounds: s.cfg.Rounds, From: best})
	if best != nil && errors.Is(err, errLate) {
		return best, nil
	}
	return fit, err
}

// along multiplies one of the trial's numbers by factor as long as that helps, and divides by it where it does not at
// once.
func (s *mixtureSearch) along(best *mixture.Fitted, factor float64, of func(*mixture.Trial) *float64) (*mixture.Fitted,
	error) {
	for _, by := range []float64{factor, 1 / factor} {
		helped := false
		for range searchFactors {
			t := mixture.Trial{Ridge: best.Ridge, Smooth: best.Smooth, Rounds: s.cfg.Rounds, From: best}
			*of(&t) *= by
			fit, err := s.fit(t)
			if errors.Is(err, errLate) {
				return best, nil
			}
			if err != nil {
				return nil, err
			}
			if !(fit.Validation < best.Validation) {
				break
			}
			best, helped = fit, true
		}
		if helped {
			break
		}
	}
	return best, nil
}
