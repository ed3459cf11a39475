package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Zipf returns n distinct paths of g, drawn without replacement from seed, of which the i-th occurs round(1000/i)
// times, once at least: data with a strong memory, since a path's first edges nearly tell the rest.
func Zipf(g *ddps.LayeredGraph, n int, seed uint64) (*datasets.Data, error) {
	paths, err := datasets.Draw(g, n, seed)
	if err != nil {
		return nil, err
	}
	rng := ddps.Rand(seed, 1)
	rng.Shuffle(n, func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	d := &datasets.Data{Graph: g, Paths: paths, Counts: make([]int, n)}
	for i := range d.Counts {
		d.Counts[i] = max(1, int(math.Round(1000/float64(i+1))))
	}
	return d, nil
}

// ListedDistribution returns the distribution that gives distinct paths of a graph their shares of the data, and all
// others nothing: a chain on the tree of their beginnings, which remembers all of the way it came. Its exact denoiser
// (chain.NewDistributionDenoiser) is that of the data themselves, by enumeration.
func ListedDistribution(d *datasets.Data) (*chain.Distribution, error) {
	g := d.Graph
	weights, _, err := ddps.Weights(len(d.Paths), d.Weights())
	if err != nil {
		return nil, fmt.Errorf("compare: listed distribution: %w", err)
	}
	type step struct{ node, edge int }
	children, mass := map[step]int{}, []float64{0} // node 0 is the start
	for i, p := range d.Paths {
		edges, err := g.PathEdges(nil, p)
		if err != nil {
			return nil, fmt.Errorf("compare: listed distribution: path %d: %w", i+1, err)
		}
		node := 0
		mass[0] += weights[i]
		for _, e := range edges {
			next, ok := children[step{node, e}]
			if !ok {
				next = len(mass)
				children[step{node, e}], mass = next, append(mass, 0)
			}
			node = next
			mass[node] += weights[i]
		}
	}
	lift, at, err := chain.Unfold(g, 0, func(node, e int) (int, bool) {
		next, ok := children[step{node, e}]
		return next, ok && mass[next] > 0
	}, 0)
	if err != nil {
		return nil, fmt.Errorf("compare: listed distribution: %w", err)
	}
	if lift == nil {
		return nil, errors.New("compare: listed distribution: no path has any weight")
	}
	p := make([]float64, lift.Graph.NumEdges())
	for e := range p {
		p[e] = mass[at[lift.Graph.Head(e)]] / mass[at[lift.Graph.Tail(e)]]
	}
	return chain.NewDistribution(lift, p)
}

// MadeBy returns the true distribution of a street map, datasets.Memory fitted to them, of all paths of the pruned
// graph that keep, if not nil, takes: the truth that a model of such data can be compared with. Of a rare condition few
// paths are kept, and nothing else is enumerated in memory. The error is ErrNoMass if there are none.
func MadeBy(d *datasets.Data, keep func(ddps.Path) bool) (*Target, error) {
	memory, err := datasets.NewMemory(d.Graph, d.Paths)
	if err != nil {
		return nil, err
	}
	g := d.Graph.Prune()
	var paths []ddps.Path
	if keep == nil {
		paths = slices.Collect(g.Paths())
	} else {
		for p := range g.Paths() {
			if keep(p) {
				paths = append(paths, p)
			}
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("compare: target: %w", ErrNoMass)
	}
	t, err := NewTarget(g, paths, memory.Distribution(g, paths))
	if err != nil {
		return nil, err
	}
	districts, err := datasets.Districts(d.Graph, datasets.NumDistricts, datasets.DistrictSeed)
	if err != nil {
		return nil, err
	}
	return t.WithDistricts(districts), nil
}
