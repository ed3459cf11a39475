package compare

import (
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/metrics"
)

// Target is an exact distribution over paths that samples are compared with, and the features of paths to compare by.
type Target struct {
	Graph *ddps.LayeredGraph
	Paths []ddps.Path // the support, in the order of its keys
	P     []float64   // their probabilities
	// Walks is how many recorded walks P is the shares of: a sampling floor is then of two samples, one of so many. 0: P
	// is exact.
	Walks int

	support   *metrics.Support[string]
	districts []int // of each place; nil where the graph has none
}

// NewTarget makes the target that gives paths of g their weights (nil: equal ones).
func NewTarget(g *ddps.LayeredGraph, paths []ddps.Path, weights []float64) (*Target, error) {
	keys := metrics.Keys(paths)
	t := &Target{Graph: g, support: metrics.NewSupport(keys)}
	var err error
	if t.P, err = t.support.Distribution(keys, weights); err != nil {
		return nil, fmt.Errorf("compare: target: %w", err)
	}
	t.Paths = make([]ddps.Path, t.support.Len())
	for i := range t.Paths {
		t.Paths[i] = metrics.PathOf(t.support.Key(i))
	}
	return t, nil
}

// WithDistricts lets the features of memory be compared too: districts, of each place, as of
// datasets.Districts.
func (t *Target) WithDistricts(districts []int) *Target {
	c := *t
	c.districts = districts
	return &c
}

// DataTarget returns the distribution of the data (a finite sample where they are walks, ddps.LayeredGraph.Walks), and
// its features where the graph as given (not pruned) has places.
func DataTarget(full *ddps.LayeredGraph, data *datasets.Data) (*Target, error) {
	t, err := NewTarget(data.Graph, data.Paths, data.Weights())
	if err == nil && data.Graph.Walks() {
		t.Walks = data.Total()
	}
	if err != nil || full.Meta().Place == nil || full.Meta().XY == nil || full.NumLayers() < 6 {
		return t, err
	}
	d, err := datasets.Districts(full, datasets.NumDistricts, datasets.DistrictSeed)
	if err != nil {
		return t, nil // fewer places than districts: no such features
	}
	return t.WithDistricts(d), nil
}

// ErrNoMass says that no path of a target meets a condition.
var ErrNoMass = errors.New("no path of the target meets the condition")

// Given returns the target conditioned on keep.
func (t *Target) Given(keep func(ddps.Path) bool) (*Target, error) {
	c := *t
	c.P = make([]float64, len(t.P))
	sum := 0.0
	for i, p := range t.P {
		if p > 0 && keep(t.Paths[i]) {
			c.P[i] = p
			sum += p
		}
	}
	if sum == 0 {
		return nil, fmt.Errorf("compare: target: %w", ErrNoMass)
	}
	for i := range c.P {
		c.P[i] /= sum
	}
	c.Walks = int(math.Round(float64(t.Walks) * sum))
	return &c, nil
}

// AtMax reports whether a path's reward under u is the greatest that any path has, rmax, up to rounding.
func AtMax(g *ddps.LayeredGraph, u []float64, rmax float64) func(ddps.Path) bool {
	slack := 1e-9 * max(1, math.Abs(rmax))
	return func(p ddps.Path) bool { return g.Total(u, p) >= rmax-slack }
}

// Distributions returns the target and a sample as distributions over one support, the target's if it holds the sample.
func (t *Target) Distributions(paths []ddps.Path) (p, q []float64, err error) {
	keys := metrics.Keys(paths)
	q, err = t.support.Distribution(keys, nil)
	if err == nil || !errors.Is(err, metrics.ErrOutside) {
		return t.P, q, err
	}
	_, both, err := metrics.Align(metrics.Sample{Paths: t.Paths, Weights: t.P}, metrics.Sample{Paths: paths})
	if err != nil {
		return nil, nil, err
	}
	return both[0], both[1], nil
}

// Probability returns the probability of p, 0 if it is not in the support.
func (t *Target) Probability(p ddps.Path) float64 {
	i, ok := t.support.Index(metrics.Key(p))
	if !ok {
		return 0
	}
	return t.P[i]
}

// Districts returns the district of each place, nil where the target has none.
func (t *Target) Districts() []int { return t.districts }

// Draw returns n exact draws of the target, of a stream of the seed.
func (t *Target) Draw(n int, seed, stream uint64) []ddps.Path {
	return t.draw(t.choice(), n, seed, stream)
}
