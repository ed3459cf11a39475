package slots_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/slots"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide/where"
)

// roads is a directed map: two starts A and B, two ends E and F, travel times of 20 to 200 s, a dead end G.
const roads = `from,to,travel_time
A,C,50
A,D,130
B,C,70
B,D,20
C,D,61
C,E,170
D,C,110
D,E,60
D,F,185
E,F,90
F,D,45
D,G,60
`

// mapOf reads a directed map and its travel times.
func mapOf(t testing.TB, text string, direction datasets.Direction) (*datasets.World, []float64, []string) {
	t.Helper()
	w, err := datasets.ReadMap("roads.csv", strings.NewReader(text), datasets.MapOptions{Direction: direction})
	if err != nil {
		t.Fatal(err)
	}
	times, notes, err := slots.ReadTimes("roads.csv", strings.NewReader(text), w)
	if err != nil {
		t.Fatal(err)
	}
	return w, times, notes
}

func node(t testing.TB, w *datasets.World, label string) int {
	t.Helper()
	i, ok := w.FindLabel(label)
	if !ok {
		t.Fatalf("no node %s", label)
	}
	return i
}

// timed enumerates the walks of a map by recursion over its edges alone: "A@0 C@1 …", the layers at which a walk is at a
// place, in order.
func timed(w *datasets.World, times []float64, o slots.Options) (list []string) {
	end := func(i int) bool { return slices.Contains(o.Ends, i) }
	var extend func(walk []string, at, layer int)
	extend = func(walk []string, at, layer int) {
		walk = append(slices.Clone(walk), fmt.Sprintf("%s@%d", w.Nodes[at].Label(), layer))
		if o.Absorb && end(at) && layer > 0 {
			list = append(list, strings.Join(walk, " "))
			return
		}
		if layer == o.Depth-1 {
			if o.Ends == nil || end(at) {
				list = append(list, strings.Join(walk, " "))
			}
			return
		}
		if !o.NoWait {
			extend(walk, at, layer+1)
		}
		for e, edge := range w.Edges {
			k := max(1, int(math.Floor(times[e]/float64(o.Slot)+0.5)))
			for _, way := range [][2]int{{edge.From, edge.To}, {edge.To, edge.From}} {
				if way[0] != at || w.Directed && way[0] != edge.From {
					continue
				}
				switch {
				case layer+k < o.Depth:
					extend(walk, way[1], layer+k)
				case o.Ends == nil && k < o.Depth: // on the way at the end
					list = append(list, strings.Join(walk, " ")+fmt.Sprintf(" …%s", w.Nodes[way[1]].Label()))
				}
			}
		}
	}
	for _, s := range o.Starts {
		extend(nil, s.Node, 0)
	}
	slices.Sort(list)
	return list
}

// listed are the paths of a graph in the same form.
func listed(g *ddps.LayeredGraph) (list []string) {
	pads, meta := g.Pads(), g.Meta()
	transit := math.MaxInt
	fmt.Sscan(meta.Attr[ddps.AttrTransit], &transit)
	first := 0
	if pads != nil && pads[0] {
		first = 1
	}
	for p := range g.Paths() {
		var walk []string
		for l, v := range p {
			switch {
			case pads != nil && pads[v]:
			case meta.Place[v] < transit:
				walk = append(walk, fmt.Sprintf("%s@%d", g.Name(v), l-first))
			case l == len(p)-1:
				_, to, _ := strings.Cut(g.Name(v), ">")
				to, _, _ = strings.Cut(to, " ")
				walk = append(walk, "…"+to)
			}
		}
		list = append(list, strings.Join(walk, " "))
	}
	slices.Sort(list)
	return list
}

