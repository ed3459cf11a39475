package maps

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/paulmach/osm"

	"github.com/ddps-go/ddps/datasets/internal/pbf"
)

// cutTags are the tags of a way that CutStreets keeps.
var cutTags = []string{"highway", "name", "oneway", "junction"}

// CutStreets copies the streets of an OpenStreetMap extract to a small .osm.pbf:
// ways with a tag highway (their tags highway, name, oneway, junction) and the
// points on them. Pieces of street that lead out of the extract are cut off, so
// that Read makes the same world of both files, but for Skipped.Missing. Of a way
// in several parts the first keeps the id, and the others have negative ones.
// maps/helsinki.osm.pbf is made by it. source goes into the file's header;
// errors are those of Read and of w.
func CutStreets(w io.Writer, source, name string, r io.Reader, f Format) error {
	file, err := readOSM(r, f)
	if err != nil {
		return fmt.Errorf("datasets: %s: %w", name, err)
	}
	used := map[osm.NodeID]bool{}
	var cut []osm.Way
	given := map[osm.WayID]bool{}
	free := osm.WayID(0) // below the ids of all ways
	for _, way := range file.ways {
		free = min(free, way.ID)
	}
	for _, way := range file.ways {
		var tags osm.Tags
		for _, t := range way.Tags {
			if slices.Contains(cutTags, t.Key) {
				tags = append(tags, t)
			}
		}
		for _, run := range runs(way.Nodes, file.coords) {
			id := way.ID
			if given[id] {
				free--
				id = free
			}
			given[id] = true
			cut = append(cut, osm.Way{ID: id, Tags: tags, Nodes: run})
			for _, n := range run {
				used[n.ID] = true
			}
		}
	}
	if len(cut) == 0 {
		return fmt.Errorf("datasets: %s: no street: %d ways with a highway tag", name, len(file.ways))
	}
	var nodes []osm.Node
	for id := range used {
		nodes = append(nodes, osm.Node{ID: id, Lon: file.coords[id][0], Lat: file.coords[id][1]})
	}
	slices.SortFunc(nodes, func(a, b osm.Node) int { return cmp.Compare(a.ID, b.ID) })
	return pbf.Write(w, source, nodes, cut)
}

// runs cuts a way into stretches of at least two points that are in the file.
func runs(nodes osm.WayNodes, coords map[osm.NodeID]lonLatOf) []osm.WayNodes {
	var out []osm.WayNodes
	var run osm.WayNodes
	for i := 0; i <= len(nodes); i++ {
		if i < len(nodes) {
			if _, ok := coords[nodes[i].ID]; ok {
				run = append(run, nodes[i])
				continue
			}
		}
		if len(run) > 1 {
			out = append(out, run)
		}
		run = nil
	}
	return out
}
