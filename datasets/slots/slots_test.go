package slots_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/slots"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide/where"
)

// Short for the tables below.
type (
	options = slots.Options
	begin   = slots.Start
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
func mapOf(t testing.TB, text string, direction maps.Direction) (*maps.World, []float64, []string) {
	t.Helper()
	w, err := maps.Read("roads.csv", strings.NewReader(text), maps.Options{Direction: direction})
	if err != nil {
		t.Fatal(err)
	}
	w, times, notes, err := slots.ReadTimes("roads.csv", strings.NewReader(text), w)
	if err != nil {
		t.Fatal(err)
	}
	return w, times, notes
}

func node(t testing.TB, w *maps.World, label string) int {
	t.Helper()
	i, ok := w.FindLabel(label)
	if !ok {
		t.Fatalf("no node %s", label)
	}
	return i
}

// timed enumerates the walks of a map by recursion over its edges alone: "A@0 C@1 …", the layers at which a walk is
// at a place, in order.
func timed(w *maps.World, times []float64, o options) (list []string) {
	end := func(i int) bool { return slices.Contains(o.Ends, i) }
	var extend func(walk []string, at, layer int)
	extend = func(walk []string, at, layer int) {
		walk = append(slices.Clone(walk), fmt.Sprintf("%s@%d", w.Nodes[at].Label(), layer))
		if o.Absorb && end(at) && layer > 0 {
			list = append(list, strings.Join(walk, " "))
			return
		}
		if o.Early && layer > 0 && layer < o.Depth-1 && (o.Ends == nil || end(at)) {
			list = append(list, strings.Join(walk, " "))
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
	oneTime := strings.Replace(roads, "D,C,110\n", "", 1) // both ways, on an undirected map
	for _, m := range []struct {
		text      string
		direction maps.Direction
	}{{roads, maps.Directed}, {roads, maps.Undirected}, {oneTime, maps.Undirected}} {
		w, times, _ := mapOf(t, m.text, m.direction)
		a, b := begin{Node: node(t, w, "A")}, begin{Node: node(t, w, "B")}
		e, f := node(t, w, "E"), node(t, w, "F")
		used := map[int]bool{}
		for _, o := range []options{
			{Starts: []begin{a, b}, Ends: []int{e, f}, Absorb: true},
			{Starts: []begin{b, a}, Ends: []int{e, f}},
			{Starts: []begin{a, b}, Ends: []int{e, f}, Absorb: true, NoWait: true},
			{Starts: []begin{a, b}, Ends: []int{f}, NoWait: true, Depth: 9},
			{Starts: []begin{a}, Ends: []int{e}, Absorb: true},
			{Starts: []begin{a}, Ends: []int{a.Node, e}, Absorb: true},
			{Starts: []begin{a, b}, Ends: []int{e, f}, Early: true},
			{Starts: []begin{b}, Early: true, NoWait: true, Depth: 5},
			{Starts: []begin{a, b}},
			{Starts: []begin{a}},
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
				t.Errorf(
					"%d vertices and %d edges, planned %d and %d",
					g.NumVertices(),
					g.NumEdges(),
					p.Vertices,
					p.Edges,
				)
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

// With one start, no end and no slots the graph is that of maps.Expand, byte for byte.
func TestOldImport(t *testing.T) {
	w, err := datasets.Helsinki()
	if err != nil {
		t.Fatal(err)
	}
	start, _ := w.Find(datasets.MapStart)
	for _, o := range []maps.ExpandOptions{
		{Depth: 6}, {Depth: 5, NoWait: true}, {Depth: 10, Dummies: true, All: true, Nodes: datasets.HeightsSize},
	} {
		o.Start = datasets.MapStart
		want, err := maps.Expand(w, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := slots.Expand(
			w,
			options{
				Starts:  []begin{{Node: start}},
				Depth:   o.Depth,
				NoWait:  o.NoWait,
				Dummies: o.Dummies,
				All:     o.All,
				Nodes:   o.Nodes,
			},
		)
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
	want, err := maps.Expand(w, maps.ExpandOptions{Start: datasets.MapStart, Depth: 6})
	if err != nil {
		t.Fatal(err)
	}
	got, err := slots.Expand(w, options{Starts: []begin{{Node: start}}, Depth: 6, Slot: 3600, Speed: 1.4})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(want.Meta().Names, got.Meta().Names) || want.NumEdges() != got.NumEdges() ||
		!slices.Equal(want.Meta().Place, got.Meta().Place) {
		t.Error("slots that hold every move change the graph")
	}
}

// TestClock holds clock windows in conditions against enumeration, with a source and without.
func TestClock(t *testing.T) {
	w, times, _ := mapOf(t, roads, maps.Directed)
	starts := []begin{{Node: node(t, w, "A")}, {Node: node(t, w, "B")}}
	for _, n := range []int{1, 2} {
		g, err := slots.Expand(
			w,
			options{Starts: starts[:n], Ends: []int{node(t, w, "E"), node(t, w, "F")}, Absorb: true,
				Depth: 8, Slot: 60, Times: times, From: "8:00"},
		)
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
