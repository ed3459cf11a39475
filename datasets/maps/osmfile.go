package maps

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"

	"github.com/paulmach/osm"
)

// osmFile is what the streets of an OpenStreetMap file need: all nodes, and the ways with a tag highway.
type osmFile struct {
	coords map[osm.NodeID]lonLatOf
	ways   []*osm.Way
	gone   map[osm.NodeID]bool   // deleted
	seen   map[osm.WayID]version // of each way, deleted ones too
	seed   maphash.Seed
	twice  int   // ways that are there again, alike
	wrong  error // the first thing that a map has not
}

// version is what must not differ where a way occurs twice.
type version struct {
	gone        bool
	number      int    // 0 where the file has none
	nodes, tags uint64 // hashes, 0 for none
}

// readOSM reads a file. What a history has and a map has not is an error: a node at two places, two ways of one id with
// other nodes or tags, what is deleted and there.
func readOSM(r io.Reader, format Format) (*osmFile, error) {
	f := &osmFile{coords: map[osm.NodeID]lonLatOf{}, gone: map[osm.NodeID]bool{}, seen: map[osm.WayID]version{},
		seed: maphash.MakeSeed()}
	err := scan(r, format, f.node, f.way)
	if err == nil {
		err = f.wrong
	}
	return f, err
}

// history is what is said of a file that is no map.
var errHistory = errors.New("is the file a history, or two extracts of different days? cut one moment of it (osmium " +
	"time-filter)")

func (f *osmFile) refuse(format string, args ...any) {
	if f.wrong == nil {
		f.wrong = fmt.Errorf(format+": %w", append(args, errHistory)...)
	}
}

func (f *osmFile) node(n *osm.Node) {
	at := lonLatOf{n.Lon, n.Lat}
	before, twice := f.coords[n.ID]
	switch {
	case twice && !n.Visible || n.Visible && f.gone[n.ID]:
		f.refuse("node %d is deleted and there", n.ID)
	case !n.Visible:
		f.gone[n.ID] = true
	case twice && before != at:
		f.refuse("node %d is at %v and at %v", n.ID, before, at)
	default:
		f.coords[n.ID] = at
	}
}

func (f *osmFile) way(w *osm.Way) {
	v, highway := f.version(w), w.Tags.Find("highway") != ""
	before, twice := f.seen[w.ID]
	differ := func(a, b uint64) bool { return a != 0 && b != 0 && a != b }
	switch {
	case twice && v.gone != before.gone:
		f.refuse("way %d is deleted and there", w.ID)
	case twice && (differ(v.nodes, before.nodes) || differ(v.tags, before.tags)) && v.number == before.number:
		f.refuse("way %d is there twice, with other nodes or tags", w.ID)
	case twice && (differ(v.nodes, before.nodes) || differ(v.tags, before.tags)):
		f.refuse("way %d is there in versions %d and %d", w.ID, before.number, v.number)
	case twice && v == before:
		f.twice++
	case highway:
		f.ways = append(f.ways, w)
	}
	if twice { // in parts: nodes here and tags there
		v.nodes, v.tags = cmp.Or(before.nodes, v.nodes), cmp.Or(before.tags, v.tags)
	}
	f.seen[w.ID] = v
}

func (f *osmFile) version(w *osm.Way) (v version) {
	v.gone, v.number = !w.Visible, w.Version
	if len(w.Nodes) > 0 {
		var h maphash.Hash
		h.SetSeed(f.seed)
		for _, n := range w.Nodes {
			maphash.WriteComparable(&h, n.ID)
		}
		v.nodes = h.Sum64() | 1
	}
	if len(w.Tags) > 0 {
		var h maphash.Hash
		h.SetSeed(f.seed)
		for _, key := range []string{"highway", "oneway", "junction", "name", "ref"} {
			maphash.WriteComparable(&h, w.Tags.Find(key))
		}
		v.tags = h.Sum64() | 1
	}
	return v
}
