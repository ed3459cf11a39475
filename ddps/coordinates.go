package ddps

import "math"

// Degrees tells whether XY is longitude and latitude in degrees, which it is unless Attr["crs"] names another system than
// EPSG:4326 or a place is out of range; otherwise pictures take it for metres east and north. False without coordinates.
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
