package page

import (
	"slices"
	"sort"
	"strconv"

	"github.com/ddps-go/ddps/ddps"
)

// size returns the bytes of a set in the file, or a few more.
func (p packed) size() int {
	n := len(p.Text) + p.frame()
	for _, c := range p.Counts {
		n += len(strconv.Itoa(c)) + 1
	}
	return n
}

// frame returns the bytes of a set without its paths, or a few more: a letter may be written in six.
func (p packed) frame() int { return 200 + 6*(len(p.Name)+len(p.Guide)) }

// thin packs the sets so that they take at most room bytes. To that end no set keeps more than so many draws; it
// returns how many they are, and how many draws were left out in all. nil: not even one of each fits.
func thin(g *ddps.LayeredGraph, sets []Set, room int) (out []packed, most, left int) {
	for _, s := range sets {
		out = append(out, pack(g, s))
	}
	each := width(g)*(g.NumLayers()-1) + 2 // bytes of a draw: no more digits of counts than draws
	bytes := func(p packed, most int) int { return min(p.size(), p.frame()+most*each) }
	over := func(most int) bool {
		sum := 0
		for _, p := range out {
			sum += bytes(p, most)
		}
		return sum > room
	}
	if room < 0 || over(1) {
		return nil, 0, 0
	}
	most = sort.Search(room/each, func(n int) bool { return over(n + 1) })
	for i, p := range out {
		if p.size() > p.frame()+most*each {
			out[i] = pack(g, draws(sets[i], p.Total, most, uint64(i)))
			left += p.Total - most
		}
	}
	return out, most, left
}

// draws returns keep < total of the draws that a set counts, each subset with the same chance, of seed number i: their
// ranks among all, by Floyd's method. O(keep log keep + paths).
func draws(s Set, total, keep int, i uint64) Set {
	rng, taken, ranks := ddps.Rand(0, i), make(map[int]bool, keep), make([]int, 0, keep)
	for j := total - keep; j < total; j++ {
		r := rng.IntN(j + 1)
		if taken[r] {
			r = j
		}
		taken[r] = true
		ranks = append(ranks, r)
	}
	slices.Sort(ranks)
	var paths []ddps.Path
	var counts []int
	end := 0
	for k, p := range s.Paths {
		n := 1
		if s.Counts != nil {
			n = s.Counts[k]
		}
		end += n
		kept, _ := slices.BinarySearch(ranks, end)
		if kept > 0 {
			paths, counts = append(paths, p), append(counts, kept)
		}
		ranks = ranks[kept:]
	}
	s.Paths, s.Counts = paths, counts
	return s
}
