package em

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
)

// Start returns the model before the first round, which counts: one class, uniform over all paths of g, of chains of
// order 1 or, of moves between places, 2.
func Start(g *ddps.LayeredGraph, order int) (*model.Model, error) {
	cfg := config(model.DefaultConfig(), order, 1)
	if err := cfg.Mixture.Check(g); err != nil {
		return nil, fmt.Errorf("em: %w", err)
	}
	c := chain.Uniform(g)
	l := cfg.Mixture.Product(g)
	p := make([]float64, len(l.Edge))
	l.Pull(c.P, p)
	return model.NewOn(c, &mixture.Mixture{Product: l, Weight: []float64{1}, P: p}, cfg, 0)
}

// config is that of a mixture without a network.
func config(c model.Config, order, classes int) model.Config {
	def := mixture.DefaultConfig()
	c.Network = model.NetworkNone
	c.Mixture = mixture.Config{Order: order, Classes: classes, Ridge: def.Ridge, Smooth: def.Smooth, Rounds: def.Rounds}
	return c
}

// spread is the standard deviation of the potentials of Classes.
const spread = .5

// Classes returns m, a mixture of one class without a network, as one of K classes alike but for potentials of vertices
// drawn from the seed, with which EM begins; m itself where it has K classes.
func Classes(m *model.Model, K int, seed uint64) (*model.Model, error) {
	if m.Distribution() == nil {
		return nil, fmt.Errorf("em: the model is %s: EM goes on from a mixture of chains alone", m.Config.Kind())
	}
	have := len(m.Mixture.Weight)
	if have == K {
		return m, nil
	}
	if have != 1 {
		return nil, fmt.Errorf("em: the model has %d classes: %d are made of one alone", have, K)
	}
	l := m.Mixture.Product
	mix := &mixture.Mixture{Product: l, Weight: make([]float64, K), P: make([]float64, K*len(l.Edge))}
	for k := range K {
		mix.Weight[k] = 1 / float64(K)
		rng, factor := ddps.Rand(seed, uint64(k)), make([]float64, m.Graph.NumVertices())
		for v := range factor {
			factor[v] = math.Exp(spread * rng.NormFloat64())
		}
		for q := range l.Graph.NumVertices() {
			lo, hi := l.Graph.Edges(q)
			sum := 0.0
			for e := lo; e < hi; e++ {
				mix.P[e*K+k] = m.Mixture.P[e] * factor[m.Graph.Head(l.Edge[e])]
				sum += mix.P[e*K+k]
			}
			for e := lo; e < hi; e++ {
				mix.P[e*K+k] /= sum
			}
		}
	}
	cfg := config(m.Config, m.Config.Mixture.Order, K)
	if err := cfg.Mixture.Check(m.Graph); err != nil {
		return nil, fmt.Errorf("em: %w", err)
	}
	return model.NewOn(m.Chain, mix, cfg, 0)
}

// Model returns the model after a round of model of, whose sums these are.
func (s *Sums) Model(of *model.Model, kappa float64) (*model.Model, error) {
	c, mix, err := s.Maximise(kappa)
	if err != nil {
		return nil, err
	}
	cfg := of.Config
	cfg.Kappa = kappa
	return model.NewOn(c, mix, cfg, 0)
}
