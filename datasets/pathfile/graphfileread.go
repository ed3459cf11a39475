package pathfile

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/graphml"
	"github.com/ddps-go/ddps/ddps"
)

// readLayered reads the GraphML of writeGraphML. Nodes are layer by layer; their
// names and ids in the file may be any.
func readLayered(r io.Reader) (*ddps.LayeredGraph, error) {
	f, err := graphml.Read(r)
	if err != nil {
		return nil, err
	}
	if f.Data["format"] != ddps.GraphFormat {
		return nil, fmt.Errorf("graphml: field format is %q, expected %q: 'graph import' reads maps", f.Data["format"],
			ddps.GraphFormat)
	}
	sizes, number, err := layersOf(f.Nodes)
	if err != nil {
		return nil, fmt.Errorf("graphml: %w", err)
	}
	heads := make([][]int, len(f.Nodes))
	for _, e := range f.Edges {
		a, okA := number[e.Source]
		b, okB := number[e.Target]
		if !okA || !okB {
			return nil, fmt.Errorf("graphml: edge %s → %s: an end is no node", e.Source, e.Target)
		}
		heads[a] = append(heads[a], b)
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		return nil, err
	}
	m, err := layeredMeta(f)
	if err != nil {
		return nil, fmt.Errorf("graphml: %w", err)
	}
	return g.WithMeta(m)
}

// layersOf returns the sizes of the layers and each node's number.
func layersOf(nodes []graphml.Node) (sizes []int, number map[string]int, err error) {
	number = make(map[string]int, len(nodes))
	for v, n := range nodes {
		layer, err := strconv.Atoi(n.Data["layer"])
		if err != nil || layer < max(1, len(sizes)) || layer > len(sizes)+1 {
			return nil, nil, fmt.Errorf("node %s: layer %q; nodes are layer by layer, from 1", n.ID, n.Data["layer"])
		}
		if _, twice := number[n.ID]; twice {
			return nil, nil, fmt.Errorf("node %s occurs twice", n.ID)
		}
		if layer > len(sizes) {
			sizes = append(sizes, 0)
		}
		number[n.ID] = v
		sizes[layer-1]++
	}
	return sizes, number, nil
}

// layeredMeta collects the meta data of the nodes: a field is there if the first
// node has it, and then all must have it.
func layeredMeta(f *graphml.Graph) (m ddps.Meta, err error) {
	for k, v := range f.Data {
		if name, ok := strings.CutPrefix(k, "attr_"); ok {
			if m.Attr == nil {
				m.Attr = map[string]string{}
			}
			m.Attr[name] = v
		}
	}
	xy := [2]string{"x", "y"}
	if m.Attr["crs"] == "EPSG:4326" {
		xy = [2]string{"lon", "lat"}
	}
	has := func(name string) bool { return len(f.Nodes) > 0 && f.Nodes[0].Data[name] != "" }
	for _, n := range f.Nodes {
		number := func(name string) int {
			i, e := strconv.Atoi(n.Data[name])
			if e != nil && err == nil {
				err = fmt.Errorf("node %s: %s %q is not a whole number", n.ID, name, n.Data[name])
			}
			return i
		}
		if has("name") {
			m.Names = append(m.Names, n.Data["name"])
		}
		if has("place") {
			m.Place = append(m.Place, number("place"))
		}
		if has("id") {
			m.ID = append(m.ID, number("id"))
		}
		if has(xy[0]) {
			x, e1 := strconv.ParseFloat(n.Data[xy[0]], 64)
			y, e2 := strconv.ParseFloat(n.Data[xy[1]], 64)
			if (e1 != nil || e2 != nil) && err == nil {
				err = fmt.Errorf("node %s: %s %q, %s %q are not numbers", n.ID, xy[0], n.Data[xy[0]], xy[1], n.Data[xy[1]])
			}
			m.XY = append(m.XY, [2]float64{x, y})
		}
	}
	return m, err
}