// TestAllWalks holds all paths and their arrival times against recursion over the map.
func TestAllWalks(t *testing.T) {
	for _, direction := range []datasets.Direction{datasets.Directed, datasets.Undirected} {
		w, times, _ := mapOf(t, roads, direction)
		a, b := slots.Start{Node: node(t, w, "A")}, slots.Start{Node: node(t, w, "B")}
		e, f := node(t, w, "E"), node(t, w, "F")
		used := map[int]bool{}
		for _, o := range []slots.Options{
			{Starts: []slots.Start{a, b}, Ends: []int{e, f}, Absorb: true},
			{Starts: []slots.Start{b, a}, Ends: []int{e, f}},
			{Starts: []slots.Start{a, b}, Ends: []int{e, f}, Absorb: true, NoWait: true},
			{Starts: []slots.Start{a, b}, Ends: []int{f}, NoWait: true, Depth: 9},
			{Starts: []slots.Start{a}, Ends: []int{e}, Absorb: true},
			{Starts: []slots.Start{a}, Ends: []int{a.Node, e}, Absorb: true},
			{Starts: []slots.Start{a, b}},
			{Starts: []slots.Start{a}},
		} {
			o.Slot, o.Times = 60, times
			if o.Depth == 0 {
				o.Depth = 7
			}
			p, err := slots.NewPlan(w, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range p.Slots {
				used[k] = true
			}
			g, err := slots.Expand(w, o)
			if err != nil {
				t.Fatalf("%+v: %v", o, err)
			}
			got, want := listed(g), timed(w, times, o)
			if !slices.Equal(got, want) || len(want) < 3 {
				t.Errorf("%+v: %d paths, want %d:\n%q\n%q", o, len(got), len(want), got, want)
			}
			if g.NumVertices() > p.Vertices || g.NumEdges() > p.Edges {
				t.Errorf("%d vertices and %d edges, planned %d and %d", g.NumVertices(), g.NumEdges(), p.Vertices, p.Edges)
			}
			if slices.Contains(g.Reachable(), false) {
				t.Error("a vertex is on no path")
			}
		}
		if !used[1] || !used[2] || !used[3] {
			t.Errorf("moves take %v slots", used)
		}
	}
}

// With one start, no end and no slots the graph is that of datasets.Expand, byte for byte.
func TestOldImport(t *testing.T) {
	w, err := datasets.Helsinki()
	if err != nil {
		t.Fatal(err)
	}
	start, _ := w.Find(datasets.MapStart)
	for _, o := range []datasets.ExpandOptions{
		{Depth: 6}, {Depth: 5, NoWait: true}, {Depth: 10, Dummies: true, All: true, Nodes: datasets.HeightsSize},
	} {
		o.Start = datasets.MapStart
		want, err := datasets.Expand(w, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := slots.Expand(w, slots.Options{Starts: []slots.Start{{Node: start}}, Depth: o.Depth, NoWait: o.NoWait, Dummies: o.Dummies, All: o.All, Nodes: o.Nodes})
		if err != nil {
			t.Fatal(err)
		}
		var a, b bytes.Buffer
		want.WriteTo(&a)
		got.WriteTo(&b)
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%+v: other bytes", o)
		}
	}
	// Slots in which every move takes one make the same vertices and edges.
	want, err := datasets.Expand(w, datasets.ExpandOptions{Start: datasets.MapStart, Depth: 6})
	if err != nil {
		t.Fatal(err)
	}
	got, err := slots.Expand(w, slots.Options{Starts: []slots.Start{{Node: start}}, Depth: 6, Slot: 3600, Speed: 1.4})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(want.Meta().Names, got.Meta().Names) || want.NumEdges() != got.NumEdges() || !slices.Equal(want.Meta().Place, got.Meta().Place) {
		t.Error("slots that hold every move change the graph")
	}
}

// TestClock holds clock windows in conditions against enumeration, with a source and without.
func TestClock(t *testing.T) {
	w, times, _ := mapOf(t, roads, datasets.Directed)
	starts := []slots.Start{{Node: node(t, w, "A")}, {Node: node(t, w, "B")}}
	for _, n := range []int{1, 2} {
		g, err := slots.Expand(w, slots.Options{Starts: starts[:n], Ends: []int{node(t, w, "E"), node(t, w, "F")}, Absorb: true,
			Depth: 8, Slot: 60, Times: times, From: "8:00"})
		if err != nil {
			t.Fatal(err)
		}
		x, err := where.Parse(`visit("D", 8:02..8:03)`)
		if err != nil {
			t.Fatal(err)
		}
		c, err := x.Condition(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		met, all := 0, 0
		for p := range g.Paths() {
			all++
			want := g.Name(p[n-1+2]) == "D" || g.Name(p[n-1+3]) == "D"
			if want {
				met++
			}
			if got := !math.IsInf(c.LogWeight(p), -1); got != want {
				t.Errorf("%d starts: %v: %v, want %v", n, p, got, want)
			}
		}
		if met == 0 || met == all {
			t.Errorf("%d of %d paths meet it", met, all)
		}
	}
}

// TestNotes wants what is rounded, left out and pruned in words.
func TestNotes(t *testing.T) {
	w, times, read := mapOf(t, roads, datasets.Directed)
	var notes []string
	_, err := slots.Expand(w, slots.Options{Starts: []slots.Start{{Node: node(t, w, "A")}}, Ends: []int{node(t, w, "E")}, NoWait: true,
		Depth: 7, Slot: 60, Times: times, Note: func(text string) { notes = append(notes, text) }})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(append(read, notes...), "\n")
	for _, want := range []string{`travel times from column "travel_time", in seconds`, "7 layers every 1m0s: 6m0s from the first to the last",
		"rounded: ", "(B to D: 20.0 s are 1)", "1 of 12 moves take less than half a slot", "slots to the nearest end: 3 from A; the layers have 6",
		"dead ends", "from which no end is reached in time"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
}

// TestErrors wants one clear error for each wrong option.
func TestErrors(t *testing.T) {
	w, times, _ := mapOf(t, roads, datasets.Directed)
	a, e, g := slots.Start{Node: node(t, w, "A")}, node(t, w, "E"), node(t, w, "G")
	holes := slices.Clone(times)
	holes[0] = math.NaN()
	for want, o := range map[string]slots.Options{
		"no start":                   {},
		"start A is given twice":     {Starts: []slots.Start{a, a}},
		"start 99 is not on the map": {Starts: []slots.Start{{Node: 99}}},
		"no end":                     {Starts: []slots.Start{a}, Absorb: true},
		"depth 1":                    {Starts: []slots.Start{a}, Depth: 1},
		"go with slots":              {Starts: []slots.Start{a}, Depth: 3, Speed: 1},
		"from \"8\" is not H:MM":     {Starts: []slots.Start{a}, Depth: 3, Slot: 60, Times: times, From: "8"},
		"the move from A to C has no travel time, and there is no speed":     {Starts: []slots.Start{a}, Depth: 3, Slot: 60, Times: holes},
		"from start A the nearest end takes 3 slots, and 3 layers have 2":    {Starts: []slots.Start{a}, Ends: []int{e}, Depth: 3, Slot: 60, Times: times},
		"from start G no end is reached":                                     {Starts: []slots.Start{{Node: g}}, Ends: []int{e}, Depth: 3, Slot: 60, Times: times},
		"no walk from start G is at an end in time, or goes on for 3 layers": {Starts: []slots.Start{{Node: g}}, NoWait: true, Depth: 3, Slot: 60, Times: times},
		"neither coordinates nor lengths":                                    {Starts: []slots.Start{a}, Depth: 3, Slot: 60, Speed: 1},
		"some starts have a weight":                                          {Starts: []slots.Start{a, {Node: e, Weight: 1}}, Depth: 3},
	} {
		if _, err := slots.Expand(w, o); err == nil || !strings.HasPrefix(err.Error(), "slots: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for want, text := range map[string]string{
		"t.csv:2: travel time \"x\"": "from,to,time\nA,C,x\n",
		"no column travel_time":      "from,to,length\nA,C,3\n",
		"no row has":                 "from,to,time\nA,B,3\n",
	} {
		if _, _, err := slots.ReadTimes("t.csv", strings.NewReader(text), w); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestDraw holds the starts of draws against their weights, and paths from a start against the uniform distribution.
func TestDraw(t *testing.T) {
	w, times, _ := mapOf(t, roads, datasets.Directed)
	g, err := slots.Expand(w, slots.Options{Starts: []slots.Start{{Node: node(t, w, "B"), Weight: 3}, {Node: node(t, w, "A"), Weight: 1}},
		Ends: []int{node(t, w, "E")}, Absorb: true, NoWait: true, Depth: 6, Slot: 60, Times: times})
	if err != nil {
		t.Fatal(err)
	}
	const n = 8000
	paths, err := slots.Draw(g, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	total, times2, list := map[string]float64{}, map[string]float64{}, map[string]string{}
	for p := range g.Paths() {
		total[g.Name(p[1])]++
		list[fmt.Sprint(p)] = g.Name(p[1])
	}
	for _, p := range paths {
		if err := g.Check(p); err != nil {
			t.Fatal(err)
		}
		times2[fmt.Sprint(p)]++
	}
	chi := 0.
	for key, start := range list {
		want := n * map[string]float64{"A": 0.25, "B": 0.75}[start] / total[start]
		chi += (times2[key] - want) * (times2[key] - want) / want
	}
	// Mean k − 1 and variance 2(k − 1) for k paths: five deviations above.
	if k := float64(len(list) - 1); k < 3 || chi > k+5*math.Sqrt(2*k) {
		t.Errorf("chi-square %v of %d paths", chi, len(list))
	}
}

// Coordinates on the way are on the straight line, also across the 180th meridian.
func TestOnTheWay(t *testing.T) {
	w, err := datasets.NewWorld([]datasets.Node{{ID: 1, Lon: 179, Lat: 0}, {ID: 2, Lon: -179, Lat: 1}}, []datasets.Edge{{From: 0, To: 1, Length: 300}}, false)
	if err != nil {
		t.Fatal(err)
	}
	g, err := slots.Expand(w, slots.Options{Starts: []slots.Start{{Node: 0}}, Ends: []int{1}, Depth: 4, Slot: 100, Speed: 1})
	if err != nil {
		t.Fatal(err)
	}
	v, ok := g.VertexByName(1, "1>2 1/3")
	if !ok || g.NumVertices() != 4 {
		t.Fatalf("names %v", g.Meta().Names)
	}
	if p := g.Meta().XY[v]; math.Abs(p[0]-(180-1./3)) > 1e-9 || math.Abs(p[1]-1./3) > 1e-9 {
		t.Errorf("on the way at %v", p)
	}
}
