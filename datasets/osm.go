package datasets

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmxml"

	"github.com/ddps-go/ddps/datasets/internal/pbf"
)

// Format is the encoding of an OpenStreetMap file.
type Format int

// The formats that ReadOSM takes.
const (
	Sniff   Format = iota // by the content: the default
	PBF                   // .osm.pbf
	XML                   // .osm
	XMLBzip               // .osm.bz2
)

// OSMOptions says how a file becomes a world. The zero value sniffs the format
// and builds an undirected world.
type OSMOptions struct {
	Format Format
	// Directed honours one-way streets: the tag oneway (yes, true, 1; -1 and
	// reverse run against the way), and roundabouts and motorways without that
	// tag. The paper's kind of map is undirected: its walker is on foot.
	Directed bool
}

// ReadOSMFile opens and reads an OpenStreetMap file; see ReadOSM.
func ReadOSMFile(path string, o OSMOptions) (*World, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer f.Close()
	return ReadOSM(path, f, o)
}

// ReadOSM reads an OpenStreetMap extract and makes a world of its streets: every
// way with a tag highway, a node for each point of them that lies on a piece of
// street. Pieces with an end outside the extract are skipped and counted. Nodes
// are in ascending order of their OSM id. name only serves the messages.
//
// Errors start with name: an unknown format, a truncated or damaged file, a map
// without any street.
func ReadOSM(name string, r io.Reader, o OSMOptions) (*World, error) {
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
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	w, err := fromWays(coords, ways, o.Directed)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	return w, nil
}

// scan calls node and way for all of them in the file.
func scan(r io.Reader, f Format, node func(*osm.Node), way func(*osm.Way)) error {
	in := bufio.NewReader(r)
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
		return scanXML(bzip2.NewReader(in), node, way)
	}
	return fmt.Errorf("format %d is unknown", f)
}

// sniff tells the format by the first bytes: bzip2's signature, a '<' after
// optional space or byte-order mark, or the length of a PBF's first header and
// its block type.
func sniff(in *bufio.Reader) (Format, error) {
	head, err := in.Peek(64)
	if len(head) == 0 {
		if err == io.EOF {
			return 0, fmt.Errorf("the file is empty")
		}
		return 0, err
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	switch {
	case bytes.HasPrefix(head, []byte("BZh")):
		return XMLBzip, nil
	case bytes.HasPrefix(text, []byte("<")):
		return XML, nil
	case bytes.HasPrefix(head, []byte{0, 0}) && bytes.Contains(head, []byte("OSMHeader")):
		return PBF, nil
	}
	return 0, fmt.Errorf("neither .osm.pbf nor .osm nor .osm.bz2: starts with %q", head[:min(8, len(head))])
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
