package slots_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/datasets/slots"
)

// TestNotes wants what is rounded, left out and pruned in words.
func TestNotes(t *testing.T) {
	w, times, read := mapOf(t, roads, maps.Directed)
	var notes []string
	_, err := slots.Expand(
		w,
		options{Starts: []begin{{Node: node(t, w, "A")}}, Ends: []int{node(t, w, "E")}, NoWait: true,
			Depth: 7, Slot: 60, Times: times, Note: func(text string) { notes = append(notes, text) }},
	)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(append(read, notes...), "\n")
	for _, want := range []string{`travel times from column "travel_time", in seconds`,
		"7 layers every 1m0s: 6m0s from the first to the last",
		"rounded: ", "(B to D: 20.0 s are 1)", "1 of 12 moves take less than half a slot",
		"slots to the nearest end: 3 from A; the layers have 6",
		"dead ends", "from which no end is reached in time"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
}

// TestMissedEnds: a note names the ends at which no walk ends, at END or in the last layer.
func TestMissedEnds(t *testing.T) {
	w, times, _ := mapOf(t, roads, maps.Directed)
	for _, o := range []options{
		{Absorb: true, Depth: 7}, {Early: true, Depth: 7}, {Depth: 7},
		{Absorb: true, Depth: 3}, {Early: true, Depth: 3}, {Depth: 3},
	} {
		o.Starts, o.Slot, o.Times = []begin{{Node: node(t, w, "A")}}, 60, times
		o.Ends = []int{node(t, w, "G"), node(t, w, "A"), node(t, w, "C")}
		var notes []string
		o.Note = func(text string) { notes = append(notes, text) }
		g, err := slots.Expand(w, o)
		if err != nil {
			t.Fatal(err)
		}
		last, walk := map[string]bool{}, sequences.Names(g)
		for p := range g.Paths() {
			list := walk(p)
			last[list[len(list)-1]] = true
		}
		var want []string
		for _, name := range []string{"G", "A", "C"} {
			if !last[name] {
				want = append(want, name)
			}
		}
		told := "no path ends at " + strings.Join(want, ", ")
		if all := strings.Join(notes, "\n"); strings.Contains(all, "no path ends at") != (want != nil) ||
			want != nil && !strings.HasSuffix(all, told) {
			t.Errorf("%+v: want %q in\n%s", o, told, all)
		}
	}
}

// TestErrors wants one clear error for each wrong option.
func TestErrors(t *testing.T) {
	w, times, _ := mapOf(t, roads, maps.Directed)
	a, e, g := begin{Node: node(t, w, "A")}, node(t, w, "E"), node(t, w, "G")
	holes := slices.Clone(times)
	holes[0] = math.NaN()
	bare := *w
	bare.Edges = slices.Clone(w.Edges)
	for i := range bare.Edges {
		bare.Edges[i].Time = 0
	}
	for want, o := range map[string]options{
		"no start":                   {},
		"start A is given twice":     {Starts: []begin{a, a}},
		"start 99 is not on the map": {Starts: []begin{{Node: 99}}},
		"no end":                     {Starts: []begin{a}, Absorb: true},
		"not both":                   {Starts: []begin{a}, Ends: []int{e}, Depth: 3, Absorb: true, Early: true},
		"depth 1":                    {Starts: []begin{a}, Depth: 1},
		"go with slots":              {Starts: []begin{a}, Depth: 3, Speed: 1},
		"from \"8\" is not H:MM":     {Starts: []begin{a}, Depth: 3, Slot: 60, Times: times, From: "8"},
		"the move from A to C has no travel time, and there is no speed": {Starts: []begin{a}, Depth: 3, Slot: 60,
			Times: holes},
		"from start A the nearest end takes 3 slots, and 3 layers have 2": {Starts: []begin{a}, Ends: []int{e}, Depth: 3,
			Slot: 60, Times: times},
		"from start G no end is reached": {Starts: []begin{{Node: g}}, Ends: []int{e},
			Depth: 3, Slot: 60, Times: times},
		"no walk from start G is at an end in time, or goes on for 3 layers": {Starts: []begin{{Node: g}}, NoWait: true,
			Depth: 3, Slot: 60, Times: times},
		"neither coordinates nor lengths": {Starts: []begin{a}, Depth: 3, Slot: 60,
			Speed: 1},
		"GiB of memory, of which there are 9.31e-06: a depth of 3 fits": {Starts: []begin{a}, Depth: 30, Slot: 60,
			Times: times, Memory: 10_000},
		"some starts have a weight": {Starts: []begin{a, {Node: e, Weight: 1}},
			Depth: 3},
	} {
		if _, err := slots.Expand(&bare, o); err == nil || !strings.HasPrefix(err.Error(), "slots: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for want, text := range map[string]string{
		"t.csv:2: travel time \"x\"": "from,to,time\nA,C,x\n",
		"no column travel_time":      "from,to,length\nA,C,3\n",
		"no row has":                 "from,to,time\nA,B,3\n",
		`t.csv:4: another travel time from "A" to "C" is in line 2`: "from,to,minutes\nA,C,1\nA,C,1\nA,C,2\n",
	} {
		if _, _, _, err := slots.ReadTimes("t.csv", strings.NewReader(text), w); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestTimesEachWay reads times that differ by direction of an undirected map, in whatever order the rows are.
func TestTimesEachWay(t *testing.T) {
	undirected, err := maps.Read("m.csv", strings.NewReader("from,to\nA,B\nB,C\nC,D\n"), maps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for text, directed := range map[string]bool{
		"A,B,60\nB,C,60\nC,B,300\nC,D,70\n":         true,
		"C,B,300\nC,D,70\nB,C,60\nA,B,60\nA,B,60\n": true,
		"A,B,60\nB,C,60\nC,B,60\nC,D,70\n":          false,
	} {
		w, times, notes, err := slots.ReadTimes("t.csv", strings.NewReader("from,to,travel_time\n"+text), undirected)
		if err != nil || w.Directed != directed {
			t.Fatal(text, w, err)
		}
		told := strings.Contains(strings.Join(notes, "\n"), "1 of 3 edges have another travel time each way")
		if told != directed {
			t.Error(text, notes)
		}
		var got []string
		for e, edge := range w.Edges {
			got = append(got, fmt.Sprint(w.Nodes[edge.From].Label(), w.Nodes[edge.To].Label(), times[e]))
		}
		want := "AB60 BA60 BC60 CB300 CD70 DC70"
		if !directed {
			want = "AB60 BC60 CD70"
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
}
