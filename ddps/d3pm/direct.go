package d3pm

import (
	"errors"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// Direct reports whether Sample draws from the model's own distribution over paths, without any reverse step: that
// distribution is known (a chain, or a mixture of chains, with no network or one that has learned nothing), the kernel
// is Joint, there is no guide, and Steps is 0. Such draws are exact, given a Condition or not. Trace always takes
// reverse steps.
func (s *Sampler) Direct() bool {
	return s.base() != nil && s.IsJoint() && s.Guide == nil && s.Steps == 0 && s.Backend == ""
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

// Known is a Denoiser whose own distribution over paths may be known.
type Known interface {
	Denoiser
	// Known returns that distribution, nil where there is none in closed form.
	Known() PathBase
}

// base returns the denoiser's distribution over paths, nil where it is not known.
func (s *Sampler) base() PathBase {
	switch d := s.Denoiser.(type) {
	case Known:
		return d.Known()
	case PathBase:
		return d
	}
	return nil
}

// dist returns what Sample draws from directly.
func (s *Sampler) distribution() (p PathDistribution, err error) {
	b := s.base()
	if b.Graph() != s.Graph {
		return nil, errors.New("the denoiser is of another graph")
	}
	if s.Condition == nil {
		p = b.Whole()
	} else {
		p, _ = GivenPaths(b, s.Condition)
	}
	if p == nil || math.IsInf(p.Weigh(nil, 0, nil), -1) {
		return nil, errors.New("the condition is impossible: no path to which the model gives a probability above 0 meets it")
	}
	return p, nil
}

// directWorker draws paths from a distribution.
type directWorker struct {
	*Run
	paths PathDistribution
}

// Batch implements Worker.
func (w *directWorker) Batch(lo, hi int) bool {
	for i, rng := range Streams(w.Seed, w.First+lo, w.First+hi) {
		p := make(ddps.Path, w.Graph.NumLayers())
		w.paths.Draw(rng, p)
		w.Run.Paths[lo+i] = p
	}
	return w.Report(hi - lo)
}
