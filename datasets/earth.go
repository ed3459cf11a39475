package datasets

import "math"

// earthRadius is the mean radius of the Earth in metres (IUGG R1).
const earthRadius = 6371008.8

// project returns metres east and north of (lon0, lat0), all in degrees; lon must lie within half a turn of lon0.
func project(lon, lat, lon0, lat0 float64) (x, y float64) {
	const rad = math.Pi / 180
	return earthRadius * (lon - lon0) * rad * math.Cos(lat0*rad), earthRadius * (lat - lat0) * rad
}

// Distance returns the great-circle distance of two nodes in metres.
func Distance(a, b Node) float64 {
	const rad = math.Pi / 180
	s, t := math.Sin((b.Lat-a.Lat)*rad/2), math.Sin((b.Lon-a.Lon)*rad/2)
	h := s*s + math.Cos(a.Lat*rad)*math.Cos(b.Lat*rad)*t*t
	return 2 * earthRadius * math.Asin(math.Sqrt(min(1, h)))
}

// beside returns a longitude moved by a turn, where that is needed, to within half a turn of another.
func beside(lon, other float64) float64 {
	switch d := lon - other; {
	case d > 180:
		return lon - 360
	case d < -180:
		return lon + 360
	}
	return lon
}

// within180 returns a longitude within a turn and a half of 0 as one of −180…180.
func within180(lon float64) float64 { return beside(lon, 0) }

// between returns the point that divides the straight line in degrees from a to b, the short way around the globe.
func between(a, b [2]float64, share float64) [2]float64 {
	lon := beside(b[0], a[0])
	return [2]float64{within180(a[0] + share*(lon-a[0])), a[1] + share*(b[1]-a[1])}
}

// cells files points of the globe by cubes of a width in metres about its centre, so that all points nearer than that to
// one are found in 27 of them, at the poles and on the 180th meridian too.
type cells struct {
	width float64 // of a cube, on the unit sphere
	in    map[[3]int][]int
}

func newCells(metres float64) cells {
	return cells{math.Sqrt(squared(metres)) * (1 + 1e-9), map[[3]int][]int{}}
}

func (c cells) key(s spot) (k [3]int) {
	for d, x := range s.at {
		k[d] = int(math.Floor(x / c.width))
	}
	return k
}

// add files point i.
func (c cells) add(i int, s spot) { c.in[c.key(s)] = append(c.in[c.key(s)], i) }

// near calls f for each point filed that may be nearer to s than the width.
func (c cells) near(s spot, f func(i int)) {
	k := c.key(s)
	for d := range 27 {
		for _, i := range c.in[[3]int{k[0] + d%3 - 1, k[1] + d/3%3 - 1, k[2] + d/9 - 1}] {
			f(i)
		}
	}
}
