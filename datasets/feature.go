package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// NumDistricts and DistrictSeed make the districts of the project's experiments.
const (
	NumDistricts = 8
	DistrictSeed = 0
)

// Districts clusters the places of g by k-means over their coordinates in metres
// (k-means++ start from seed, then Lloyd's rounds until nothing changes) and
// returns the district 0…k-1 of each place: [place], -1 for a place that g
// lacks. Use the graph that holds all places; the result serves its pruned form
// too. Errors: no places with coordinates, k below 1 or above their number.
func Districts(g *ddps.LayeredGraph, k int, seed uint64) ([]int, error) {
	xy, err := placeXY(g)
	if err != nil {
		return nil, fmt.Errorf("datasets: districts: %w", err)
	}
	var have []int
	for a, p := range xy {
		if !math.IsNaN(p[0]) {
			have = append(have, a)
		}
	}
	if k < 1 || k > len(have) {
		return nil, fmt.Errorf("datasets: districts: %d of %d places", k, len(have))
	}
	points := make([][2]float64, len(have))
	for i, a := range have {
		points[i] = xy[a]
	}
	out := make([]int, len(xy))
	for a := range out {
		out[a] = -1
	}
	for i, c := range lloyd(points, plusPlus(points, k, ddps.Rand(seed, 0))) {
		out[have[i]] = c
	}
	return out, nil
}

// plusPlus draws k centres, each next one with odds by the squared distance to
// the centres so far (Arthur and Vassilvitskii 2007).
func plusPlus(points [][2]float64, k int, rng *rand.Rand) [][2]float64 {
	centres := [][2]float64{points[rng.IntN(len(points))]}
	for len(centres) < k {
		sum, far := 0.0, make([]float64, len(points))
		for i, p := range points {
			_, far[i] = closest(p, centres)
			sum += far[i]
		}
		r, pick := rng.Float64()*sum, len(points)-1
		for i, d := range far {
			if r -= d; r < 0 {
				pick = i
				break
			}
		}
		centres = append(centres, points[pick])
	}
	return centres
}

// lloyd moves centres to the means of their points until no point changes; a
// centre without points stays.
func lloyd(points, centres [][2]float64) []int {
	in := make([]int, len(points))
	for round, changed := 0, true; changed && round < 1000; round++ {
		changed = round == 0
		sum, n := make([][2]float64, len(centres)), make([]float64, len(centres))
		for i, p := range points {
			c, _ := closest(p, centres)
			changed = changed || c != in[i]
			in[i] = c
			sum[c][0], sum[c][1], n[c] = sum[c][0]+p[0], sum[c][1]+p[1], n[c]+1
		}
		for c := range centres {
			if n[c] > 0 {
				centres[c] = [2]float64{sum[c][0] / n[c], sum[c][1] / n[c]}
			}
		}
	}
	return in
}

// closest returns the nearest centre and the square of its distance.
func closest(p [2]float64, centres [][2]float64) (c int, d2 float64) {
	d2 = math.Inf(1)
	for i, q := range centres {
		dx, dy := p[0]-q[0], p[1]-q[1]
		if d := dx*dx + dy*dy; d < d2 {
			c, d2 = i, d
		}
	}
	return c, d2
}

// DistrictDistribution returns the joint distribution of (district after three moves, district at
// the end) of weighted paths of g: entry a·k+b for districts a and b, k the
// number of districts (the largest plus one), sum 1. weights has one number ≥ 0
// a path, in any scale; nil weighs all alike. No first-order chain of the places
// gets this distribution right where the data has memory.
//
// Errors: lengths that differ, a weight that is negative or not finite, a sum
// that is not above 0, a path with fewer than three moves, a place without a
// district.
func DistrictDistribution(g *ddps.LayeredGraph, district []int, paths []ddps.Path, weights []float64) ([]float64,
	error) {
	k := numDistricts(district)
	return histogram(g, "district distribution", k*k, paths, weights, func(places []int) (int, error) {
		return districtPair(district, k, places)
	})
}

