package sequences

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// taken draws which of walks that stand counts times are taken: round(frac·total) of all, at least one and not all of
// two or more, each set as likely as any other (selection sampling: Knuth, The Art of Computer Programming, vol. 2,
// 3.4.2, Algorithm S). It returns how many are taken of each. It panics if frac is not in 0…1.
// O(total), with one random number a walk.
func taken(counts []int, frac float64, seed uint64) []int {
	if !(frac >= 0 && frac <= 1) {
		panic(fmt.Sprintf("sequences: split: fraction %v is not in 0…1", frac))
	}
	left := 0
	for _, c := range counts {
		left += c
	}
	want := int(math.Round(frac * float64(left)))
	if left > 1 && frac > 0 {
		want = min(max(want, 1), left-1)
	}
	take, rng := make([]int, len(counts)), ddps.Rand(seed, 0)
	for i, c := range counts {
		for ; c > 0 && want > 0; c-- {
			if rng.Float64()*float64(left) < float64(want) {
				take[i]++
				want--
			}
			left--
		}
	}
	return take
}

// SplitWalks splits data by walk: about the fraction frac of the walks, drawn from seed, goes to test and the others
// to train, whatever path they are of, so that equal walks may be in both. Both parts keep the order of d and share
// its paths. A part is nil if it has no walk. It panics if frac is not in 0…1.
func SplitWalks(d *datasets.Data, frac float64, seed uint64) (train, test *datasets.Data) {
	train, test = &datasets.Data{Graph: d.Graph}, &datasets.Data{Graph: d.Graph}
	counts := make([]int, len(d.Paths))
	for i := range counts {
		counts[i] = d.Count(i)
	}
	for i, n := range taken(counts, frac, seed) {
		put := func(to *datasets.Data, n int) {
			if n > 0 {
				to.Paths, to.Counts = append(to.Paths, d.Paths[i]), append(to.Counts, n)
			}
		}
		put(test, n)
		put(train, counts[i]-n)
	}
	return some(train), some(test)
}

// some returns data that has a path, else nil.
func some(d *datasets.Data) *datasets.Data {
	if len(d.Paths) == 0 {
		return nil
	}
	return d
}

// Split is SplitWalks for walks, row by row. The parts share w's tokens.
func (w *Walks) Split(frac float64, seed uint64) (train, test *Walks) {
	part := func() *Walks {
		return &Walks{Tokens: w.Tokens, id: w.id, first: []int{0}}
	}
	train, test = part(), part()
	for i, n := range taken(w.counts, frac, seed) {
		put := func(to *Walks, n int) {
			if n == 0 {
				return
			}
			file, line := w.Where(i)
			if k := len(to.files); file != "" && (k == 0 || to.files[k-1].name != file) {
				to.files = append(to.files, segment{file, to.Len()})
			}
			to.add(w.At(i), n, line)
		}
		put(test, n)
		put(train, w.counts[i]-n)
	}
	return train, test
}

// KnownWalks returns how many of test's walks are of paths that train has, and how many there are. The graphs must be
// the same.
func KnownWalks(train, test *datasets.Data) (known, total int) {
	p := newPaths(train.Graph)
	walk := make([]int32, train.Graph.NumLayers())
	key := func(path ddps.Path) []int32 {
		for l, v := range path {
			walk[l] = int32(v)
		}
		return walk
	}
	for i, path := range train.Paths {
		if _, ok := p.find(key(path)); !ok {
			p.add(train.Count(i))
		}
	}
	for i, path := range test.Paths {
		total += test.Count(i)
		if _, ok := p.find(key(path)); ok {
			known += test.Count(i)
		}
	}
	return known, total
}
