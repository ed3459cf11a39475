package datasets

import (
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/ddps"
)

// maxPlaces bounds the numbers of places, which index tables: other numbers (a map's own, say) are names.
const maxPlaces = 1 << 26

// placeXY returns the places of g in metres, [place], NaN for those that g lacks.
// The plane is the one of NewWorld, about the mean of the places.
func placeXY(g *ddps.LayeredGraph) ([][2]float64, error) {
	m := g.Meta()
	if m.Place == nil || m.XY == nil || m.Attr["crs"] != "EPSG:4326" {
		return nil, errors.New("the graph has no places with longitude and latitude")
	}
	var xy [][2]float64
	for v, a := range m.Place {
		if a >= maxPlaces {
			return nil, fmt.Errorf("vertex %d: place %d is not below %d", v, a, maxPlaces)
		}
		for len(xy) <= a {
			xy = append(xy, [2]float64{math.NaN(), math.NaN()})
		}
		if a >= 0 {
			xy[a] = m.XY[v]
		}
	}
	if len(xy) == 0 {
		return nil, errors.New("the graph has no places")
	}
	lon := make([]float64, len(xy))
	for a, p := range xy {
		lon[a] = p[0]
	}
	for a, x := range ddps.UnwrapLongitudes(lon) {
		xy[a][0] = x
	}
	mean := meanOf(xy)
	for a, p := range xy {
		xy[a][0], xy[a][1] = earth.Project(p[0], p[1], mean[0], mean[1])
	}
	return xy, nil
}

// meanOf returns the mean of the points that are not NaN.
func meanOf(xy [][2]float64) (mean [2]float64) {
	n := 0.0
	for _, p := range xy {
		if !math.IsNaN(p[0]) {
			mean[0], mean[1], n = mean[0]+p[0], mean[1]+p[1], n+1
		}
	}
	return [2]float64{mean[0] / n, mean[1] / n}
}

// principal returns the points on the principal axes of their covariance, the
// axis of the larger variance first and pointing east, with the origin at start.
func principal(xy [][2]float64, start int) [][2]float64 {
	mean := meanOf(xy)
	var xx, xz, zz float64
	for _, p := range xy {
		if dx, dy := p[0]-mean[0], p[1]-mean[1]; !math.IsNaN(dx) {
			xx, xz, zz = xx+dx*dx, xz+dx*dy, zz+dy*dy
		}
	}
	// The angle of the first axis of [[xx xz] [xz zz]], in -π/2…π/2.
	sin, cos := math.Sincos(math.Atan2(2*xz, xx-zz) / 2)
	out := make([][2]float64, len(xy))
	for a, p := range xy {
		dx, dy := p[0]-xy[start][0], p[1]-xy[start][1]
		out[a] = [2]float64{cos*dx + sin*dy, cos*dy - sin*dx}
	}
	return out
}
