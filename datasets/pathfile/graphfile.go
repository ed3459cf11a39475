package pathfile

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/graphml"
	"github.com/ddps-go/ddps/datasets/internal/input"
	"github.com/ddps-go/ddps/ddps"
)

// The formats of layered graphs.
const (
	GraphJSON    = "json"    // the project's own: ddps.ReadGraph
	GraphGraphML = "graphml" // keeps everything, too
	GraphDOT     = "dot"     // Graphviz's; written only
)

// GraphFormats returns the names of the formats.
func GraphFormats() []string { return []string{GraphJSON, GraphGraphML, GraphDOT} }

// GraphFormatOf returns the format that the ending of a file's name says: .json,
// .graphml, .dot or .gv. The error lists them.
func GraphFormatOf(path string) (string, error) {
	switch end := strings.ToLower(filepath.Ext(path)); end {
	case ".json", ".graphml", ".dot":
		return end[1:], nil
	case ".gv":
		return GraphDOT, nil
	}
	return "", fmt.Errorf("%s: ends in none of .json, .graphml, .dot, .gv", path)
}

// WriteGraph writes g in one of the formats. In GraphML and DOT vertices are n0,
// n1, … in their order, out-edges in theirs, and a vertex carries its layer, from
// 1, and what Meta has of it: name, lon and lat in degrees (x and y of another
// crs), place, id. Attributes of the graph are its own.
func WriteGraph(w io.Writer, g *ddps.LayeredGraph, format string) error {
	var err error
	switch format {
	case GraphJSON:
		_, err = g.WriteTo(w)
	case GraphGraphML:
		err = writeGraphML(w, g)
	case GraphDOT:
		err = writeDOT(w, g)
	default:
		err = fmt.Errorf("graph as %q: expected one of %s", format, strings.Join(GraphFormats(), ", "))
	}
	if err != nil {
		return fmt.Errorf("datasets: %w", err)
	}
	return nil
}

// headSize is how many bytes at the start of a file say whether it is GraphML.
const headSize = 1 << 20

// ReadGraph reads a layered graph, JSON or the GraphML that WriteGraph writes, by
// its content. Errors start with name and are those of ddps.ReadGraph; of GraphML
// they name the node.
func ReadGraph(name string, r io.Reader) (*ddps.LayeredGraph, error) {
	in := bufio.NewReaderSize(input.Text(input.Unpacked(r)), headSize)
	head, _ := in.Peek(headSize)
	read := ddps.ReadGraph
	if bytes.Contains(head, []byte("<graphml")) {
		read = readLayered
	}
	g, err := read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return g, nil
}

// xyNames returns what g's coordinates are called.
func xyNames(g *ddps.LayeredGraph) [2]string {
	if g.Meta().Attr["crs"] == "EPSG:4326" {
		return [2]string{"lon", "lat"}
	}
	return [2]string{"x", "y"}
}

// vertexValues returns what a vertex carries.
func vertexValues(g *ddps.LayeredGraph, v, layer int) []graphml.Value {
	m, xy := g.Meta(), xyNames(g)
	list := []graphml.Value{{Name: "layer", Text: strconv.Itoa(layer + 1)}}
	if m.Names != nil {
		list = append(list, graphml.Value{Name: "name", Text: m.Names[v]})
	}
	for k := range 2 {
		if m.XY != nil {
			list = append(list, graphml.Value{Name: xy[k], Text: strconv.FormatFloat(m.XY[v][k], 'g', -1, 64)})
		}
	}
	if m.Place != nil {
		list = append(list, graphml.Value{Name: "place", Text: strconv.Itoa(m.Place[v])})
	}
	if m.ID != nil {
		list = append(list, graphml.Value{Name: "id", Text: strconv.Itoa(m.ID[v])})
	}
	return list
}

// eachVertex yields the vertices with their layers.
func eachVertex(g *ddps.LayeredGraph) iter.Seq2[int, int] {
	return func(yield func(v, layer int) bool) {
		for l := range g.NumLayers() {
			lo, hi := g.Layer(l)
			for v := lo; v < hi; v++ {
				if !yield(v, l) {
					return
				}
			}
		}
	}
}

func nodeID(v int) string { return "n" + strconv.Itoa(v) }

func writeGraphML(w io.Writer, g *ddps.LayeredGraph) error {
	keys := []graphml.Key{{Domain: "graph", Name: "format", Type: "string"}}
	own := []graphml.Value{{Name: "format", Text: ddps.GraphFormat}}
	for _, k := range slices.Sorted(maps.Keys(g.Meta().Attr)) {
		keys = append(keys, graphml.Key{Domain: "graph", Name: "attr_" + k, Type: "string"})
		own = append(own, graphml.Value{Name: "attr_" + k, Text: g.Meta().Attr[k]})
	}
	types := map[string]string{"name": "string", "layer": "int", "place": "int", "id": "int"}
	for _, v := range vertexValues(g, 0, 0) {
		kind := types[v.Name]
		if kind == "" {
			kind = "double"
		}
		keys = append(keys, graphml.Key{Domain: "node", Name: v.Name, Type: kind})
	}
	return graphml.Write(w, keys, own, func(yield func(graphml.Element) bool) {
		for v, l := range eachVertex(g) {
			if !yield(graphml.Element{ID: nodeID(v), Values: vertexValues(g, v, l)}) {
				return
			}
		}
	}, func(yield func(graphml.Element) bool) {
		for e := range g.NumEdges() {
			if !yield(graphml.Element{Source: nodeID(g.Tail(e)), Target: nodeID(g.Head(e))}) {
				return
			}
		}
	})
}

// writeDOT writes Graphviz's language: a rank a layer, vertices labelled with their
// names. It is written as it goes; gonum's encoder, which reads it back in a test,
// holds the whole text.
func writeDOT(w io.Writer, g *ddps.LayeredGraph) error {
	out := bufio.NewWriter(w)
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace
	title := g.Meta().Attr["name"]
	fmt.Fprintf(out, "digraph \"%s\" {\n  rankdir=LR;\n", quote(title))
	for _, k := range slices.Sorted(maps.Keys(g.Meta().Attr)) {
		fmt.Fprintf(out, "  \"%s\"=\"%s\";\n", quote("attr_"+k), quote(g.Meta().Attr[k]))
	}
	for v, l := range eachVertex(g) {
		if lo, _ := g.Layer(l); v == lo {
			fmt.Fprintf(out, "  subgraph layer%d {\n    rank=same;\n", l+1)
		}
		fmt.Fprintf(out, "    %s [label=\"%s\"", nodeID(v), quote(g.Name(v)))
		for _, x := range vertexValues(g, v, l) {
			if x.Name != "name" {
				fmt.Fprintf(out, " %s=\"%s\"", x.Name, x.Text) // 1e-05 is no numeral of the language
			}
		}
		out.WriteString("];\n")
		if _, hi := g.Layer(l); v == hi-1 {
			out.WriteString("  }\n")
		}
	}
	for e := range g.NumEdges() {
		fmt.Fprintf(out, "  %s -> %s;\n", nodeID(g.Tail(e)), nodeID(g.Head(e)))
	}
	out.WriteString("}\n")
	if err := out.Flush(); err != nil { // of the first write that failed
		return fmt.Errorf("dot: %w", err)
	}
	return nil
}
