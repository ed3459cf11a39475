package pathfile

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/encoding"
	"gonum.org/v1/gonum/graph/encoding/dot"
	"gonum.org/v1/gonum/graph/simple"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/ddps"
)

// graphsToWrite are graphs with and without each kind of meta data.
func graphsToWrite(t *testing.T) map[string]*ddps.LayeredGraph {
	names := []string{"A & <b>", "\"q\"", `c\`, "d\ne", "ä", "x y", "1", "é", " 2 ", "n0"}
	odd := fixture.Must[*ddps.LayeredGraph](t)(ddps.Example().WithMeta(ddps.Meta{Names: names, XY: make([][2]float64, 10),
		Attr: map[string]string{"name": `the "odd" <one>`, "crs": "EPSG:3067", "x y": "z\\"}}))
	heights := fixture.Must[*ddps.LayeredGraph](t)(datasets.HeightsGraph())
	return map[string]*ddps.LayeredGraph{"example": ddps.Example(), "heights": heights, "pruned": heights.Prune(),
		"odd": odd,
		"toy": fixture.Must[*ddps.LayeredGraph](t)(datasets.Toy(datasets.ToySeed))}
}

func TestGraphRoundTrips(t *testing.T) {
	for what, g := range graphsToWrite(t) {
		var want bytes.Buffer
		if _, err := g.WriteTo(&want); err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{GraphJSON, GraphGraphML} {
			var b, back bytes.Buffer
			if err := WriteGraph(&b, g, format); err != nil {
				t.Fatal(err)
			}
			again := fixture.Must[*ddps.LayeredGraph](t)(ReadGraph("x", &b))
			if _, err := again.WriteTo(&back); err != nil || back.String() != want.String() {
				t.Errorf("%s as %s: another graph comes back, %v", what, format, err)
			}
		}
	}
}

// dotGraph takes what gonum's reader of DOT finds.
type dotGraph struct{ *simple.DirectedGraph }

func (d dotGraph) NewNode() graph.Node { return &dotNode{Node: d.DirectedGraph.NewNode()} }

type dotNode struct {
	graph.Node
	id    string
	attrs map[string]string
}

func (n *dotNode) SetDOTID(id string) { n.id = id }
func (n *dotNode) SetAttribute(a encoding.Attribute) error {
	if n.attrs == nil {
		n.attrs = map[string]string{}
	}
	n.attrs[a.Key] = a.Value
	return nil
}

// DOT is read by gonum: the same vertices, layers, names and edges.
func TestDOT(t *testing.T) {
	for what, g := range graphsToWrite(t) {
		var b bytes.Buffer
		if err := WriteGraph(&b, g, GraphDOT); err != nil {
			t.Fatal(err)
		}
		back := dotGraph{simple.NewDirectedGraph()}
		if err := dot.Unmarshal(b.Bytes(), back); err != nil {
			t.Fatalf("%s: %v\n%s", what, err, b.String()[:min(400, b.Len())])
		}
		if back.Nodes().Len() != g.NumVertices() || back.Edges().Len() != g.NumEdges() {
			t.Fatalf("%s: %d vertices, %d edges", what, back.Nodes().Len(), back.Edges().Len())
		}
		number := map[int64]int{}
		for _, n := range graph.NodesOf(back.Nodes()) {
			d := n.(*dotNode)
			v, err := strconv.Atoi(strings.TrimPrefix(d.id, "n"))
			if err != nil || d.attrs["layer"] != strconv.Itoa(g.LayerOf(v)+1) {
				t.Fatalf("%s: %+v", what, d)
			}
			if number[n.ID()] = v; what != "odd" && strings.Trim(d.attrs["label"], `"`) != g.Name(v) {
				t.Errorf("%s: %q for %q", what, d.attrs["label"], g.Name(v))
			}
		}
		for _, e := range graph.EdgesOf(back.Edges()) {
			if _, ok := g.EdgeBetween(number[e.From().ID()], number[e.To().ID()]); !ok {
				t.Errorf("%s: an edge that is none", what)
			}
		}
	}
}

func TestReadGraphBad(t *testing.T) {
	var b bytes.Buffer
	if err := WriteGraph(&b, ddps.Example(), GraphGraphML); err != nil {
		t.Fatal(err)
	}
	good := b.String()
	for what, c := range map[string]struct {
		old, new string
		want     []string
	}{
		"a map":       {`>ddps-graph<`, `>x<`, []string{`format is "x"`}},
		"layer":       {`<data key="n_layer">2</data>`, `<data key="n_layer">7</data>`, []string{"node n1", `"7"`}},
		"no layer":    {`<data key="n_layer">1</data>`, ``, []string{"node n0", `layer ""`}},
		"end":         {`target="n4"`, `target="n44"`, []string{"n44", "no node"}},
		"skip":        {`source="n0" target="n1"`, `source="n0" target="n9"`, []string{"condition 2"}},
		"twice":       {`id="n1"`, `id="n0"`, []string{"node n0 occurs twice"}},
		"cut":         {`</graphml>`, ``, []string{"ends too early"}},
		"no name":     {`<data key="n_name">B</data>`, ``, []string{"names", "empty"}},
		"not a graph": {good, `{"format": 1}`, []string{"line 1"}},
	} {
		_, err := ReadGraph("g", strings.NewReader(strings.Replace(good, c.old, c.new, 1)))
		fixture.WantError(t, what, err, append(c.want, "g: ")...)
	}
	fixture.WantError(t, "format", WriteGraph(io.Discard, ddps.Example(), "gml"), "datasets: ", `"gml"`)
	for _, format := range GraphFormats() {
		fixture.WantError(t, format, WriteGraph(&fullDisk{10}, ddps.Example(), format), "short write")
	}
	if _, err := GraphFormatOf("x.gml"); err == nil {
		t.Error("an unknown ending is no error")
	}
}

// FuzzReadGraph: any text gives an error or a graph that GraphML keeps.
func FuzzReadGraph(f *testing.F) {
	for _, format := range []string{GraphJSON, GraphGraphML} {
		var b bytes.Buffer
		if err := WriteGraph(&b, ddps.Example(), format); err != nil {
			f.Fatal(err)
		}
		f.Add(b.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ReadGraph("fuzz", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz: ") {
				t.Errorf("error %q", err)
			}
			return
		}
		var b bytes.Buffer
		if err := WriteGraph(&b, g, GraphGraphML); err != nil {
			t.Fatal(err)
		}
		back, err := ReadGraph("back", &b)
		if err != nil {
			t.Fatal(err)
		}
		var want, got bytes.Buffer
		if err := errors.Join(WriteGraph(&want, g, GraphJSON), WriteGraph(&got, back, GraphJSON)); err != nil {
			t.Fatal(err)
		}
		if want.String() != got.String() {
			t.Fatalf("%s comes back as %s", want.String(), got.String())
		}
	})
}
