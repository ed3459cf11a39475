package pbf

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/osm"
)

func TestRoundTrip(t *testing.T) {
	nodes := []osm.Node{{ID: 5, Lat: 60.1234567, Lon: -24.7654321}, {ID: 3, Lat: -0.5, Lon: 179.9999999}}
	ways := []osm.Way{
		{ID: 9, Tags: osm.Tags{{Key: "highway", Value: "path"}, {Key: "name", Value: "Ä, ü"}}, Nodes: osm.WayNodes{{ID: 5},
			{ID: 3}, {ID: 5}}},
		{ID: 1 << 40, Nodes: osm.WayNodes{{ID: -7}}},
	}
	var b bytes.Buffer
	if err := Write(&b, "test", nodes, ways); err != nil {
		t.Fatal(err)
	}
	var gotN []osm.Node
	var gotW []osm.Way
	err := Read(&b, func(n *osm.Node) { gotN = append(gotN, *n) }, func(w *osm.Way) { gotW = append(gotW, *w) })
	if err != nil || len(gotN) != 2 || len(gotW) != 2 {
		t.Fatalf("%d nodes, %d ways, %v", len(gotN), len(gotW), err)
	}
	for i, n := range nodes {
		if g := gotN[i]; g.ID != n.ID || math.Abs(g.Lat-n.Lat) > 1e-9 || math.Abs(g.Lon-n.Lon) > 1e-9 {
			t.Errorf("node %+v, want %+v", g, n)
		}
	}
	for i, w := range ways {
		g := gotW[i]
		same := func(a, b osm.WayNode) bool { return a.ID == b.ID }
		if g.ID != w.ID || !slices.Equal(g.Tags, w.Tags) || !slices.EqualFunc(g.Nodes, w.Nodes, same) {
			t.Errorf("way %+v, want %+v", g, w)
		}
	}
}

// raw makes an uncompressed block; size, if not 0, is the size it states.
func raw(kind string, data []byte, size uint64) []byte {
	blob := appendBytes(nil, 1, data)
	if size == 0 {
		size = uint64(len(blob))
	}
	head := appendVarint(appendBytes(nil, 1, []byte(kind)), 3, size)
	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(head))), head, blob)
}

func group(tag int, message []byte) []byte {
	table := appendBytes(nil, 1, appendBytes(appendBytes(nil, 1, nil), 1, []byte("highway")))
	return appendBytes(table, 2, appendBytes(nil, tag, message))
}

func TestReadErrors(t *testing.T) {
	header := raw("OSMHeader", appendBytes(nil, 4, []byte("OsmSchema-V0.6")), 0)
	way := appendBytes(appendBytes(appendVarint(nil, 1, 8), 2, []byte{1}), 3, []byte{9})
	keys := appendBytes(appendVarint(nil, 1, 8), 2, []byte{1})
	dense := appendBytes(nil, 1, []byte{2, 2})
	lats := appendBytes(appendBytes(nil, 1, []byte{2}), 8, []byte{2})
	open := appendBytes(appendBytes(lats, 9, []byte{2}), 10, []byte{1})
	for _, c := range []struct {
		what string
		data []byte
		want string
	}{
		{"empty", nil, "block at byte 0: empty file"},
		{"no header", raw("OSMData", nil, 0), "starts with a block"},
		{"two headers", slices.Concat(header, header), "a second OSMHeader"},
		{"feature", raw("OSMHeader", appendBytes(nil, 4, []byte("Sort.Type")), 0), "required feature"},
		{"history", raw("OSMHeader", appendBytes(nil, 4, []byte("HistoricalInformation")), 0), "the file is a history"},
		{"places", slices.Concat(header, raw("OSMData", group(3, appendBytes(appendBytes(nil, 8, []byte{2, 2}), 9,
			[]byte{2})), 0)), "way 0: 2 nodes, 1 latitudes, 0 longitudes"},
		{"huge header", []byte{0xff, 0, 0, 0}, "header of"},
		{"huge block", raw("OSMHeader", nil, 1<<30), "expected at most"},
		{"negative size", raw("OSMHeader", nil, math.MaxUint64), "expected at most"},
		{"short block", raw("OSMHeader", nil, 100), "ends within the block"},
		{"string index", slices.Concat(header, raw("OSMData", group(3, way), 0)), "way 8: string 9"},
		{"keys", slices.Concat(header, raw("OSMData", group(3, keys), 0)), "way 8: 1 keys and 0 values"},
		{"latitudes", slices.Concat(header, raw("OSMData", group(2, dense), 0)), "2 ids, 0 latitudes"},
		{"tags", slices.Concat(header, raw("OSMData", group(2, open), 0)), "node 1: its list of tags has no end"},
		{"message", slices.Concat(header, raw("OSMData", []byte{0x0a, 0x7f}, 0)), "message cut short"},
	} {
		err := Read(bytes.NewReader(c.data), func(*osm.Node) {}, func(*osm.Way) {})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.what, err, c.want)
		}
	}
}

func TestPlainNodes(t *testing.T) {
	node := appendVarint(nil, 1, unzigzag(-4))
	node = appendVarint(appendVarint(node, 8, unzigzag(600000000)), 9, unzigzag(-10000000))
	data := raw("OSMData", group(1, node), 0)
	data = slices.Concat(raw("OSMHeader", nil, 0), raw("Unknown", []byte("x"), 0), data)
	n := 0
	err := Read(bytes.NewReader(data), func(o *osm.Node) {
		n++
		if o.ID != -4 || o.Lat != 60 || o.Lon != -1 {
			t.Errorf("%+v", o)
		}
	}, nil)
	if n != 1 || err != nil {
		t.Errorf("%d nodes, %v", n, err)
	}
}