// numDistricts returns the largest district plus one.
func numDistricts(district []int) int {
	k := 0
	for _, c := range district {
		k = max(k, c+1)
	}
	return k
}

// districtPair returns the entry of DistrictDistribution that a path of these places is in.
func districtPair(district []int, k int, places []int) (int, error) {
	if len(places) <= earlyMoves {
		return 0, fmt.Errorf("%d places, more than %d needed", len(places), earlyMoves)
	}
	a, b := places[earlyMoves], places[len(places)-1]
	if max(a, b) >= len(district) || min(district[a], district[b]) < 0 {
		return 0, fmt.Errorf("place %d or %d has no district", a, b)
	}
	return district[a]*k + district[b], nil
}

// RevisitDistribution returns the distribution of Revisits of weighted paths of g: [rev], L
// entries (L the number of layers), sum 1. weights and errors as in DistrictDistribution.
func RevisitDistribution(g *ddps.LayeredGraph, paths []ddps.Path, weights []float64) ([]float64, error) {
	return histogram(g, "revisit distribution", g.NumLayers(), paths, weights, func(places []int) (int, error) {
		if len(places) == 0 {
			return 0, fmt.Errorf("the graph has no places")
		}
		return Revisits(places), nil
	})
}

// EndDistribution returns the distribution of the last places of weighted paths of g: [place], sum 1. weights and
// errors as in DistrictDistribution.
func EndDistribution(g *ddps.LayeredGraph, paths []ddps.Path, weights []float64) ([]float64, error) {
	return histogram(g, "end distribution", numPlaces(g), paths, weights, func(places []int) (int, error) {
		if len(places) == 0 {
			return 0, fmt.Errorf("the graph has no places")
		}
		return places[len(places)-1], nil
	})
}

// numPlaces returns the greatest place of g plus one.
func numPlaces(g *ddps.LayeredGraph) int { return slices.Max(append([]int{-1}, g.Meta().Place...)) + 1 }

// numQuadrants is the number of pairs of quadrants.
const numQuadrants = 16

// Quadrants returns the distribution of the quadrants, about the start on the principal axes, of the place after three
// moves and of the last place of weighted paths of g: entry 4a+b for quadrants a and b, each 1·(x > 0) + 2·(y > 0), sum
// 1. It is what the rule's tanh terms depend on. weights and errors as in DistrictDistribution.
func (m *Memory) Quadrants(g *ddps.LayeredGraph, paths []ddps.Path, weights []float64) ([]float64, error) {
	return histogram(g, "quadrant distribution", numQuadrants, paths, weights, func(places []int) (int, error) {
		if len(places) != m.places {
			return 0, fmt.Errorf("a path of %d places, expected %d", len(places), m.places)
		}
		return m.quadrants(places), nil
	})
}

// quadrants returns the entry of Quadrants that a path of these places is in.
func (m *Memory) quadrants(places []int) (bin int) {
	for _, a := range []int{places[earlyMoves], places[len(places)-1]} {
		bin *= 4
		if m.xy[a][0] > 0 {
			bin++
		}
		if m.xy[a][1] > 0 {
			bin += 2
		}
	}
	return bin
}

func histogram(g *ddps.LayeredGraph, what string, bins int, paths []ddps.Path, weights []float64,
	bin func([]int) (int, error)) ([]float64, error) {
	weights, sum, err := ddps.Weights(len(paths), weights)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", what, err)
	}
	dist, buf := make([]float64, bins), []int(nil)
	for i, p := range paths {
		buf = Places(buf[:0], g, p)
		b, err := bin(buf)
		if err != nil {
			return nil, fmt.Errorf("datasets: %s: path %d: %w", what, i+1, err)
		}
		dist[b] += weights[i]
	}
	for b := range dist {
		dist[b] /= sum
	}
	return dist, nil
}
