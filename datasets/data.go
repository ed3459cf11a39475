package datasets

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// Data is a list of weighted paths: Paths[i], distinct paths of Graph, occurs
// Counts[i] ≥ 1 times in the data; nil Counts are 1 each.
type Data struct {
	Graph  *ddps.LayeredGraph
	Paths  []ddps.Path
	Counts []int
	// Notes is what a reader found out or left out, a line each: columns not used, names in another form of Unicode.
	Notes []string
}

// Split holds out about the fraction frac of the mass by distinct paths: no path
// is in both parts. Paths are taken in an order drawn from seed until held's
// mass reaches frac of the total, but for paths that would make it more than twice
// that and are not the rarest, so that it is less, or none, where a few paths are
// most of the data; train keeps one path at least. Both parts keep
// the order of d and share its paths. It panics if frac is not in 0…1.
func (d *Data) Split(frac float64, seed uint64) (train, held *Data) {
	if !(frac >= 0 && frac <= 1) {
		panic(fmt.Sprintf("datasets: Split: fraction %v is not in 0…1", frac))
	}
	out, mass, want := make([]bool, len(d.Paths)), 0, frac*float64(d.Total())
	most := max(1, 2*want)
	if len(d.Counts) > 0 {
		most = max(2*want, float64(slices.Min(d.Counts)))
	}
	n := 0 // paths of held
	for _, i := range ddps.Rand(seed, 0).Perm(len(d.Paths)) {
		if float64(mass) >= want || n == len(d.Paths)-1 {
			break
		}
		if c := d.Count(i); float64(mass+c) <= most {
			out[i], mass, n = true, mass+c, n+1
		}
	}
	train, held = &Data{Graph: d.Graph}, &Data{Graph: d.Graph}
	for i, p := range d.Paths {
		to := train
		if out[i] {
			to = held
		}
		to.Paths, to.Counts = append(to.Paths, p), append(to.Counts, d.Count(i))
	}
	return train, held
}

// Prune returns the same data on the pruned graph (ddps.LayeredGraph.Prune),
// with the paths in its numbers. Counts are shared.
func (d *Data) Prune() *Data {
	g := d.Graph.Prune()
	number := make([]int, d.Graph.NumVertices())
	k := 0
	for v, on := range d.Graph.Reachable() {
		if number[v] = k; on {
			k++
		}
	}
	paths := make([]ddps.Path, len(d.Paths))
	for i, p := range d.Paths {
		paths[i] = make(ddps.Path, len(p))
		for l, v := range p {
			paths[i][l] = number[v]
		}
	}
	return &Data{Graph: g, Paths: paths, Counts: d.Counts}
}

// Unprune returns paths of g.Prune(), as those of a model that run.Fit made of data on g, in g's own numbers:
// Data.Prune undone.
func Unprune(g *ddps.LayeredGraph, pruned []ddps.Path) []ddps.Path {
	unpruned := Unpruner(g)
	paths := make([]ddps.Path, len(pruned))
	for i, p := range pruned {
		paths[i] = unpruned(p)
	}
	return paths
}

// Unpruner returns what Unprune does to one path: a new path.
func Unpruner(g *ddps.LayeredGraph) func(pruned ddps.Path) ddps.Path {
	var number []int // of each vertex of the pruned graph
	for v, on := range g.Reachable() {
		if on {
			number = append(number, v)
		}
	}
	return func(pruned ddps.Path) ddps.Path {
		p := make(ddps.Path, len(pruned))
		for l, v := range pruned {
			p[l] = number[v]
		}
		return p
	}
}

// All returns every path of g once, in the order of g.Paths: the data of Toy and
// RQ1. It is an error if there are more than limit paths.
func All(g *ddps.LayeredGraph, limit int) (*Data, error) {
	n := ddps.NumPaths(g)
	if n.Cmp(big.NewInt(int64(limit))) > 0 {
		return nil, fmt.Errorf("datasets: all paths: the graph has %v, more than the limit of %d", n, limit)
	}
	d := &Data{Graph: g, Paths: slices.AppendSeq(make([]ddps.Path, 0, n.Int64()), g.Paths())}
	d.Counts = make([]int, len(d.Paths))
	for i := range d.Counts {
		d.Counts[i] = 1
	}
	return d, nil
}

// Draw draws n distinct paths, each set of n as likely as any other (the paper's
// appendix, Data: "uniformly at random without replacement"), in the order of
// g.Paths. Nothing is enumerated: the ranks are drawn, by Floyd's method.
// The error says so if n is below 1 or above the number of paths. O(n·L·D).
func Draw(g *ddps.LayeredGraph, n int, seed uint64) ([]ddps.Path, error) {
	x := ddps.NewIndex(g)
	count := x.Count()
	if n < 1 || count.Cmp(big.NewInt(int64(n))) < 0 {
		return nil, fmt.Errorf("datasets: draw %d distinct paths: the graph has %v", n, count)
	}
	rng := ddps.Rand(seed, 0)
	var ranks []*big.Int
	if count.IsUint64() {
		for _, r := range distinct(count.Uint64(), n, rng) {
			ranks = append(ranks, new(big.Int).SetUint64(r))
		}
	} else {
		for _, p := range distinctPaths(x, n, rng) {
			r, err := x.Rank(p)
			if err != nil {
				return nil, fmt.Errorf("datasets: draw: %w", err)
			}
			ranks = append(ranks, r)
		}
		slices.SortFunc(ranks, (*big.Int).Cmp)
	}
	paths := make([]ddps.Path, n)
	for i, r := range ranks {
		p, err := x.At(r)
		if err != nil {
			return nil, fmt.Errorf("datasets: draw: %w", err)
		}
		paths[i] = p
	}
	return paths, nil
}

// distinct draws n different numbers of 0…count-1 (Floyd: for j = count-n … take
// a number of 0…j, or j itself if that one is taken), ascending.
func distinct(count uint64, n int, rng *rand.Rand) []uint64 {
	taken, out := make(map[uint64]bool, n), make([]uint64, 0, n)
	for j := count - uint64(n); j < count; j++ {
		r := rng.Uint64()
		if j < math.MaxUint64 {
			r = rng.Uint64N(j + 1)
		}
		if taken[r] {
			r = j
		}
		taken[r] = true
		out = append(out, r)
	}
	slices.Sort(out)
	return out
}

// distinctPaths draws n different paths where there are 2⁶⁴ or more: repetitions,
// next to impossible, are drawn again.
func distinctPaths(x *ddps.Index, n int, rng *rand.Rand) []ddps.Path {
	seen, out := make(map[string]bool, n), make([]ddps.Path, 0, n)
	for len(out) < n {
		if p := x.Sample(rng); !seen[pathKey(p)] {
			seen[pathKey(p)] = true
			out = append(out, p)
		}
	}
	return out
}
