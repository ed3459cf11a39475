// Package earth has the geometry of the globe: distances, projections, nearest places, the 180th meridian.
package earth

import "math"

// Radius is the mean radius of the Earth in metres (IUGG R1).
const Radius = 6371008.8

// Project returns metres east and north of (lon0, lat0), all in degrees; lon must lie within half a turn of lon0.
func Project(lon, lat, lon0, lat0 float64) (x, y float64) {
	const rad = math.Pi / 180
	return Radius * (lon - lon0) * rad * math.Cos(lat0*rad), Radius * (lat - lat0) * rad
}

// Distance returns the great-circle distance of two points, in degrees, in metres.
func Distance(lonA, latA, lonB, latB float64) float64 {
	const rad = math.Pi / 180
	s, t := math.Sin((latB-latA)*rad/2), math.Sin((lonB-lonA)*rad/2)
	h := s*s + math.Cos(latA*rad)*math.Cos(latB*rad)*t*t
	return 2 * Radius * math.Asin(math.Sqrt(min(1, h)))
}

// Beside returns a longitude moved by a turn, where that is needed, to within half a turn of another.
func Beside(lon, other float64) float64 {
	switch d := lon - other; {
	case d > 180:
		return lon - 360
	case d < -180:
		return lon + 360
	}
	return lon
}

// Within180 returns a longitude within a turn and a half of 0 as one of −180…180.
func Within180(lon float64) float64 { return Beside(lon, 0) }

// Between returns the point that divides the straight line in degrees from a to b, the short way around the globe.
func Between(a, b [2]float64, share float64) [2]float64 {
	lon := Beside(b[0], a[0])
	return [2]float64{Within180(a[0] + share*(lon-a[0])), a[1] + share*(b[1]-a[1])}
}

// Cells files points of the globe by cubes of a width in metres about its centre, so that all points nearer than that
// to one are found in 27 of them, at the poles and on the 180th meridian too.
type Cells struct {
	width float64 // of a cube, on the unit sphere
	in    map[[3]int][]int
}

// NewCells returns cells of a width.
func NewCells(metres float64) Cells {
	return Cells{math.Sqrt(SquaredChord(metres)) * (1 + 1e-9), map[[3]int][]int{}}
}

func (c Cells) key(s Spot) (k [3]int) {
	for d, x := range s.At {
		k[d] = int(math.Floor(x / c.width))
	}
	return k
}

// Add files point i.
func (c Cells) Add(i int, s Spot) { c.in[c.key(s)] = append(c.in[c.key(s)], i) }

// Near calls f for each point filed that may be nearer to s than the width.
func (c Cells) Near(s Spot, f func(i int)) {
	k := c.key(s)
	for d := range 27 {
		for _, i := range c.in[[3]int{k[0] + d%3 - 1, k[1] + d/3%3 - 1, k[2] + d/9 - 1}] {
			f(i)
		}
	}
}
