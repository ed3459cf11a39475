package metrics

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// Support is a finite set of outcomes in ascending order; an outcome's place in it is its index in every distribution.
// K is a path's [Key], or a feature of a path: a district, a number of revisits, a struct's string.
type Support[K cmp.Ordered] struct {
	keys  []K
	index map[K]int
}

// NewSupport returns the union of the samples as a support. It may be empty. O(n log n).
func NewSupport[K cmp.Ordered](samples ...[]K) *Support[K] {
	s := &Support[K]{index: map[K]int{}}
	for _, sample := range samples {
		for _, k := range sample {
			if _, ok := s.index[k]; !ok {
				s.index[k] = 0
				s.keys = append(s.keys, k)
			}
		}
	}
	slices.Sort(s.keys)
	for i, k := range s.keys {
		s.index[k] = i
	}
	return s
}

// Len returns the number of outcomes.
func (s *Support[K]) Len() int { return len(s.keys) }

// Key returns the i-th outcome, i in 0…Len−1.
func (s *Support[K]) Key(i int) K { return s.keys[i] }

// Index returns k's index, and whether the support has k.
func (s *Support[K]) Index(k K) (int, bool) {
	i, ok := s.index[k]
	return i, ok
}

// Distribution returns the normalised histogram of a sample over the support, [Len]. weights has a number ≥ 0 for every
// element, nil means equal weights. The error is ErrEmpty for no sample, ErrLength, ErrValue or ErrMass for bad
// weights, and ErrOutside (with the element's number) for an outcome that the support lacks.
func (s *Support[K]) Distribution(sample []K, weights []float64) ([]float64, error) {
	w, err := normalWeights(len(sample), weights)
	if err != nil {
		return nil, err
	}
	dist := make([]float64, len(s.keys))
	for n, k := range sample {
		i, ok := s.index[k]
		if !ok {
			return nil, &DistributionError{ErrOutside, "sample", n, w[n]}
		}
		dist[i] += w[n]
	}
	return dist, nil
}

// Key returns p as a string whose order is the lexicographic order of paths: four bytes per vertex.
func Key(p ddps.Path) string {
	b := make([]byte, 0, 4*len(p))
	for _, v := range p {
		b = binary.BigEndian.AppendUint32(b, uint32(v))
	}
	return string(b)
}

// PathOf returns the path of a [Key].
func PathOf(key string) ddps.Path {
	p := make(ddps.Path, len(key)/4)
	for i := range p {
		p[i] = int(binary.BigEndian.Uint32([]byte(key[4*i:])))
	}
	return p
}

// Keys returns the keys of paths in their order.
func Keys(paths []ddps.Path) []string {
	keys := make([]string, len(paths))
	for i, p := range paths {
		keys[i] = Key(p)
	}
	return keys
}

// PathSupport returns the support of all paths of a sequence, an enumeration such as LayeredGraph.Paths. Paths
// that no sample visits then count, which changes SFD and nothing else. It holds every path: 4·L bytes each.
func PathSupport(paths iter.Seq[ddps.Path]) *Support[string] {
	var keys []string
	for p := range paths {
		keys = append(keys, Key(p))
	}
	return NewSupport(keys)
}

// Align returns the union of the samples' paths and each sample's distribution over it, in the samples' order: the
// distributions that the distances take. Errors as for Distribution.
func Align(samples ...Sample) (*Support[string], [][]float64, error) {
	keys := make([][]string, len(samples))
	for i, s := range samples {
		keys[i] = Keys(s.Paths)
	}
	support := NewSupport(keys...)
	dists := make([][]float64, len(samples))
	for i, s := range samples {
		dist, err := support.Distribution(keys[i], s.Weights)
		if err != nil {
			return nil, nil, err
		}
		dists[i] = dist
	}
	return support, dists, nil
}
