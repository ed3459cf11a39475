package ddps

import (
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
)

// Path is a path (v¹, …, vᴸ), one vertex per layer, consecutive ones joined by an edge (paper, Definition 2).
type Path []int

// Check returns a *PathError that names the first position at which p is not a path of g.
func (g *LayeredGraph) Check(p Path) error {
	if len(p) != g.NumLayers() {
		return &PathError{Position: min(len(p), g.NumLayers()-1),
			Detail: fmt.Sprintf("%d vertices for %d layers", len(p), g.NumLayers())}
	}
	return g.CheckBeginning(p)
}

// CheckBeginning is Check for the first vertices of a path.
func (g *LayeredGraph) CheckBeginning(p Path) error {
	if len(p) > g.NumLayers() {
		return &PathError{Position: g.NumLayers(), Detail: fmt.Sprintf("%d vertices for %d layers", len(p), g.NumLayers())}
	}
	for l, v := range p {
		if lo, hi := g.Layer(l); v < lo || v >= hi {
			return &PathError{Position: l, Detail: fmt.Sprintf("vertex number %d is not in layer %d", v, l+1)}
		}
		if l == 0 {
			continue
		}
		if _, ok := g.EdgeBetween(p[l-1], v); !ok {
			return &PathError{Position: l, Detail: fmt.Sprintf("no edge from %s to %s", g.Name(p[l-1]), g.Name(v))}
		}
	}
	return nil
}

// PathEdges appends to dst the numbers of p's L−1 edges. The error is a *PathError if p is no path of g.
func (g *LayeredGraph) PathEdges(dst []int, p Path) ([]int, error) {
	if err := g.Check(p); err != nil {
		return dst, err
	}
	for l := 1; l < len(p); l++ {
		e, _ := g.EdgeBetween(p[l-1], p[l])
		dst = append(dst, e)
	}
	return dst, nil
}

// Paths enumerates all paths lazily, in lexicographic order of out-edge positions. Each path yielded is the
// caller's own. Memory O(L); there may be very many: see Index.Count.
func (g *LayeredGraph) Paths() iter.Seq[Path] {
	return func(yield func(Path) bool) {
		L := g.NumLayers()
		p := make(Path, L)
		slot := make([]int, L) // next out-edge to try at each layer
		for l := 0; l >= 0; {
			if l == L-1 {
				if !yield(append(Path(nil), p...)) {
					return
				}
				l--
				continue
			}
			if slot[l] == g.Degree(p[l]) {
				slot[l] = 0
				l--
				continue
			}
			p[l+1] = g.From(p[l])[slot[l]]
			slot[l]++
			l++
		}
	}
}

// Index counts paths and numbers them 0…Count−1 in the order of Paths, without enumerating them. All numbers
// are exact. An Index never changes and may be shared by goroutines.
type Index struct {
	g     *LayeredGraph
	count []*big.Int // [V] number of paths from v to the last layer
}

// NewIndex counts the paths from every vertex of g. O(E) additions of big integers.
func NewIndex(g *LayeredGraph) *Index {
	x := &Index{g: g, count: make([]*big.Int, g.NumVertices())}
	last, _ := g.Layer(g.NumLayers() - 1)
	for v := g.NumVertices() - 1; v >= 0; v-- {
		n := new(big.Int)
		if v >= last {
			n.SetInt64(1)
		}
		for _, w := range g.From(v) {
			n.Add(n, x.count[w])
		}
		x.count[v] = n
	}
	return x
}

// NumPaths returns the number of paths of g, exactly, and keeps the numbers of two layers alone: memory is O(W·L), for
// layers of at most W vertices, where that of an Index is O(V·L). O(E) additions of big integers.
func NumPaths(g *LayeredGraph) *big.Int {
	lo, hi := g.Layer(g.NumLayers() - 1)
	next := make([]*big.Int, hi-lo)
	for i := range next {
		next[i] = big.NewInt(1)
	}
	for l := g.NumLayers() - 2; l >= 0; l-- {
		first := lo
		lo, hi = g.Layer(l)
		here := make([]*big.Int, hi-lo)
		for v := lo; v < hi; v++ {
			here[v-lo] = new(big.Int)
			for _, w := range g.From(v) {
				here[v-lo].Add(here[v-lo], next[w-first])
			}
		}
		next = here
	}
	return next[0]
}

// Count returns the number of paths of the graph (NumPaths without an Index). The caller owns the result.
func (x *Index) Count() *big.Int { return x.CountFrom(0) }

// CountFrom returns the number of ways from v to the last layer. The caller owns the result.
func (x *Index) CountFrom(v int) *big.Int { return new(big.Int).Set(x.count[v]) }

// At returns path number n. The error says so if n is not in 0…Count−1. O(L·D).
func (x *Index) At(n *big.Int) (Path, error) {
	if n.Sign() < 0 || n.Cmp(x.count[0]) >= 0 {
		return nil, fmt.Errorf("ddps: path number %v is not in 0…%v", n, new(big.Int).Sub(x.count[0], big.NewInt(1)))
	}
	n = new(big.Int).Set(n)
	p := make(Path, 1, x.g.NumLayers())
	for len(p) < x.g.NumLayers() {
		for _, w := range x.g.From(p[len(p)-1]) {
			if n.Cmp(x.count[w]) < 0 {
				p = append(p, w)
				break
			}
			n.Sub(n, x.count[w])
		}
	}
	return p, nil
}

// Rank returns the number of p, so that At(Rank(p)) is p. The error is a *PathError if p is no path. O(L·D).
func (x *Index) Rank(p Path) (*big.Int, error) {
	if err := x.g.Check(p); err != nil {
		return nil, err
	}
	n := new(big.Int)
	for l := range len(p) - 1 {
		for _, w := range x.g.From(p[l]) {
			if w == p[l+1] {
				break
			}
			n.Add(n, x.count[w])
		}
	}
	return n, nil
}

// Sample draws one of all paths, each with the same probability, exactly.
func (x *Index) Sample(rng *rand.Rand) Path {
	p, _ := x.At(uniformBig(x.count[0], rng)) // in range by construction
	return p
}

// uniformBig draws uniformly from 0…n−1 by rejection.
func uniformBig(n *big.Int, rng *rand.Rand) *big.Int {
	if n.IsUint64() {
		return new(big.Int).SetUint64(rng.Uint64N(n.Uint64()))
	}
	bits := uint(n.BitLen())
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1))
	for {
		r, word := new(big.Int), new(big.Int)
		for range (bits + 63) / 64 {
			r.Or(r.Lsh(r, 64), word.SetUint64(rng.Uint64()))
		}
		if r.And(r, mask); r.Cmp(n) < 0 {
			return r
		}
	}
}
