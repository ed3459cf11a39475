package maps

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/paulmach/osm"
)

// Street is a stretch of street as a map draws it: a line of points, with the street's name, "" for none. No line has
// fewer than two points.
type Street struct {
	Name string
	Line [][2]float64 // longitude, latitude in degrees (WGS 84)
}

// Streets reads the streets of an OpenStreetMap file (XML, PBF, Overpass JSON) as lines, to be drawn beneath a graph
// of them: the ways of a network, cut where a point is not in the file. The errors are those of Read.
func Streets(name string, r io.Reader, of Network) ([]Street, error) {
	file, err := readOSM(r, Sniff)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", name, err)
	}
	var list []Street
	for _, way := range file.ways {
		if !of.has(way.Tags.Find("highway")) {
			continue
		}
		for _, run := range runs(way.Nodes, file.coords) {
			list = append(list, Street{way.Tags.Find("name"), line(run, file.coords)})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("datasets: %s: no street of the network %s: %d ways with a highway tag", name, of,
			len(file.ways))
	}
	return joined(list), nil
}

// joined makes one line of streets of one name of which one begins where another ends, as maps cut a street at every
// change of a tag. O(n²) for n streets of a name.
func joined(list []Street) (out []Street) {
	for _, s := range list {
		for s.Name != "" {
			i := slices.IndexFunc(out, func(o Street) bool { return o.Name == s.Name && touch(o.Line, s.Line) })
			if i < 0 {
				break
			}
			s.Line = join(out[i].Line, s.Line)
			out = slices.Delete(out, i, i+1)
		}
		out = append(out, s)
	}
	return out
}

// touch reports whether two lines have an end in common.
func touch(a, b [][2]float64) bool {
	ends := [...][2]float64{b[0], b[len(b)-1]}
	return slices.Contains(ends[:], a[0]) || slices.Contains(ends[:], a[len(a)-1])
}

// join returns the line of two that touch.
func join(a, b [][2]float64) [][2]float64 {
	a, b = slices.Clone(a), slices.Clone(b)
	if a[0] == b[0] || a[0] == b[len(b)-1] {
		slices.Reverse(a)
	}
	if b[0] != a[len(a)-1] {
		slices.Reverse(b)
	}
	return append(a, b[1:]...)
}

// StreetsFile opens and reads a file as Streets does.
func StreetsFile(path string, of Network) ([]Street, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer f.Close()
	return Streets(path, f, of)
}

func line(nodes osm.WayNodes, coords map[osm.NodeID]lonLatOf) [][2]float64 {
	out := make([][2]float64, len(nodes))
	for i, n := range nodes {
		out[i] = coords[n.ID]
	}
	return out
}
