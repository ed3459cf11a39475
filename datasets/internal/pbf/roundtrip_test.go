package pbf

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/osm"
)

// FuzzRoundTrip: what is written is read back; any bytes in a block are read or refused.
func FuzzRoundTrip(f *testing.F) {
	f.Add(uint64(1), "highway", "path", []byte{8, 7})
	f.Fuzz(func(t *testing.T, seed uint64, key, value string, block []byte) {
		rng := rand.New(rand.NewPCG(seed, 0))
		nodes, ways := make([]osm.Node, rng.IntN(5)), make([]osm.Way, rng.IntN(4))
		for i := range nodes {
			nodes[i] = osm.Node{ID: osm.NodeID(rng.Int64() >> rng.IntN(63)), Lat: math.Round((rng.Float64()*180-90)*1e7) / 1e7,
				Lon: math.Round((rng.Float64()*360-180)*1e7) / 1e7}
		}
		for i := range ways {
			ways[i] = osm.Way{ID: osm.WayID(i), Tags: osm.Tags{{Key: key, Value: value}}, Nodes: make(osm.WayNodes, rng.IntN(4))}
			for k := range ways[i].Nodes {
				ways[i].Nodes[k].ID = osm.NodeID(rng.Int64() - rng.Int64())
			}
		}
		var b bytes.Buffer
		if err := Write(&b, "test", nodes, ways); err != nil {
			t.Fatal(err)
		}
		var gotN []osm.Node
		var gotW []osm.Way
		if err := Read(&b, func(n *osm.Node) { gotN = append(gotN, *n) },
			func(w *osm.Way) { gotW = append(gotW, *w) }); err != nil {
			t.Fatal(err)
		}
		sameN := func(a, b osm.Node) bool {
			return a.ID == b.ID && math.Abs(a.Lat-b.Lat) < 1e-9 && math.Abs(a.Lon-b.Lon) < 1e-9 && b.Visible
		}
		sameW := func(a, b osm.Way) bool {
			return a.ID == b.ID && slices.Equal(a.Tags, b.Tags) && slices.EqualFunc(a.Nodes, b.Nodes,
				func(x, y osm.WayNode) bool { return x.ID == y.ID })
		}
		if !slices.EqualFunc(nodes, gotN, sameN) || !slices.EqualFunc(ways, gotW, sameW) {
			t.Errorf("%v, %v, want %v, %v", gotN, gotW, nodes, ways)
		}
		header := raw("OSMHeader", appendBytes(nil, 4, []byte("LocationsOnWays")), 0)
		// any result but a panic
		Read(bytes.NewReader(slices.Concat(header, raw("OSMData", group(3, block), 0))), func(*osm.Node) {},
			func(*osm.Way) {})
	})
}
