package datasets

import (
	"fmt"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// MemoryDistribution is what the distribution that Memory makes over all paths of a graph says of the features with
// memory, of its paths that meet a condition.
type MemoryDistribution struct {
	LogZ      float64   // log Σ eˢ
	Paths     int       // how many
	Districts []float64 // as DistrictDistribution
	Revisits  []float64 // as RevisitDistribution
	Ends      []float64 // as EndDistribution
	Quadrants []float64 // as Memory.Quadrants
}

// Distributions returns, by enumeration of all paths of g on all CPUs, the distribution over those that given takes,
// for each of given (nil: all). The functions are called from several goroutines. district is that of Districts. It is
// an error if no path is taken, or a path has no districts. O(paths).
func (m *Memory) Distributions(g *ddps.LayeredGraph, district []int, given []func(ddps.Path) bool) (
	[]MemoryDistribution, error) {
	heads := prefixes(g, 5)
	parts := make([][]*memorySum, len(heads))
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range heads {
		work.Go(func() error {
			for range given {
				parts[i] = append(parts[i], newMemorySum(g, m, district))
			}
			return m.walk(g, p, func(p ddps.Path, places []int, w float64) error {
				for k, keep := range given {
					if keep == nil || keep(p) {
						if err := parts[i][k].add(places, w); err != nil {
							return err
						}
					}
				}
				return nil
			})
		})
	}
	if err := work.Wait(); err != nil {
		return nil, fmt.Errorf("datasets: memory: %w", err)
	}
	var dists []MemoryDistribution
	for k := range given {
		sum := newMemorySum(g, m, district)
		for _, p := range parts { // in order: the same bits for any number of CPUs
			sum.join(p[k])
		}
		if !(sum.mass > 0) || math.IsInf(sum.mass, 1) {
			return nil, fmt.Errorf("datasets: memory: condition %d: the distribution has a mass of %v", k+1, sum.mass)
		}
		dists = append(dists, sum.dist())
	}
	return dists, nil
}

// Draw draws n paths of g from the distribution, without enumerating them: paths all equally likely, each taken with
// odds eˢ to the greatest that s may be. Path i depends on the seed and i alone.
func (m *Memory) Draw(g *ddps.LayeredGraph, n int, seed uint64) []ddps.Path {
	top := 0.0
	for _, a := range g.Meta().Place {
		if a >= 0 && m.sigma[4] > 0 {
			top = max(top, math.Hypot(m.xy[a][0], m.xy[a][1])/m.sigma[4])
		}
	}
	top = 0.65 * (4 + 0.5*top)
	c, paths := chain.Uniform(g), make([]ddps.Path, n)
	for i := range paths {
		for rng := ddps.Rand(seed, uint64(i)); ; {
			if p := c.Sample(rng); rng.Float64() < math.Exp(m.Score(g, p)-top) {
				paths[i] = p
				break
			}
		}
	}
	return paths
}

// prefixes returns the beginnings of all paths, of the given number of vertices or whole.
func prefixes(g *ddps.LayeredGraph, length int) []ddps.Path {
	list := []ddps.Path{{0}}
	for range min(length, g.NumLayers()) - 1 {
		var longer []ddps.Path
		for _, p := range list {
			for _, w := range g.From(p[len(p)-1]) {
				longer = append(longer, append(p[:len(p):len(p)], w))
			}
		}
		list = longer
	}
	return list
}

// walk gives yield all paths that begin with p, their places and eˢ. The slices are only lent.
func (m *Memory) walk(g *ddps.LayeredGraph, p ddps.Path, yield func(ddps.Path, []int, float64) error) error {
	places, depth := []int(nil), g.NumLayers()
	var on func(p ddps.Path) error
	on = func(p ddps.Path) error {
		if len(p) == depth {
			places = Places(places[:0], g, p)
			return yield(p, places, math.Exp(m.score(places)))
		}
		for _, w := range g.From(p[len(p)-1]) {
			if err := on(append(p, w)); err != nil {
				return err
			}
		}
		return nil
	}
	return on(append(make(ddps.Path, 0, depth), p...))
}

// memorySum adds up paths by their features.
type memorySum struct {
	memory   *Memory
	mass     float64
	paths    int
	district []int
	k        int
	by       [4][]float64 // districts, revisits, ends, quadrants
}

func newMemorySum(g *ddps.LayeredGraph, m *Memory, district []int) *memorySum {
	k := numDistricts(district)
	s := &memorySum{memory: m, district: district, k: k}
	for i, n := range []int{k * k, g.NumLayers(), numPlaces(g), numQuadrants} {
		s.by[i] = make([]float64, n)
	}
	return s
}

func (s *memorySum) add(places []int, w float64) error {
	i, err := districtPair(s.district, s.k, places)
	if err != nil {
		return err
	}
	s.mass += w
	s.paths++
	for f, bin := range [4]int{i, Revisits(places), places[len(places)-1], s.memory.quadrants(places)} {
		s.by[f][bin] += w
	}
	return nil
}

func (s *memorySum) join(t *memorySum) {
	s.mass += t.mass
	s.paths += t.paths
	for f := range s.by {
		for i, x := range t.by[f] {
			s.by[f][i] += x
		}
	}
}

func (s *memorySum) dist() MemoryDistribution {
	for _, x := range s.by {
		for i := range x {
			x[i] /= s.mass
		}
	}
	return MemoryDistribution{LogZ: math.Log(s.mass), Paths: s.paths, Districts: s.by[0], Revisits: s.by[1],
		Ends: s.by[2], Quadrants: s.by[3]}
}
