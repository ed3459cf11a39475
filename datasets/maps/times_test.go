package maps_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/maps"
)

// A street of 400 m with a crossing drawn twice, 4 m apart; times in seconds, names of streets, one of them a list.
const timedGraphML = `<?xml version="1.0"?>
<graphml><key id="x" for="node" attr.name="x"/><key id="y" for="node" attr.name="y"/>
<key id="t" for="edge" attr.name="travel_time"/><key id="n" for="edge" attr.name="name"/>
<graph edgedefault="undirected">
<node id="1"><data key="x">24.9</data><data key="y">60.0</data></node>
<node id="2"><data key="x">24.9036</data><data key="y">60.0</data></node>
<node id="3"><data key="x">24.90367</data><data key="y">60.0</data></node>
<node id="4"><data key="x">24.9072</data><data key="y">60.0</data></node>
<node id="5"><data key="x">24.9036</data><data key="y">60.003</data></node>
<node id="6"><data key="x">24.9036</data><data key="y">59.997</data></node>
<edge source="1" target="2"><data key="t">100</data><data key="n">North Road</data></edge>
<edge source="2" target="3"><data key="t">2</data></edge>
<edge source="3" target="4"><data key="t">0</data><data key="n">['East End', "Queen's Way"]</data></edge>
<edge source="2" target="5"><data key="t">60</data></edge>
<edge source="3" target="5"><data key="t">50</data><data key="n">Hill</data></edge>
<edge source="2" target="6"/>
<edge source="3" target="6"><data key="t">70</data></edge>
</graph></graphml>`

// Times and names of streets stay right when crossings are merged and streets split: of parallel streets the least time
// is kept, and pieces take as long as the whole.
func TestTimesStay(t *testing.T) {
	w, err := maps.Read("t.graphml", strings.NewReader(timedGraphML), maps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(w.Notes, func(s string) bool {
		return strings.HasPrefix(s, maps.TimesNote) && strings.Contains(s, "1 of 7 edges have none")
	}) {
		t.Errorf("notes %q", w.Notes)
	}
	merged, err := w.Merge(10)
	if err != nil {
		t.Fatal(err)
	}
	split, err := merged.Split(80)
	if err != nil {
		t.Fatal(err)
	}
	if len(merged.Nodes) != 5 || len(split.Nodes) <= 5 {
		t.Fatalf("%d nodes, %d when split", len(merged.Nodes), len(split.Nodes))
	}
	for to, want := range map[int64]float64{1: 100, 4: 0, 5: 50, 6: 70} {
		for _, m := range []*maps.World{merged, split} {
			if got := seconds(m, 2, to); math.Abs(got-want) > 1e-3 {
				t.Errorf("2 to %d of %d nodes: %v s, want %v", to, len(m.Nodes), got, want)
			}
		}
	}
	labels := split.Labels()
	two, _ := split.Find(2)
	if want := "East End, Queen's Way / Hill / North Road"; labels[two] != want {
		t.Errorf("node 2 is %q, want %q", labels[two], want)
	}
	if last := len(labels) - 1; labels[last] != "" && strings.Contains(labels[last], " / ") {
		t.Errorf("a node on a street is %q", labels[last])
	}
}

// seconds is the least time between two nodes, by relaxing all edges again and again.
func seconds(w *maps.World, from, to int64) float64 {
	a, _ := w.Find(from)
	b, _ := w.Find(to)
	least := make([]float64, len(w.Nodes))
	for i := range least {
		least[i] = math.Inf(1)
	}
	least[a] = 0
	for range w.Nodes {
		for _, e := range w.Edges {
			least[e.To] = math.Min(least[e.To], least[e.From]+e.Time)
			least[e.From] = math.Min(least[e.From], least[e.To]+e.Time)
		}
	}
	return least[b]
}

// Minutes of a list of edges, and a time that is none.
func TestTimesOfLists(t *testing.T) {
	text := "from,to,travel_time_min,road\na,b,1.5,High  Street\nb,c,,\n"
	w, err := maps.Read("t.csv", strings.NewReader(text), maps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w.Edges[0].Time != 90 || w.Edges[1].Time != 0 || w.Edges[0].Street != "High Street" {
		t.Errorf("%+v", w.Edges)
	}
	_, err = maps.Read("t.csv", strings.NewReader("from,to,travel_time\na,b,1\nb,c,soon\n"), maps.Options{})
	if err == nil || !strings.Contains(err.Error(), `line 3: travel time "soon"`) {
		t.Errorf("%v", err)
	}
}
