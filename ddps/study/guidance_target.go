package study

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/query"
)

// target returns the exact target of a reward, and the probability of its maximum: of the data, where all paths are
// listed; else, of a model whose distribution is known, exact draws of that; else of the true distribution.
func (s *guidance) target(u []float64) (*compare.Target, float64, error) {
	g := s.model.Graph
	switch {
	case s.made != nil:
		return s.made.target(g, u)
	case s.dist != nil:
		at := compare.AtMax(g, u, g.Best(u))
		p := 0.0
		for i, path := range s.dist.Paths {
			if at(path) {
				p += s.dist.P[i]
			}
		}
		t, err := s.dist.Given(at)
		return t, p, err
	}
	given, logp, err := s.given(u)
	if err != nil {
		return nil, 0, err
	}
	paths := make([]ddps.Path, guidanceTargets*s.Samples)
	for i := range paths {
		paths[i] = given.Sample(ddps.Rand(guidanceTargetSeed, uint64(i)))
	}
	t, err := compare.NewTarget(g, paths, nil)
	return t, math.Exp(logp), err
}

// given returns the distribution of the model without a network, given the greatest reward, and the logarithm of its
// probability.
func (s *guidance) given(u []float64) (*query.Conditioned, float64, error) {
	c, err := guide.MaxReward(s.model.Graph, u)
	if err != nil {
		return nil, 0, err
	}
	return query.GivenMixture(s.model.Mixture, c)
}

// madeBy holds targets of the true distribution of a map, each by enumeration of all paths, which takes seconds.
type madeBy struct {
	data     *datasets.Data
	memory   *datasets.Memory
	district []int
	mu       sync.Mutex
	last     []*madeTarget // the newest two: the grid points of a reward follow each other
}

type madeTarget struct {
	u    []float64
	once sync.Once
	t    *compare.Target
	p    float64
	err  error
}

func newMadeBy(d *datasets.Data) (m *madeBy, err error) {
	m = &madeBy{data: d}
	if m.memory, err = datasets.NewMemory(d.Graph, d.Paths); err != nil {
		return nil, err
	}
	m.district, err = datasets.Districts(d.Graph, datasets.NumDistricts, datasets.DistrictSeed)
	return m, err
}

// target returns the true distribution given the greatest reward, and the probability of that; g is the pruned graph.
func (m *madeBy) target(g *ddps.LayeredGraph, u []float64) (*compare.Target, float64, error) {
	m.mu.Lock()
	k := slices.IndexFunc(m.last, func(t *madeTarget) bool { return slices.Equal(t.u, u) })
	if k < 0 {
		m.last = append(m.last, &madeTarget{u: u})
		m.last = m.last[max(0, len(m.last)-2):]
		k = len(m.last) - 1
	}
	t := m.last[k]
	m.mu.Unlock()
	t.once.Do(func() {
		at := compare.AtMax(g, u, g.Best(u))
		var dists []datasets.MemoryDistribution
		if dists, t.err = m.memory.Distributions(g, m.district, []func(ddps.Path) bool{nil, at}); t.err != nil {
			return
		}
		t.p = math.Exp(dists[1].LogZ - dists[0].LogZ)
		if t.t, t.err = compare.MadeBy(m.data, at); t.err != nil {
			t.err = fmt.Errorf("study: study: %w", t.err)
		}
	})
	return t.t, t.p, t.err
}
