package experiment

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/metrics"
)

// cell works on one cell.
func (s *study) cell(ctx context.Context, c studyCell) (*StudyRow, error) {
	g := s.model.Graph
	u, err := s.reward(c.rmax, c.instance)
	if err != nil {
		return nil, err
	}
	target, p, err := s.target(u)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	paths, err := s.sample(ctx, c, u, target)
	if err != nil {
		return nil, err
	}
	row := &StudyRow{Graph: s.Graph, Model: s.name, Key: s.key, RMax: c.rmax, Instance: c.instance, P: p, Law: c.law, Kernel: c.kernel,
		Lambda: c.lambda, Steps: s.steps(c), Samples: s.Samples, Seed: s.Seed, Seconds: time.Since(began).Seconds(), Own: noDistances(),
		Preset: s.Preset, Trained: s.trained, Built: s.Built}
	if row.Valid, err = metrics.ValidRate(g, paths); err != nil {
		return nil, err
	}
	if row.Reward, row.RewardStd, row.AtMax, err = RewardStats(g, u, paths); err != nil {
		return nil, err
	}
	row.Distinct = metrics.NewSupport(metrics.Keys(paths)).Len()
	if row.Exact, err = target.distances(paths, s.law != nil); err != nil {
		return nil, err
	}
	return row, s.own(ctx, c, u, paths, row)
}

// reward is Reward on the model's graph, drawn once.
func (s *study) reward(rmax, instance int) ([]float64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := [2]int{rmax, instance}
	if u, ok := s.us[key]; ok {
		return u, nil
	}
	u, err := s.Reward(s.model.Graph, rmax, instance)
	if err == nil {
		s.us[key] = u
	}
	return u, err
}

// sample draws the samples of a cell.
func (s *study) sample(ctx context.Context, c studyCell, u []float64, target *Target) ([]ddps.Path, error) {
	switch c.law {
	case StudyExact:
		return s.exact(u, target)
	case StudyChain:
		cond, err := guide.MaxReward(s.model.Graph, u)
		if err != nil {
			return nil, err
		}
		law, _, err := guide.GivenLaw(s.model.Chain.Law(), cond)
		if err != nil {
			return nil, err
		}
		return s.draw(law.Sample), nil
	case StudyMax:
		return s.guided(ctx, Guide{Name: MaxReward}, "", d3pm.DefaultSteps, u)
	}
	if c.lambda == 0 {
		return s.unguided(ctx, c, u)
	}
	return s.guided(ctx, Guide{Name: c.law, Lambda: c.lambda}, c.kernel, s.Steps, u)
}

// exact draws of the exact target anew.
func (s *study) exact(u []float64, target *Target) ([]ddps.Path, error) {
	if s.law != nil || s.made != nil {
		return target.draw(target.choice(), s.Samples, s.Seed, 0), nil
	}
	given, _, err := s.given(u)
	if err != nil {
		return nil, err
	}
	return s.draw(given.Sample), nil
}

// unguided returns the samples at λ = 0 of a cell's guide and reverse step, drawn once.
func (s *study) unguided(ctx context.Context, c studyCell, u []float64) ([]ddps.Path, error) {
	s.mu.Lock()
	free := s.free[c.law+c.kernel]
	if free == nil {
		free = new(freeSamples)
		s.free[c.law+c.kernel] = free
	}
	s.mu.Unlock()
	free.once.Do(func() { free.paths, free.err = s.guided(ctx, Guide{Name: c.law}, c.kernel, s.Steps, u) })
	return free.paths, free.err
}

func (s *study) guided(ctx context.Context, g Guide, kernel string, steps int, u []float64) ([]ddps.Path, error) {
	sampler := s.model.Sampler()
	sampler.Steps, sampler.Backend = steps, s.Backend
	var err error
	if sampler.Kernel, err = Kernel(kernel); err != nil {
		return nil, err
	}
	if kernel == "joint" {
		sampler.Kernel = d3pm.Kernel{} // the default
	}
	if err := g.Apply(sampler, u); err != nil {
		return nil, err
	}
	return sampler.Sample(ctx, s.Samples, s.Seed)
}

// own fills in the distances from the paper's target: the samples at λ = 0 that earn the greatest reward.
func (s *study) own(ctx context.Context, c studyCell, u []float64, paths []ddps.Path, row *StudyRow) error {
	if c.law != Algorithm2 && c.law != Eq13 {
		return nil
	}
	free, err := s.unguided(ctx, c, u)
	if err != nil {
		return err
	}
	g := s.model.Graph
	at := AtMax(g, u, g.Best(u))
	if s.law == nil {
		hits := slices.DeleteFunc(slices.Clone(free), func(p ddps.Path) bool { return !at(p) })
		if row.Hits = len(hits); row.Hits == 0 {
			return nil
		}
		t, err := NewTarget(g, hits, nil)
		if err != nil {
			return err
		}
		row.Own, err = t.distances(paths, false)
		return err
	}
	_, q, err := s.law.laws(free)
	if err != nil {
		return err
	}
	t := *s.law
	t.P = q
	given, err := t.Given(at)
	if errors.Is(err, ErrNoMass) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, p := range free {
		if at(p) {
			row.Hits++
		}
	}
	row.Own, err = given.distances(paths, true)
	return err
}

// draw draws the samples of a law that is drawn from directly.
func (s *study) draw(of func(*rand.Rand) ddps.Path) []ddps.Path {
	paths := make([]ddps.Path, s.Samples)
	for i := range paths {
		paths[i] = of(ddps.Rand(s.Seed, uint64(i)))
	}
	return paths
}
