package slots_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/datasets/slots"
	"github.com/ddps-go/ddps/datasets/tracks"
	"github.com/ddps-go/ddps/ddps"
)

// TestDraw holds the starts of draws against their weights, and paths from a start against the uniform distribution.
func TestDraw(t *testing.T) {
	w, times, _ := mapOf(t, roads, maps.Directed)
	g, err := slots.Expand(
		w,
		options{Starts: []begin{{Node: node(t, w, "B"), Weight: 3}, {Node: node(t, w, "A"), Weight: 1}},
			Ends: []int{node(t, w, "E")}, Absorb: true, NoWait: true, Depth: 6, Slot: 60, Times: times},
	)
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
	w, err := maps.NewWorld(
		[]maps.Node{{ID: 1, Lon: 179, Lat: 0}, {ID: 2, Lon: -179, Lat: 1}},
		[]maps.Edge{{From: 0, To: 1, Length: 300}},
		false,
	)
	if err != nil {
		t.Fatal(err)
	}
	g, err := slots.Expand(
		w,
		options{Starts: []begin{{Node: 0}}, Ends: []int{1}, Depth: 4, Slot: 100, Speed: 1},
	)
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

// Each path of a graph with several starts and ends comes back from its places, as a track and as a walk.
func TestTracksComeBack(t *testing.T) {
	w, times, _ := mapOf(t, roads, maps.Directed)
	g, err := slots.Expand(w, options{Starts: []begin{{Node: node(t, w, "A")}, {Node: node(t, w, "B")}},
		Ends: []int{node(t, w, "E"), node(t, w, "F")}, Absorb: true, Depth: 7, Slot: 60, Times: times})
	if err != nil {
		t.Fatal(err)
	}
	var paths []ddps.Path
	list, pads := &tracks.Tracks{Steps: true}, g.Pads()
	for p := range g.Paths() {
		for l, v := range p {
			if pads[v] {
				continue
			}
			list.Fixes = append(
				list.Fixes,
				tracks.Fix{
					Track: fmt.Sprint(len(paths)),
					Time:  float64(10 + l),
					Place: g.Name(v),
					File:  "t",
					Line:  len(list.Fixes) + 1,
				},
			)
		}
		paths = append(paths, p)
	}
	d, report, err := tracks.Match(g, list, tracks.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(d.Paths, paths) || len(report.Refused()) != 0 || report.Filled != 0 {
		t.Errorf("%d paths of %d; %v", len(d.Paths), len(paths), report.Refused())
	}
	counts := make([]int, len(paths))
	for i := range counts {
		counts[i] = 1
	}
	walks, err := sequences.FromPaths(g, paths, counts)
	if err != nil {
		t.Fatal(err)
	}
	again, left := sequences.On(g, walks)
	if left.Total() != 0 || !reflect.DeepEqual(again.Paths, paths) {
		t.Errorf("%v", left.List())
	}
	// A track that ends where no path may is refused.
	short := &tracks.Tracks{
		Steps: true,
		Fixes: []tracks.Fix{
			{Track: "x", Place: "A", File: "t", Line: 1},
			{Track: "x", Time: 1, Place: "C", File: "t", Line: 2},
		},
	}
	if _, _, err := tracks.Match(g, short, tracks.Options{}); err == nil ||
		!strings.Contains(err.Error(), "1 too short") {
		t.Errorf("%v", err)
	}
}
