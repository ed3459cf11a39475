package ddps

import (
	"math"
	"slices"
)

// Degrees reports whether XY is longitude and latitude in degrees, which it is unless Attr["crs"] names another system
// than EPSG:4326 or a place is out of range; otherwise pictures take it for metres east and north. False without
// coordinates.
func (m Meta) Degrees() bool {
	if crs := m.Attr["crs"]; m.XY == nil || crs != "" && crs != "EPSG:4326" {
		return false
	}
	for v, xy := range m.XY {
		placed := m.Place == nil || m.Place[v] >= 0
		if placed && !(math.Abs(xy[0]) <= 360 && math.Abs(xy[1]) <= 90) {
			return false
		}
	}
	return true
}

// Unwrapped returns XY such that differences are short: where XY is in degrees (Degrees) and crosses the 180th
// meridian, with the longitudes of places as UnwrapLongitudes returns them; otherwise XY itself.
func (m Meta) Unwrapped() [][2]float64 {
	if !m.Degrees() {
		return m.XY
	}
	lon := make([]float64, len(m.XY))
	for v, xy := range m.XY {
		if lon[v] = xy[0]; m.Place != nil && m.Place[v] < 0 {
			lon[v] = math.NaN()
		}
	}
	out := slices.Clone(m.XY)
	for v, x := range UnwrapLongitudes(lon) {
		if !math.IsNaN(x) {
			out[v][0] = x
		}
	}
	return out
}

// UnwrapLongitudes returns longitudes in degrees, moved by whole turns into the shortest interval that holds them all:
// the widest gap on the circle lies outside. Longitudes within −180…180 whose shortest interval does not cross the
// 180th meridian are returned as they are; 179.9 and −179.9 become 179.9 and 180.1. NaN stays. O(n log n).
func UnwrapLongitudes(lon []float64) []float64 {
	out, sorted := make([]float64, len(lon)), make([]float64, 0, len(lon))
	for i, x := range lon {
		if math.Abs(x) > 180 {
			x = math.Remainder(x, 360)
		}
		if out[i] = x; !math.IsNaN(x) {
			sorted = append(sorted, x)
		}
	}
	if len(sorted) == 0 {
		return out
	}
	slices.Sort(sorted)
	gap, cut := sorted[0]+360-sorted[len(sorted)-1], math.Inf(-1)
	for i, x := range sorted[1:] {
		if d := x - sorted[i]; d > gap {
			gap, cut = d, sorted[i]
		}
	}
	for i, x := range out {
		if x <= cut {
			out[i] = x + 360
		}
	}
	return out
}
