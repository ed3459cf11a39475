package d3pm

import (
	"errors"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// Direct reports whether Sample draws from the model's own distribution over paths, without any reverse step: that
// distribution is known (a chain, or a mixture of chains, with no network or one that has learnt nothing), the kernel is
// Joint, there is no guide, and Steps is 0. Such draws are exact, given a Condition or not. Trace always takes reverse steps.
func (s *Sampler) Direct() bool {
	return s.mixture() != nil && s.joint() && s.Signal == nil && s.Steps == 0 && s.Backend == ""
}

// Taken returns the number of reverse steps of a sample: 0 where samples are drawn directly.
func (s *Sampler) Taken() int {
	switch {
	case s.Direct():
		return 0
	case s.Steps == 0:
		return min(DefaultSteps, s.Schedule.T())
	}
	return s.Steps
}

// mixture returns the denoiser's distribution over paths, nil where it is not known.
func (s *Sampler) mixture() *mixture.Mixture {
	switch d := s.Denoiser.(type) {
	case *Model:
		return d.Law()
	case *mixture.Denoiser:
		return d.Mixture()
	case *chain.Denoiser:
		return mixture.Of(d.Chain().Law())
	}
	return nil
}

// distribution returns what Sample draws from directly.
func (s *Sampler) distribution() (*mixture.Paths, error) {
	m := s.mixture()
	if m.Base() != s.Graph {
		return nil, errors.New("the denoiser is of another graph")
	}
	given := m.Weighted(nil, nil)
	if s.Condition != nil {
		given, _ = weighted(m, s.Condition)
	}
	if given != nil {
		if p := given.Paths(); !math.IsInf(p.Weigh(nil, 0, nil), -1) {
			return p, nil
		}
	}
	return nil, errors.New("the condition is impossible: no path to which the model gives a probability above 0 meets it")
}

// directWorker draws paths from a distribution.
type directWorker struct {
	*run
	paths *mixture.Paths
}

func (w *directWorker) batch(lo, hi int) bool {
	for i, rng := range newRands(w.seed, w.first+lo, w.first+hi) {
		p := make(ddps.Path, w.Graph.NumLayers())
		w.paths.Draw(rng, p)
		w.run.paths[lo+i] = p
	}
	return w.report(hi - lo)
}
