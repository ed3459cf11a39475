package datasets_test

import (
	"math"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

// shippedMap is the map that is always here, the streets of Helsinki.osm.pbf.
const shippedMap = "maps/helsinki.osm.pbf"

// TestRightValues holds the readers and the plain expansion to the numbers of an
// independent program: nothing merged or split, waiting everywhere, 10 layers,
// only what the start reaches.
func TestRightValues(t *testing.T) {
	for _, c := range []struct {
		file                   string
		direction              maps.Direction
		start                  string
		nodes, edges, missing  int
		vertices, moves, paths int
	}{
		{shippedMap, maps.AsFile, "1372477605", 6906, 8260, 0, 494, 1288, 243777},
		{"nyc_graph.graphml", maps.AsFile, "42421806", 46, 73, 0, 169, 539, 101591},
		{"denver.graphml", maps.AsFile, "176070171", 377, 1028, 0, 350, 946, 174212},
		{"denver.graphml", maps.Undirected, "176070171", 377, 656, 0, 436, 1435, 668934},
		{"manhattan-lower.overpass.json", maps.AsFile, "42421877", 1257, 1376, 0, 258, 630, 97843},
		{"west-oakland.osm.bz2", maps.AsFile, "53027353", 213, 225, 0, 555, 1458, 249247},
		{"Helsinki.osm.pbf", maps.AsFile, "1372477605", 6906, 8260, 920, 494, 1288, 243777},
		{"helsinki-small.osm.pbf", maps.AsFile, "36156596", 1515, 1664, 471, 594, 1518, 332009},
		{"cairns_gtfs.zip", maps.AsFile, "750000", 416, 495, 0, 55, 90, 512},
		{"sample_gtfs.zip", maps.AsFile, "FUR_CREEK_RES", 9, 15, 0, 34, 75, 4181},
	} {
		t.Run(c.file, func(t *testing.T) {
			path := c.file
			if path != shippedMap {
				path = fixture.SharedMap(t, c.file)
			}
			w := fixture.Must[*maps.World](t)(maps.ReadFile(path, maps.Options{Direction: c.direction}))
			if len(w.Nodes) != c.nodes || len(w.Edges) != c.edges || w.Skipped.Missing != c.missing {
				t.Errorf("%d nodes, %d edges, %d missing, want %d, %d, %d",
					len(w.Nodes), len(w.Edges), w.Skipped.Missing, c.nodes, c.edges, c.missing)
			}
			i, ok := w.FindLabel(c.start)
			if !ok {
				t.Fatalf("no node %s", c.start)
			}
			g := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(w, maps.ExpandOptions{Start: w.Nodes[i].ID, Depth: 10}))
			paths := ddps.NewIndex(g).Count().Int64()
			if g.NumVertices() != c.vertices || g.NumEdges() != c.moves || paths != int64(c.paths) {
				t.Errorf("%d vertices, %d edges, %d paths, want %d, %d, %d",
					g.NumVertices(), g.NumEdges(), paths, c.vertices, c.moves, c.paths)
			}
		})
	}
}

// TestGenerator holds Consolidate to what the generator of Černý et al. 2024 makes
// of two maps with its tolerance of 10 m: within 3% of its number of places. Merge
// is another rule, and its numbers are our own.
func TestGenerator(t *testing.T) {
	for _, c := range []struct {
		file                 string
		theirs, ours, merged int
	}{{"nyc_graph.graphml", 39, 39, 46}, {"denver.graphml", 328, 337, 355}} {
		w := fixture.Must[*maps.World](t)(maps.ReadFile(fixture.SharedMap(t, c.file),
			maps.Options{Direction: maps.Undirected}))
		m := fixture.Must[*maps.World](t)(w.Consolidate(10))
		g := fixture.Must[*ddps.LayeredGraph](t)(maps.Expand(m, maps.ExpandOptions{Start: m.Nodes[0].ID, Depth: 10,
			Dummies: true, All: true}))
		n := len(m.Nodes)
		if math.Abs(float64(n-c.theirs)) > .03*float64(c.theirs) || n != c.ours || g.NumVertices() != 3+10*n {
			t.Errorf("%s: %d places, %d vertices, want %d and 3 more than ten times as many; the generator has %d",
				c.file, n, g.NumVertices(), c.ours, c.theirs)
		}
		if m := fixture.Must[*maps.World](t)(w.Merge(10)); len(m.Nodes) != c.merged {
			t.Errorf("%s: Merge leaves %d places, want %d", c.file, len(m.Nodes), c.merged)
		}
	}
}
