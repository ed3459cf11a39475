package datasets

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// shared returns the path of a file of the folder of real maps that lies beside
// the module, or in $DDPS_SHARED, and skips the test where there is none.
func shared(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("DDPS_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	path := filepath.Join(dir, "data", "maps", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the real map %s is not here: %v (set DDPS_SHARED)", name, err)
	}
	return path
}

// crossXML is a small map: a street 1–2–3, one across 4–2–5 (one way, 4 to 5), a
// loop, a repeated piece, a piece that leads out of the file, a river.
const crossXML = `<?xml version="1.0"?>
<osm version="0.6">
 <node id="1" lat="60.0000" lon="24.0000"/>
 <node id="2" lat="60.0000" lon="24.0010"/>
 <node id="3" lat="60.0000" lon="24.0030"/>
 <node id="4" lat="60.0010" lon="24.0010"/>
 <node id="5" lat="59.9990" lon="24.0010"/>
 <node id="6" lat="61.0000" lon="25.0000"/>
 <way id="10"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="99"/><tag k="highway" v="residential"/></way>
 <way id="11"><nd ref="4"/><nd ref="2"/><nd ref="5"/><tag k="highway" v="footway"/><tag k="oneway" v="yes"/></way>
 <way id="12"><nd ref="2"/><nd ref="1"/><nd ref="1"/><tag k="highway" v="service"/></way>
 <way id="13"><nd ref="1"/><nd ref="6"/><tag k="waterway" v="river"/></way>
</osm>
`

func cross(t testing.TB, o MapOptions) *World {
	t.Helper()
	w, err := ReadMap("cross.osm", strings.NewReader(crossXML), o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// wantError fails unless err has every one of the parts in its text.
func wantError(t testing.TB, what string, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want one with %q", what, parts)
		return
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("%s: error %q lacks %q", what, err, p)
		}
	}
}

// must returns v or fails the test.
func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// full returns a graph from layers of sizes with all edges.
func full(t testing.TB, sizes ...int) *ddps.LayeredGraph {
	t.Helper()
	var heads [][]int
	for l, n := range sizes {
		first := len(heads) + n
		for range n {
			var next []int
			for k := 0; l+1 < len(sizes) && k < sizes[l+1]; k++ {
				next = append(next, first+k)
			}
			heads = append(heads, next)
		}
	}
	return must[*ddps.LayeredGraph](t)(ddps.New(sizes, heads))
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
