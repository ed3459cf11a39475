package geojson

import (
	"encoding/json"
	"slices"
	"strings"
)

// Types returns the types of GeoJSON's objects.
func Types() []string {
	return []string{"FeatureCollection", "Feature", "GeometryCollection", "Point", "MultiPoint", lineString, multiLine,
		"Polygon", "MultiPolygon"}
}

const (
	lineString = "LineString"
	multiLine  = "MultiLineString"
)

// Is reports whether a text begins like GeoJSON: an object whose member type, in what of it is there, is one of its
// types.
func Is(head []byte) bool {
	d := json.NewDecoder(strings.NewReader(strings.TrimLeft(string(head), "\x1e \t\r\n")))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return false
		}
		if key == "elements" { // of Overpass
			return false
		}
		if key == "features" {
			return true
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return false
		}
		if key == "type" {
			var name string
			return json.Unmarshal(value, &name) == nil && slices.Contains(Types(), name)
		}
	}
	return false
}
