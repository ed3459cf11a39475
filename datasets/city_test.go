package datasets

import (
	"bytes"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

func TestCity(t *testing.T) {
	w := fixture.Must[*maps.World](t)(City(40, 3))
	edge := map[[2]int]bool{}
	for _, e := range w.Edges {
		edge[[2]int{e.From, e.To}] = true
		if e.Length < 40 || e.Length > 200 {
			t.Fatalf("a street of %v m", e.Length)
		}
	}
	oneWay, diagonal := 0, 0
	for e := range edge {
		if !edge[[2]int{e[1], e[0]}] {
			oneWay++
		}
		a, b := w.Nodes[e[0]].ID, w.Nodes[e[1]].ID
		if a/40 != b/40 && a%40 != b%40 {
			diagonal++
		}
	}
	// 1,600 crossings, 6% parks; about 3,120 · .94² · .95 pieces; two directions but for a quarter.
	if n := len(w.Nodes); n < 1450 || n > 1550 || !w.Directed || w.Skipped != (maps.Skipped{}) {
		t.Errorf("%d crossings, %+v", n, w.Skipped)
	}
	if len(edge) < 4200 || len(edge) > 5200 || oneWay < 300 || oneWay > 1100 || diagonal < 120 || diagonal > 300 {
		t.Errorf("%d edges, %d one way, %d diagonal", len(edge), oneWay, diagonal)
	}
	if _, ok := w.Find(20*40 + 20); !ok {
		t.Error("no crossing in the middle")
	}
	for _, side := range []int{-1, 1, maxCity + 1} {
		_, err := City(side, 0)
		fixture.WantError(t, "side", err, "crossings a side, expected 2…1000")
	}
}

func TestCityGraph(t *testing.T) {
	var a, b, c bytes.Buffer
	for out, seed := range map[*bytes.Buffer]uint64{&a: 1, &b: 1, &c: 2} {
		g := fixture.Must[*ddps.LayeredGraph](t)(CityGraph(9, seed))
		if _, err := g.WriteTo(out); err != nil {
			t.Fatal(err)
		}
	}
	if a.String() != b.String() || a.String() == c.String() {
		t.Error("seeds do not tell graphs apart")
	}
	g := fixture.Must[*ddps.LayeredGraph](t)(CityGraph(12, 0))
	if n := g.NumVertices(); n < 700 || n > 1400 || g.Prune().NumVertices() != n || g.Meta().Attr["name"] != "City" {
		t.Errorf("%d vertices", n)
	}
	_, err := CityGraph(301, 0)
	fixture.WantError(t, "depth", err, "depth 301, expected 2…300")
}
