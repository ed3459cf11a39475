package study

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/query"
)

// measure sets the results of a grid point.
func (s *guidance) measure(ctx context.Context, c *GuidanceRow) error {
	u, err := s.reward(c.RMax, c.Instance)
	if err != nil {
		return err
	}
	target, p, err := s.target(u)
	if err != nil {
		return err
	}
	paths, err := s.sample(ctx, c, u, target)
	if err != nil {
		return err
	}
	c.P, c.Own = p, compare.NoDistances()
	if err := c.fill(s.model.Graph, u, target, paths, s.dist != nil); err != nil {
		return err
	}
	return s.own(ctx, c, u, paths)
}

// reward is Reward on the model's graph, drawn once.
func (s *guidance) reward(rmax, instance int) ([]float64, error) {
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

// sample draws the samples of a grid point.
func (s *guidance) sample(ctx context.Context, c *GuidanceRow, u []float64, target *compare.Target) ([]ddps.Path,
	error) {
	switch c.Distribution {
	case ReferenceExact:
		return s.exact(u, target)
	case ReferenceChain:
		cond, err := guide.MaxReward(s.model.Graph, u)
		if err != nil {
			return nil, err
		}
		dist, _, err := guide.GivenDistribution(s.model.Chain.Distribution(), cond)
		if err != nil {
			return nil, err
		}
		return s.draw(dist.Sample), nil
	case ReferenceMax:
		return s.guided(ctx, query.Guide{Name: query.MaxReward}, "", d3pm.DefaultSteps, u)
	}
	if c.Lambda == 0 {
		return s.unguided(ctx, c, u)
	}
	return s.guided(ctx, query.Guide{Name: c.Distribution, Lambda: c.Lambda}, c.Kernel, s.Steps, u)
}

// exact draws of the exact target anew.
func (s *guidance) exact(u []float64, target *compare.Target) ([]ddps.Path, error) {
	if s.dist != nil || s.made != nil {
		return target.Draw(s.Samples, s.Seed, 0), nil
	}
	given, _, err := s.given(u)
	if err != nil {
		return nil, err
	}
	return s.draw(given.Sample), nil
}

// unguided returns the samples at λ = 0 of a grid point's guide and reverse step, drawn once.
func (s *guidance) unguided(ctx context.Context, c *GuidanceRow, u []float64) ([]ddps.Path, error) {
	s.mu.Lock()
	free := s.free[c.Distribution+c.Kernel]
	if free == nil {
		free = new(freeSamples)
		s.free[c.Distribution+c.Kernel] = free
	}
	s.mu.Unlock()
	free.once.Do(func() { free.paths, free.err = s.guided(ctx, query.Guide{Name: c.Distribution}, c.Kernel, s.Steps, u) })
	return free.paths, free.err
}

func (s *guidance) guided(ctx context.Context, g query.Guide, kernel string, steps int, u []float64) ([]ddps.Path,
	error) {
	sampler := s.model.Sampler()
	sampler.Steps, sampler.Backend = steps, s.Backend
	var err error
	if sampler.Kernel, err = query.Kernel(kernel); err != nil {
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

// own fills in the distances from the paper's target: the samples at λ = 0 that attain the greatest reward.
func (s *guidance) own(ctx context.Context, c *GuidanceRow, u []float64, paths []ddps.Path) error {
	if c.Distribution != query.Algorithm2 && c.Distribution != query.Eq7 {
		return nil
	}
	free, err := s.unguided(ctx, c, u)
	if err != nil {
		return err
	}
	g := s.model.Graph
	at := compare.AtMax(g, u, g.Best(u))
	if s.dist == nil {
		hits := slices.DeleteFunc(slices.Clone(free), func(p ddps.Path) bool { return !at(p) })
		if c.Hits = len(hits); c.Hits == 0 {
			return nil
		}
		t, err := compare.NewTarget(g, hits, nil)
		if err != nil {
			return err
		}
		c.Own, err = t.Distances(paths, false)
		return err
	}
	_, q, err := s.dist.Distributions(free)
	if err != nil {
		return err
	}
	t := *s.dist
	t.P = q
	given, err := t.Given(at)
	if errors.Is(err, compare.ErrNoMass) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, p := range free {
		if at(p) {
			c.Hits++
		}
	}
	c.Own, err = given.Distances(paths, true)
	return err
}

// draw draws the samples of a distribution that is drawn from directly.
func (s *guidance) draw(of func(*rand.Rand) ddps.Path) []ddps.Path {
	paths := make([]ddps.Path, s.Samples)
	for i := range paths {
		paths[i] = of(ddps.Rand(s.Seed, uint64(i)))
	}
	return paths
}
