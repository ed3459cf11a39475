package context

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Trial is a configuration that Tune tried, and the mean −log p of the validation paths, by weight.
type Trial struct {
	Config Config
	NLL    float64
}

// tuneNumbers bounds the numbers of the steps that a trial's weights are fitted to.
const tuneNumbers = 6 << 20

// gain is the least by which a setting must lower the validation NLL to be taken: of two alike the smaller model is
// kept.
const gain = .003

// Tune chooses the settings that give the validation paths the least −log p, one at a time: the position, the order of
// 1, 2, 3, 5 and 8, the start, the places visited where they are at most 64, and runs where some training path stays in
// a place. It returns all trials, in their order. The errors are those of Fit for either sample.
func Tune(g *ddps.LayeredGraph, train, validation chain.Sample) (Config, []Trial, error) {
	_, held, err := prepare(g, validation, Default())
	if err != nil {
		return Config{}, nil, fmt.Errorf("validation: %w", err)
	}
	m, weights, err := prepare(g, train, Default())
	if err != nil {
		return Config{}, nil, err
	}
	t := &tuner{places: m.places, train: train.Paths, weights: weights, validation: validation.Paths, held: held}
	cfg := Default()
	cfg.Order = 3
	best, err := t.trial(cfg)
	if err != nil {
		return cfg, nil, err
	}
	for _, try := range t.changes() {
		next := best
		if try(&next.Config); next.Config == best.Config {
			continue
		}
		if next, err = t.trial(next.Config); err != nil {
			return cfg, nil, err
		}
		if next.NLL < best.NLL-gain {
			best = next
		}
	}
	return best.Config, t.trials, nil
}

// tuner tries configurations.
type tuner struct {
	*places
	train, validation []ddps.Path
	weights, held     []float64
	trials            []Trial
}

// changes lists what is tried, one after the other.
func (t *tuner) changes() []func(*Config) {
	list := []func(*Config){
		func(c *Config) { c.Position = false },
		func(c *Config) { c.Start = true },
	}
	if t.n <= maxVisited {
		list = append(list, func(c *Config) { c.Visited = true })
	}
	if t.stays() {
		list = append(list, func(c *Config) { c.Run = 20 })
	}
	return append(list,
		func(c *Config) { c.Order = 2 },
		func(c *Config) { c.Order = 1 + c.Order%2*4 }, // 5 where 3 was better than 2, else 1
		func(c *Config) {
			if c.Order == 5 {
				c.Order = 8
			}
		})
}

// stays reports whether some training path is in one place in two layers that follow each other, before its end.
func (t *tuner) stays() bool {
	for _, p := range t.train {
		for l := 1; l < len(p) && !t.over[p[l]]; l++ {
			if t.place[p[l]] == t.place[p[l-1]] {
				return true
			}
		}
	}
	return false
}

// trial fits a model and returns its score.
func (t *tuner) trial(cfg Config) (Trial, error) {
	m := &Model{places: t.places, cfg: cfg, views: cfg.views()}
	if err := m.fit(t.train, t.weights, tuneNumbers); err != nil {
		return Trial{}, err
	}
	logp := make([]float64, len(t.validation))
	if err := m.LogProb(t.validation, logp); err != nil {
		return Trial{}, err
	}
	sum, n := 0.0, 0.0
	for i, x := range logp {
		if w := t.held[i]; w > 0 {
			sum, n = sum-w*x, n+w
		}
	}
	one := Trial{cfg, sum / n}
	t.trials = append(t.trials, one)
	return one, nil
}
