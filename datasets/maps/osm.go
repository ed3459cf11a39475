package maps

import (
	"bufio"
	"cmp"
	"compress/bzip2"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/internal/names"

	"github.com/paulmach/osm"

	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/datasets/internal/osmxml"
	"github.com/ddps-go/ddps/datasets/internal/overpass"
	"github.com/ddps-go/ddps/datasets/internal/pbf"
)

// osmLicence and osmCredit go with all that OpenStreetMap's data are made into.
const (
	osmLicence = "ODbL 1.0"
	osmCredit  = "© OpenStreetMap contributors"
)

// readStreets makes a world of the ways of an OpenStreetMap file that have a tag
// highway: a node for each point of them that lies on a piece of street, an edge
// for each piece. Nodes are in ascending order of their OSM id.
func readStreets(r io.Reader, o Options) (*World, error) {
	f, err := readOSM(r, o.Format)
	if err != nil {
		return nil, err
	}
	var streets []street
	bare, others, unbuilt, oneWay := 0, 0, 0, 0
	for _, w := range f.ways {
		if !o.Network.has(w.Tags.Find("highway")) {
			others++
			continue
		}
		if slices.Contains(notThere, w.Tags.Find("highway")) {
			unbuilt++
		}
		if len(w.Nodes) == 0 {
			bare++
			continue
		}
		if forth, back := directions(w, true); forth != back {
			oneWay++
		}
		streets = append(streets, newStreet(w, o.Direction == Directed))
	}
	if bare > 0 && len(streets) == 0 {
		return nil, fmt.Errorf("no street: none of %d ways with a highway tag has nodes (of Overpass ask for `out geom`)",
			bare)
	}
	if len(streets) == 0 && others > 0 {
		return nil, fmt.Errorf("no street: none of %d ways with a highway tag is of the network %s", len(f.ways), o.Network)
	}
	w, err := fromStreets(f.coords, streets, o.Direction == Directed)
	if err != nil {
		return nil, err
	}
	if w.Attr["licence"], w.Attr["attribution"] = osmLicence, osmCredit; bare > 0 {
		w.Notes = append(w.Notes, names.Plural(bare, "street has no nodes, and is left out",
			"streets have no nodes, and are left out"))
	}
	if f.twice > 0 {
		w.Notes = append(w.Notes, names.Plural(f.twice, "way is given twice, alike, and counts once",
			"ways are given twice, alike, and count once"))
	}
	if others > 0 {
		w.Notes = append(w.Notes, fmt.Sprintf("%s left out: no part of the network %s", names.Plural(others,
			"way with a highway tag is", "ways with a highway tag are"), o.Network))
	}
	if oneWay > 0 && o.Direction == AsFile {
		w.Notes = append(w.Notes, fmt.Sprintf("one-way streets, which are walked both ways: %d (--directed honours them)",
			oneWay))
	}
	if unbuilt > 0 {
		w.Notes = append(w.Notes, fmt.Sprintf("ways that are taken as streets although highway is %s: %d",
			strings.Join(notThere, ", "), unbuilt))
	}
	return w, nil
}

// notThere are values of the tag highway of what is not, not yet or no longer a street.
var notThere = []string{"abandoned", "construction", "demolished", "disused", "no", "planned", "platform", "proposed",
	"razed"}

// lonLatOf is where a node lies, in degrees.
type lonLatOf [2]float64

// street is what is kept of a way.
type street struct {
	nodes       []osm.NodeID
	forth, back bool // may be used along, against its order
	name        string
}

func newStreet(w *osm.Way, directed bool) street {
	s := street{nodes: make([]osm.NodeID, len(w.Nodes)),
		name: streetName(cmp.Or(w.Tags.Find("name"), w.Tags.Find("ref")))}
	for i, n := range w.Nodes {
		s.nodes[i] = n.ID
	}
	s.forth, s.back = directions(w, directed)
	return s
}

// scan calls node and way for all of them in the file.
func scan(r io.Reader, f Format, node func(*osm.Node), way func(*osm.Way)) error {
	in := bufio.NewReaderSize(r, sniffSize)
	if f == Sniff {
		var err error
		if f, err = sniff(in); err != nil {
			return err
		}
	}
	switch f {
	case PBF:
		return pbf.Read(in, node, way)
	case XML:
		return osmxml.Read(in, node, way)
	case XMLBzip:
		text, err := input.Unpack(in, func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil })
		if err != nil {
			return err
		}
		return osmxml.Read(text, node, way)
	case Overpass:
		return overpass.Read(in, node, way)
	}
	return fmt.Errorf("%s is no format of OpenStreetMap", f)
}

// piece is a street between two consecutive points of a way.
type piece struct {
	a, b osm.NodeID
	name string
}

// pieces lists the pieces of the streets with both ends in the file, and counts
// the others. used has the ends as keys.
func pieces(coords map[osm.NodeID]lonLatOf, streets []street) (out []piece, used map[osm.NodeID]int, missing int) {
	used = map[osm.NodeID]int{}
	for _, s := range streets {
		for k := 1; k < len(s.nodes); k++ {
			a, b := s.nodes[k-1], s.nodes[k]
			_, okA := coords[a]
			_, okB := coords[b]
			if !okA || !okB {
				missing++
				continue
			}
			used[a], used[b] = 0, 0
			if s.forth {
				out = append(out, piece{a, b, s.name})
			}
			if s.back {
				out = append(out, piece{b, a, s.name})
			}
		}
	}
	return out, used, missing
}

// fromStreets makes an edge of each piece, nodes in ascending order of their ids.
func fromStreets(coords map[osm.NodeID]lonLatOf, streets []street, directed bool) (*World, error) {
	list, used, missing := pieces(coords, streets)
	if len(list) == 0 {
		return nil, fmt.Errorf("no street: %d ways with a highway tag, %d pieces with an end outside the file", len(streets),
			missing)
	}
	ids := slices.Sorted(maps.Keys(used))
	nodes := make([]Node, len(ids))
	for i, id := range ids {
		used[id], nodes[i] = i, Node{ID: int64(id), Lon: coords[id][0], Lat: coords[id][1]}
	}
	edges := make([]Edge, len(list))
	for i, p := range list {
		edges[i] = Edge{From: used[p.a], To: used[p.b], Street: p.name}
	}
	w, err := NewWorld(nodes, edges, directed)
	if err == nil {
		w.Skipped.Missing = missing
	}
	return w, err
}

// directions reports whether a way may be used along and against its order. In an
// undirected world one edge does for both.
func directions(w *osm.Way, directed bool) (forth, back bool) {
	if !directed {
		return true, false
	}
	switch w.Tags.Find("oneway") {
	case "yes", "true", "1":
		return true, false
	case "-1", "reverse":
		return false, true
	case "":
		if w.Tags.Find("junction") == "roundabout" || w.Tags.Find("highway") == "motorway" {
			return true, false
		}
	}
	return true, true
}
