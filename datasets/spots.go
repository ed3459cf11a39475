package datasets

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/kdtree"
)

// spot is a place on the unit sphere: the shorter the chord between two, the less their great-circle distance.
type spot struct {
	at    [3]float64
	place int
}

// newSpot returns the spot of a point in degrees.
func newSpot(lon, lat float64, place int) spot {
	const rad = math.Pi / 180
	sinLat, cosLat := math.Sincos(lat * rad)
	sinLon, cosLon := math.Sincos(lon * rad)
	return spot{[3]float64{cosLat * cosLon, cosLat * sinLon, sinLat}, place}
}

// Compare, Dims and Distance make a spot a kdtree.Comparable; Distance is the square of the chord.
func (s spot) Compare(c kdtree.Comparable, d kdtree.Dim) float64 { return s.at[d] - c.(spot).at[d] }
func (s spot) Dims() int                                         { return len(s.at) }
func (s spot) Distance(c kdtree.Comparable) float64 {
	sum := 0.0
	for d, x := range c.(spot).at {
		sum += (s.at[d] - x) * (s.at[d] - x)
	}
	return sum
}

// metres returns the great-circle distance of a squared chord, and squared the squared chord of a distance.
func metres(chord2 float64) float64 { return 2 * earthRadius * math.Asin(min(1, math.Sqrt(chord2)/2)) }
func squared(metres float64) float64 {
	c := 2 * math.Sin(min(metres/(2*earthRadius), math.Pi/2))
	return c * c
}

// spots is a kdtree.Interface.
type spots []spot

func (s spots) Index(i int) kdtree.Comparable         { return s[i] }
func (s spots) Len() int                              { return len(s) }
func (s spots) Slice(start, end int) kdtree.Interface { return s[start:end] }
func (s spots) Pivot(d kdtree.Dim) int {
	p := plane{s, d}
	return kdtree.Partition(p, kdtree.MedianOfMedians(p))
}

// plane sorts spots by a coordinate.
type plane struct {
	spots
	d kdtree.Dim
}

func (p plane) Less(i, j int) bool                     { return p.spots[i].at[p.d] < p.spots[j].at[p.d] }
func (p plane) Swap(i, j int)                          { p.spots[i], p.spots[j] = p.spots[j], p.spots[i] }
func (p plane) Slice(start, end int) kdtree.SortSlicer { return plane{p.spots[start:end], p.d} }

// nearby is a place and how far it is, in metres.
type nearby struct {
	place  int
	metres float64
}

// spotIndex finds the places near a point by great-circle distance, O(log n).
type spotIndex struct{ tree *kdtree.Tree }

// newSpotIndex indexes places, of which there is one at least.
func newSpotIndex(list []spot) spotIndex {
	return spotIndex{kdtree.New(spots(slices.Clone(list)), false)}
}

// nearest returns the nearest place.
func (x spotIndex) nearest(lon, lat float64) nearby {
	c, chord2 := x.tree.Nearest(newSpot(lon, lat, 0))
	return nearby{c.(spot).place, metres(chord2)}
}
