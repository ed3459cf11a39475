package overpass

import (
	"strings"
	"testing"

	"github.com/paulmach/osm"
)

// Wherever an answer is cut off, that is what the error says.
func TestReadCut(t *testing.T) {
	const text = `{"version": 0.6, "osm3s": {"copyright": "\u00a9"}, "elements": [
 {"type": "node", "id": 1, "lat": 60, "lon": -2.4e1},
 {"type": "way", "id": 7, "nodes": [1, 1], "tags": {"highway": "path"}, "other": [true, null]}
], "remark": ""}`
	read := func(text string) error {
		return Read(strings.NewReader(text), func(*osm.Node) {}, func(*osm.Way) {})
	}
	if err := read(text); err != nil {
		t.Fatal(err)
	}
	for n := range len(text) {
		if err := read(text[:n]); err == nil || !strings.HasSuffix(err.Error(), ": the file ends too early") {
			t.Errorf("%s: error %v", text[:n], err)
		}
	}
}

// TestRepeatedKeys: which of the values of a key that stands twice is meant cannot be known.
func TestRepeatedKeys(t *testing.T) {
	for text, want := range map[string]string{
		`{"elements":[],"elements":[]}`: `key "elements" twice`,
		`{"elements":[{"type":"node","id":1,"lat":1,"lon":2,"lat":3}]}`: `elements[0] (node 1): an object has the key ` +
			`"lat" twice`,
		`{"elements":[{"type":"way","id":1,"tags":{"name":"A","name":"B"}}]}`:     `key "name" twice`,
		`{"elements":[{"type":"way","id":1,"nodes":[1],"tags":{"a":"","A":""}}]}`: "",
	} {
		err := Read(strings.NewReader(text), func(*osm.Node) {}, func(*osm.Way) {})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestGeoJSON: the error says what the file is, wherever its type stands.
func TestGeoJSON(t *testing.T) {
	for text, geo := range map[string]bool{
		`{"type":"FeatureCollection","features":[]}`:                true,
		`{"coordinates":[[1,2],[3,4]],"type":"LineString"}`:         true,
		`{"type":7,"features":[]}`:                                  false,
		`{"type":"Topology","objects":{"a":{"type":"LineString"}}}`: false,
	} {
		err := Read(strings.NewReader(text), func(*osm.Node) {}, func(*osm.Way) {})
		if err == nil || geo != strings.HasPrefix(err.Error(), "the file is GeoJSON, which is a format of its own") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
