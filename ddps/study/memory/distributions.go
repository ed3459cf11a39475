package memory

import (
	"fmt"
	"slices"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/query"
)

// distribution is a distribution of the study under one condition.
type distribution struct {
	name string
	draw func() ([]ddps.Path, error)
	nats func(p ddps.Path) (float64, error) // −log p; nil: by the bound of denoiser
	of   d3pm.Denoiser
}

// dists returns the distributions under condition c, nil for none.
func (s *work) dists(c guide.Condition) []distribution {
	exact := func(name string, dist *chain.Distribution) distribution {
		return distribution{name: name, draw: func() ([]ddps.Path, error) {
			if c != nil {
				var err error
				if dist, _, err = guide.GivenDistribution(dist, c); err != nil {
					return nil, err
				}
			}
			paths := make([]ddps.Path, s.Samples)
			for i := range paths {
				paths[i] = dist.Sample(ddps.Rand(s.Seed, uint64(i)))
			}
			return paths, nil
		}, nats: func(p ddps.Path) (float64, error) { lp, err := dist.LogProb(p); return -lp, err }}
	}
	sampler := func(name string, of d3pm.Denoiser) (*d3pm.Sampler, distribution) {
		sampler := &d3pm.Sampler{Graph: s.graph, Denoiser: of, Schedule: s.model.Schedule, Engine: s.model.Sampler().Engine}
		if c != nil {
			sampler.Condition = c
		}
		return sampler, distribution{name: name, of: of, draw: func() ([]ddps.Path, error) {
			defer s.stage(sampler, name, s.Samples)()
			return sampler.Sample(s.ctx, s.Samples, s.Seed)
		}}
	}
	_, model := sampler(Model, s.model)
	list := []distribution{exact(FirstOrder, s.first.Distribution()), exact(SecondOrder, s.second), model}
	if !s.model.Config.Mixture.Simple() {
		list = slices.Insert(list, 2, s.base(c))
	}
	if c == nil || s.Particles == 0 {
		return list
	}
	inner, corrected := sampler(Particles, s.model)
	corrected.draw = func() ([]ddps.Path, error) {
		defer s.stage(inner, Particles, s.Samples*s.Particles)()
		paths, _, err := (&d3pm.Particles{Sampler: inner, K: s.Particles}).Sample(s.ctx, s.Samples, s.Seed)
		return paths, err
	}
	return append(list, corrected)
}

// base is the distribution of the mixture of chains, which needs no diffusion to be drawn from.
func (s *work) base(c guide.Condition) distribution {
	mix := s.model.Mixture
	return distribution{name: Mixture, draw: func() ([]ddps.Path, error) {
		draw := mix.Sample
		if c != nil {
			given, _, err := query.GivenMixture(mix, c)
			if err != nil {
				return nil, err
			}
			draw = given.Sample
		}
		paths := make([]ddps.Path, s.Samples)
		for i := range paths {
			paths[i] = draw(ddps.Rand(s.Seed, uint64(i)))
		}
		return paths, nil
	}, nats: func(p ddps.Path) (float64, error) { lp, err := mix.LogProb(p); return -lp, err }}
}

// stage shows the sampler's progress on n paths, until what it returns is called.
func (s *work) stage(sampler *d3pm.Sampler, name string, n int) (end func()) {
	s.progress.Begin(fmt.Sprintf("%s, seed %d: %s", s.Graph, s.Seed, name), 0, n*max(1, sampler.Taken()))
	sampler.Progress = func(done, _ int) { s.progress.Set(done, "") }
	return s.progress.End
}

// nats returns the mean −log p under l, or its bound, and under the true distribution, on draws of that.
func (s *work) nats(l distribution, dist datasets.MemoryDistribution) (nats, truth float64, err error) {
	draws := s.memory.Draw(s.graph, s.Bound, s.Seed)
	n := float64(len(draws))
	for _, p := range draws {
		truth -= (s.memory.Score(s.graph, p) - dist.LogZ) / n
	}
	if l.nats == nil {
		b := &d3pm.Bound{Graph: s.graph, Denoiser: l.of, Schedule: s.model.Schedule}
		scores, err := b.Score(s.ctx, draws, s.Seed)
		for _, x := range scores {
			nats += x.Mean / n
		}
		return nats, truth, err
	}
	for _, p := range draws {
		x, err := l.nats(p)
		if err != nil {
			return 0, 0, err
		}
		nats += x / n
	}
	return nats, truth, nil
}
