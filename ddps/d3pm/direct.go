package d3pm

import (
	"context"
	"errors"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
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

// known is a Denoiser whose own distribution over paths may be known.
type known interface {
	Denoiser
	// Known returns that distribution, nil where there is none in closed form.
	Known() PathBase
}

// base returns the denoiser's distribution over paths, nil where it is not known.
func (s *Sampler) base() PathBase {
	switch d := s.Denoiser.(type) {
	case known:
		return d.Known()
	case PathBase:
		return d
	}
	return nil
}

// PathModel is the distribution over paths of a denoiser with a method Known that takes many paths at a time, on
// threads of its own. Its PathBase methods describe only the part of it whose posterior given x_t is tractable.
type PathModel interface {
	PathBase
	// LogProbs writes log P of each path to out.
	LogProbs(paths []ddps.Path, out []float64) error
	// Draws returns what draws paths, given weights exp(logw) by edge of l where that is not nil. The error says that no
	// path has weight, or why the distribution cannot be conditioned, or is ctx's.
	Draws(ctx context.Context, l *chain.Product, logw []float64) (Draws, error)
}

// Draws draws paths: paths[i] depends on the seed and on first + i alone. A method Batch() int, if there is one, says
// how many paths to draw at a time.
type Draws interface {
	Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error
}

// whole returns what Sample draws from directly where the denoiser's distribution is a PathModel.
func (s *Sampler) whole(ctx context.Context, b PathModel) (Draws, error) {
	if !b.Graph().Equal(s.Graph) {
		return nil, errors.New("the denoiser is of another graph")
	}
	if s.Condition == nil {
		return b.Draws(ctx, nil, nil)
	}
	l, logw, _ := logWeights(s.Graph, s.Condition)
	if l == nil {
		l = chain.Identity(s.Graph)
	}
	return b.Draws(ctx, l, logw)
}

// pathModelBatch is how many paths of a PathModel are drawn together.
const pathModelBatch = 1 << 12

// batchOf returns how many paths to draw from d at a time.
func batchOf(d Draws) int {
	if b, ok := d.(interface{ Batch() int }); ok {
		return b.Batch()
	}
	return pathModelBatch
}

// pathModelWorker draws paths from a PathModel.
type pathModelWorker struct{ *Run }

// Batch implements Worker.
func (w *pathModelWorker) Batch(lo, hi int) bool {
	if err := w.draws.Sample(w.ctx, w.Run.Paths[lo:hi], w.Seed, w.First+lo); err != nil {
		w.Fail(err)
		return false
	}
	return w.Report(hi - lo)
}

// distribution returns what Sample draws from directly.
func (s *Sampler) distribution() (p chain.PathDistribution, err error) {
	b := s.base()
	if !b.Graph().Equal(s.Graph) {
		return nil, errors.New("the denoiser is of another graph")
	}
	if s.Condition == nil {
		p = b.Whole()
	} else {
		p, _ = GivenPaths(b, s.Condition)
	}
	if p == nil || math.IsInf(p.Weigh(nil, 0, nil), -1) {
		return nil, chain.ImpossibleError("the condition is impossible: no path to which the model gives a probability " +
			"above 0 meets it")
	}
	return p, nil
}

// directWorker draws paths from a distribution.
type directWorker struct {
	*Run
	paths chain.PathDistribution
}

// Batch implements Worker.
func (w *directWorker) Batch(lo, hi int) bool {
	for i, rng := range streams(w.Seed, w.First+lo, w.First+hi) {
		p := make(ddps.Path, w.Graph.NumLayers())
		w.paths.Draw(rng, p)
		w.Run.Paths[lo+i] = p
	}
	return w.Report(hi - lo)
}
