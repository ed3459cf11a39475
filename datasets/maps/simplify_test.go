package maps

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// A cross of streets with points on the way: the points go, lengths add up, what is kept stays, a ring without a
// crossing keeps one node.
func TestSimplify(t *testing.T) {
	at := func(id int64, x, y float64) Node { return Node{ID: id, Lon: x / 1000, Lat: y / 1000} }
	nodes := []Node{at(1, 0, 0), at(2, 1, 0), at(3, 2, 0), at(4, 3, 0), at(5, 2, 1), at(6, 2, 2), // 3 is a crossing
		at(10, 9, 9), at(11, 9, 8), at(12, 8, 8)} // a ring
	edges := []Edge{{From: 0, To: 1, Length: 5}, {From: 1, To: 2, Length: 6}, {From: 2, To: 3, Length: 7},
		{From: 2, To: 4, Length: 8}, {From: 4, To: 5, Length: 9},
		{From: 6, To: 7, Length: 1}, {From: 7, To: 8, Length: 1}, {From: 6, To: 8, Length: 1}}
	w, err := NewWorld(nodes, edges, false)
	if err != nil {
		t.Fatal(err)
	}
	check := func(w *World, want map[[2]int64]float64, ids ...int64) {
		t.Helper()
		var got []int64
		for _, n := range w.Nodes {
			got = append(got, n.ID)
		}
		if !slices.Equal(got, ids) || len(w.Edges) != len(want) {
			t.Errorf("nodes %v, edges %v; expected %v, %v", got, w.Edges, ids, want)
		}
		for _, e := range w.Edges {
			if l := want[[2]int64{w.Nodes[e.From].ID, w.Nodes[e.To].ID}]; l != e.Length {
				t.Errorf("%v: expected length %v", e, l)
			}
		}
	}
	s, err := w.Simplify()
	if err != nil {
		t.Fatal(err)
	}
	check(s, map[[2]int64]float64{{1, 3}: 11, {3, 4}: 7, {3, 6}: 17}, 1, 3, 4, 6, 10)
	if s, err = w.Simplify(2); err != nil {
		t.Fatal(err)
	}
	check(s, map[[2]int64]float64{{1, 2}: 5, {2, 3}: 6, {3, 4}: 7, {3, 6}: 17}, 1, 2, 3, 4, 6, 10)

	// one way into 2 and no way out but to 3: it leads on; a street both ways that becomes one way does not
	one, err := NewWorld(nodes[:4], []Edge{{From: 0, To: 1, Length: 5, Time: 2},
		{From: 1, To: 2, Length: 6, Time: 3, Street: "High Street"}, {From: 2, To: 3, Length: 7},
		{From: 3, To: 2, Length: 7}}, true)
	if err == nil {
		one, err = one.Simplify()
	}
	if err != nil {
		t.Fatal(err)
	}
	if e := one.Edges[0]; e.Time != 5 || e.Street != "High Street" {
		t.Errorf("%+v: expected 5 s in High Street", e)
	}
	check(one, map[[2]int64]float64{{1, 3}: 11, {3, 4}: 7, {4, 3}: 7}, 1, 3, 4)
}

// Simplified, the shortest ways between the crossings of a real town are as long as before.
func TestSimplifyKeepsDistances(t *testing.T) {
	w, err := ReadFile("helsinki.osm.pbf", Options{Network: Drive})
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.Simplify()
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Nodes) >= len(w.Nodes)/2 {
		t.Errorf("%d of %d nodes are left", len(s.Nodes), len(w.Nodes))
	}
	for _, n := range s.Nodes[:5] {
		i, _ := w.Find(n.ID)
		j, _ := s.Find(n.ID)
		long, short := shortest(w, i), shortest(s, j)
		for k, m := range s.Nodes {
			if o, _ := w.Find(m.ID); math.Abs(long[o]-short[k]) > 1e-6 {
				t.Fatalf("from %d to %d: %v m, simplified %v m", n.ID, m.ID, long[o], short[k])
			}
		}
	}
}

// shortest returns the lengths of the shortest ways from node i, 1e9 where there is none (Bellman–Ford).
func shortest(w *World, i int) []float64 {
	d := make([]float64, len(w.Nodes))
	for k := range d {
		d[k] = 1e9
	}
	d[i] = 0
	for changed := true; changed; {
		changed = false
		for _, e := range w.Edges {
			for _, ends := range [][2]int{{e.From, e.To}, {e.To, e.From}} {
				if x := d[ends[0]] + e.Length; x < d[ends[1]]-1e-9 {
					d[ends[1]], changed = x, true
				}
			}
		}
	}
	return d
}

// Networks leave out what is no street of theirs, and say so; other formats have none.
func TestNetwork(t *testing.T) {
	count := map[Network]int{}
	for n := AllWays; n <= Bike; n++ {
		list, err := StreetsFile("helsinki.osm.pbf", n)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			count[n] += len(s.Line) - 1
		}
		w, err := ReadFile("helsinki.osm.pbf", Options{Network: n})
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(strings.Join(w.Notes, "\n"), "no part of the network"); said != (n != AllWays) {
			t.Errorf("%v: notes %q", n, w.Notes)
		}
		if len(w.Edges)+w.Skipped.Duplicates != count[n] {
			t.Errorf("%v: %d edges and %d duplicates, but %d pieces are drawn", n, len(w.Edges), w.Skipped.Duplicates,
				count[n])
		}
	}
	if !(count[Drive] < count[Bike] && count[Bike] < count[Walk] && count[Walk] < count[AllWays]) {
		t.Errorf("pieces by network: %v", count)
	}
	_, err := Read("x", strings.NewReader("a,b\nb,c\n"), Options{Format: EdgeList, Network: Drive})
	if err == nil || !strings.Contains(err.Error(), "goes with OpenStreetMap files, not with edges") {
		t.Errorf("an edge list: %v", err)
	}
	if _, err := StreetsFile(os.DevNull, AllWays); err == nil {
		t.Error("an empty file has no streets")
	}
}
