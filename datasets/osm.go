package datasets

import (
	"bufio"
	"compress/bzip2"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmxml"

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
func readStreets(r io.Reader, o MapOptions) (*World, error) {
	coords := map[osm.NodeID]Node{}
	var ways []*osm.Way
	err := scan(r, o.Format, func(n *osm.Node) {
		coords[n.ID] = Node{ID: int64(n.ID), Lon: n.Lon, Lat: n.Lat}
	}, func(w *osm.Way) {
		if w.Tags.Find("highway") != "" {
			ways = append(ways, w)
		}
	})
	if err != nil {
		return nil, err
	}
	w, err := fromWays(coords, ways, o.Direction == Directed)
	if err == nil {
		w.Attr["licence"], w.Attr["attribution"] = osmLicence, osmCredit
	}
	return w, err
}

// maxUnpacked bounds what a bzip2 file may unpack to: few bytes can stand for very many.
const maxUnpacked = 8 << 30

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
		return scanXML(in, node, way)
	case XMLBzip:
		return scanXML(io.LimitReader(bzip2.NewReader(in), maxUnpacked), node, way)
	case Overpass:
		return overpass.Read(in, node, way)
	}
	return fmt.Errorf("%s is no format of OpenStreetMap", f)
}

func scanXML(r io.Reader, node func(*osm.Node), way func(*osm.Way)) error {
	s := osmxml.New(context.Background(), r)
	defer s.Close()
	for s.Scan() {
		switch o := s.Object().(type) {
		case *osm.Node:
			node(o)
		case *osm.Way:
			way(o)
		}
	}
	return s.Err()
}

// piece is a street between two consecutive points of a way.
type piece struct{ a, b osm.NodeID }

// pieces lists the pieces of the ways with both ends in the file, and counts the
// others. used has the ends as keys.
func pieces(coords map[osm.NodeID]Node, ways []*osm.Way, directed bool) (out []piece, used map[osm.NodeID]int, missing int) {
	used = map[osm.NodeID]int{}
	for _, w := range ways {
		forth, back := directions(w, directed)
		for k := 1; k < len(w.Nodes); k++ {
			a, b := w.Nodes[k-1].ID, w.Nodes[k].ID
			_, okA := coords[a]
			_, okB := coords[b]
			if !okA || !okB {
				missing++
				continue
			}
			used[a], used[b] = 0, 0
			if forth {
				out = append(out, piece{a, b})
			}
			if back {
				out = append(out, piece{b, a})
			}
		}
	}
	return out, used, missing
}

// fromWays makes an edge of each piece, nodes in ascending order of their ids.
func fromWays(coords map[osm.NodeID]Node, ways []*osm.Way, directed bool) (*World, error) {
	list, used, missing := pieces(coords, ways, directed)
	if len(list) == 0 {
		return nil, fmt.Errorf("no street: %d ways with a highway tag, %d pieces with an end outside the file", len(ways), missing)
	}
	ids := slices.Sorted(maps.Keys(used))
	nodes := make([]Node, len(ids))
	for i, id := range ids {
		used[id], nodes[i] = i, coords[id]
	}
	edges := make([]Edge, len(list))
	for i, p := range list {
		edges[i] = Edge{From: used[p.a], To: used[p.b]}
	}
	w, err := NewWorld(nodes, edges, directed)
	if err == nil {
		w.Skipped.Missing = missing
	}
	return w, err
}

// directions tells whether a way may be used along and against its order. In an
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
