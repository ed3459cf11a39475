package slots_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/datasets/slots"
	"github.com/ddps-go/ddps/datasets/tracks"
)

// GPS tracks with several starts, ends and lengths become paths: a grid of streets 100 m apart, a step a minute.
func TestGPS(t *testing.T) {
	const step = 0.0009 // degrees of latitude: 100 m
	var nodes []maps.Node
	var edges []maps.Edge
	for i := range 9 {
		nodes = append(nodes, maps.Node{ID: int64(i + 1), Lon: step * float64(i%3), Lat: step * float64(i/3)})
		if i%3 < 2 {
			edges = append(edges, maps.Edge{From: i, To: i + 1})
		}
		if i < 6 {
			edges = append(edges, maps.Edge{From: i, To: i + 3})
		}
	}
	w, err := maps.NewWorld(nodes, edges, false)
	if err != nil {
		t.Fatal(err)
	}
	seen := &tracks.Tracks{}
	walks := [][]int{{0, 1, 2, 5}, {0, 3}, {8, 7, 7, 4, 3}, {8, 7}, {0, 1, 2, 5}}
	for k, walk := range walks {
		for l, i := range walk { // 20 m off
			seen.Fixes = append(seen.Fixes, tracks.Fix{Track: fmt.Sprint(k), Time: float64(60*l + 5), File: "f",
				Line: len(seen.Fixes) + 1, Lon: nodes[i].Lon + 0.0001, Lat: nodes[i].Lat - 0.00015})
		}
	}
	far := tracks.Fix{Track: "far", Lon: 1, File: "f", Line: 99}
	seen.Fixes = append(seen.Fixes, far)
	starts, ends, note, err := slots.Extremes(w, seen, 40)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(starts, []begin{{Node: 0, Weight: 3}, {Node: 8, Weight: 2}}) ||
		!slices.Equal(ends, []int{3, 5, 7}) {
		t.Errorf("starts %v, ends %v", starts, ends)
	}
	if !strings.Contains(note, "5 tracks begin at 2 places and end at 3; 1 begin or end farther than 40 m") {
		t.Errorf("note %q", note)
	}
	g, err := slots.Expand(w, options{Starts: starts, Ends: ends, Early: true, Depth: 6, Slot: 60, Speed: 100. / 60})
	if err != nil {
		t.Fatal(err)
	}
	seen.Fixes = seen.Fixes[:len(seen.Fixes)-1]
	d, report, err := tracks.Match(g, seen, tracks.Options{Every: 60, Radius: 40})
	if err != nil {
		t.Fatal(err)
	}
	name := sequences.Names(g)
	var got []string
	for _, p := range d.Paths {
		got = append(got, strings.Join(name(p), " "))
	}
	if want := []string{"1 2 3 6", "1 4", "9 8 8 5 4", "9 8"}; !slices.Equal(got, want) ||
		!slices.Equal(d.Counts, []int{2, 1, 1, 1}) {
		t.Errorf("%q %v, want %q; %v", got, d.Counts, want, report.Refused())
	}
	if _, _, _, err := slots.Extremes(w, &tracks.Tracks{Fixes: []tracks.Fix{far}}, 40); err == nil {
		t.Error("a track far from the map has a start")
	}
	if weights, err := slots.StartWeights(g); err != nil || !reflect.DeepEqual(weights, []float64{3, 2}) {
		t.Errorf("%v, %v", weights, err)
	}
}
