package earth

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/kdtree"
)

// Spot is a place on the unit sphere: the shorter the chord between two, the less their great-circle distance.
type Spot struct {
	At    [3]float64
	Place int
}

// NewSpot returns the spot of a point in degrees.
func NewSpot(lon, lat float64, place int) Spot {
	const rad = math.Pi / 180
	sinLat, cosLat := math.Sincos(lat * rad)
	sinLon, cosLon := math.Sincos(lon * rad)
	return Spot{[3]float64{cosLat * cosLon, cosLat * sinLon, sinLat}, place}
}

// Compare makes a spot a kdtree.Comparable, with Dims and Distance.
func (s Spot) Compare(c kdtree.Comparable, d kdtree.Dim) float64 { return s.At[d] - c.(Spot).At[d] }

// Dims returns 3.
func (s Spot) Dims() int { return len(s.At) }

// Distance returns the square of the chord.
func (s Spot) Distance(c kdtree.Comparable) float64 {
	sum := 0.0
	for d, x := range c.(Spot).At {
		sum += (s.At[d] - x) * (s.At[d] - x)
	}
	return sum
}

// Metres returns the great-circle distance of a squared chord.
func Metres(chord2 float64) float64 { return 2 * Radius * math.Asin(min(1, math.Sqrt(chord2)/2)) }

// SquaredChord returns the squared chord of a great-circle distance.
func SquaredChord(metres float64) float64 {
	c := 2 * math.Sin(min(metres/(2*Radius), math.Pi/2))
	return c * c
}

// spots is a kdtree.Interface.
type spots []Spot

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

func (p plane) Less(i, j int) bool                     { return p.spots[i].At[p.d] < p.spots[j].At[p.d] }
func (p plane) Swap(i, j int)                          { p.spots[i], p.spots[j] = p.spots[j], p.spots[i] }
func (p plane) Slice(start, end int) kdtree.SortSlicer { return plane{p.spots[start:end], p.d} }

// Nearby is a place and how far it is, in metres.
type Nearby struct {
	Place  int
	Metres float64
}

// Index finds the places near a point by great-circle distance, O(log n).
type Index struct{ tree *kdtree.Tree }

// NewIndex indexes places, of which there is one at least.
func NewIndex(list []Spot) Index {
	return Index{kdtree.New(spots(slices.Clone(list)), false)}
}

// Nearest returns the nearest place.
func (x Index) Nearest(lon, lat float64) Nearby {
	c, chord2 := x.tree.Nearest(NewSpot(lon, lat, 0))
	return Nearby{c.(Spot).Place, Metres(chord2)}
}
