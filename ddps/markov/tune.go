package markov

import (
	"context"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Trial is a configuration that Tune tried, and the mean −log p of the validation paths, by weight.
type Trial struct {
	Config Config
	NLL    float64
}

// tuneNumbers bounds the numbers of the steps that a trial's weights are fitted to.
const tuneNumbers = 12 << 20

// fitRelative and tuneRelative end the fits of a model's and of a trial's weights, as relative of Model.weigh.
const fitRelative, tuneRelative = 1e-5, 1e-4

// tuneSteps is about how many steps the paths have that a trial is fitted to: of more paths every second, third, … is
// taken.
const tuneSteps = 1 << 20

// gain is by how many standard errors of the difference a larger model must lower the validation NLL to be taken: of
// two alike the smaller one is kept.
const gain = .003

// Tune chooses settings by the mean −log p of the validation paths, one at a time: a smaller order, and no position,
// where that is better; the start, the places visited where they are at most 64, runs where some training path stays in
// a place, and order 8 where they are better. Of many paths the trials are fitted to a part. It returns the best model,
// as it was fitted for the choice, which [Model.Refit] fits to all paths, and all trials in their order. tell, unless
// it is nil, is called with how many trials of at most how many are done. late, unless it is nil, ends the search and
// its fits where it reports true. The errors are those of Fit for either sample, and ctx's.
func Tune(ctx context.Context, g *ddps.LayeredGraph, train, validation chain.Sample, tell func(done, most int),
	late func() bool) (*Model, []Trial, error) {
	_, held, err := prepare(g, validation, Default())
	if err != nil {
		return nil, nil, fmt.Errorf("validation: %w", err)
	}
	m, weights, err := prepare(g, train, Default())
	if err != nil {
		return nil, nil, err
	}
	t := &tuner{places: m.places, late: late}
	t.validation, t.held = drawn(validation.Paths, held)
	t.train, t.weights = some(train.Paths, weights)
	best, one, logp, err := t.trial(ctx, Default())
	if err != nil {
		return nil, nil, err
	}
	changes := t.changes()
	for i, try := range changes {
		if tell != nil {
			tell(i+1, len(changes)+1)
		}
		cfg := best.cfg
		if try(&cfg); cfg == best.cfg {
			continue
		}
		if late != nil && late() {
			break
		}
		m, next, own, err := t.trial(ctx, cfg)
		if err != nil {
			return nil, nil, err
		}
		margin := gain * t.error(own, logp)
		if cfg.smaller(best.cfg) {
			margin = 0
		}
		if next.NLL < one.NLL-margin {
			best, one, logp = m, next, own
		}
	}
	return best, t.trials, nil
}

// tuner tries configurations.
type tuner struct {
	*places
	train, validation []ddps.Path
	weights, held     []float64
	tables            *tables // of the last trial that has counted
	last              *Model
	late              func() bool
	trials            []Trial
}

// some returns every k-th path, with k such that they have at most about tuneSteps steps.
func some(paths []ddps.Path, weights []float64) (part []ddps.Path, w []float64) {
	k := 1
	if len(paths) > 0 {
		k += len(paths) * (len(paths[0]) - 1) / (tuneSteps + 1)
	}
	for i := 0; i < len(paths); i += k {
		part, w = append(part, paths[i]), append(w, weights[i])
	}
	return part, w
}

// heldSteps is about how many steps the validation paths have at most that a trial is scored on.
const heldSteps = 1 << 18

// drawn returns the paths and their weights or, of many, some that are drawn by weight at even distances, with how
// often each is drawn.
func drawn(paths []ddps.Path, weights []float64) (some []ddps.Path, w []float64) {
	if len(paths) == 0 || len(paths)*(len(paths[0])-1) <= heldSteps {
		return paths, weights
	}
	total, at := 0.0, ddps.Rand(0, 1).Float64()
	for _, x := range weights {
		total += x
	}
	draws := heldSteps / (total * float64(len(paths[0])-1))
	for i, n := range even(weights, draws, at) {
		if n > 0 {
			some, w = append(some, paths[i]), append(w, n)
		}
	}
	return some, w
}

// changes lists what is tried, one after the other.
func (t *tuner) changes() []func(*Config) {
	list := []func(*Config){
		func(c *Config) { c.Order = 3 },
		func(c *Config) { c.Position = false },
		func(c *Config) { c.Start = true },
	}
	if t.n <= maxVisited {
		list = append(list, func(c *Config) { c.Visited = true })
	}
	if t.stays() {
		list = append(list, func(c *Config) { c.Run = 20 })
	}
	return append(list, func(c *Config) {
		if c.Order = 8; c.Visited || c.Run > 0 {
			c.Order = 2
		}
	})
}

// smaller reports whether c has fewer contexts than d, from which it differs by one setting.
func (c Config) smaller(d Config) bool { return c.Order < d.Order || d.Position && !c.Position }

// error returns the standard error of the difference of two NLL on the same paths.
func (t *tuner) error(a, b []float64) float64 {
	mean, n, square := 0.0, 0.0, 0.0
	for i, w := range t.held {
		if d := a[i] - b[i]; w > 0 && !math.IsNaN(d) && !math.IsInf(d, 0) { // 0 where both are impossible
			mean, n, square = mean+w*d, n+w, square+w*d*d
		}
	}
	mean /= n
	return math.Sqrt(max(0, square/n-mean*mean) / n)
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

// trial fits a model and returns it, its score, and log p of the validation paths.
func (t *tuner) trial(ctx context.Context, cfg Config) (*Model, Trial, []float64, error) {
	m, one := &Model{places: t.places, cfg: cfg, views: cfg.views()}, Trial{Config: cfg}
	logp := make([]float64, len(t.validation))
	if t.tables != nil && t.tables.cover(cfg) {
		m.use(t.tables, t.train, t.weights)
	} else {
		m.count(t.train, t.weights)
		t.tables = m.tables
	}
	m.theta = m.prior()
	if t.last != nil {
		m.take(t.last)
	}
	if err := m.weigh(ctx, tuneNumbers, tuneRelative, t.late); err != nil {
		return nil, one, nil, err
	}
	t.last = m
	if err := m.LogProb(t.validation, logp); err != nil {
		return nil, one, nil, err
	}
	n := 0.0
	for i, w := range t.held {
		if w > 0 {
			one.NLL, n = one.NLL-w*logp[i], n+w
		}
	}
	one.NLL /= n
	t.trials = append(t.trials, one)
	return m, one, logp, nil
}

// take takes the weights of another model's views and relations for the same ones.
func (m *Model) take(from *Model) {
	for i, v := range m.views {
		for j, w := range from.views {
			if w.parent = v.parent; v == w {
				copy(m.theta[i*buckets:(i+1)*buckets], from.theta[j*buckets:])
			}
		}
	}
	copy(m.theta[len(m.views)*buckets:], from.theta[len(from.views)*buckets:])
}
