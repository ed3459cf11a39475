package compare_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps/compare"
)

// walkData makes data of walks, of the graph of all of them.
func walkData(t *testing.T, sets ...string) []*datasets.Data {
	t.Helper()
	var all []*sequences.Walks
	for _, s := range sets {
		w, err := sequences.Read("w.txt", strings.NewReader(s), sequences.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	r, err := sequences.Make(sequences.Options{}, all...)
	if err != nil {
		t.Fatal(err)
	}
	return r.Data
}

// The features of a few walks, by hand.
func TestFeatures(t *testing.T) {
	d := walkData(t, "A B A\nB C\nA B A\nC A B\n", "A B\nA B A\n")
	target, err := compare.DataTarget(d[0].Graph, d[0])
	if err != nil {
		t.Fatal(err)
	}
	if target.Walks != 4 {
		t.Fatalf("%d walks", target.Walks)
	}
	list, err := compare.Features(context.Background(), target, d[1].Paths, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	// reference: lengths 2, 3³; starts A² B C; ends A² C B; returns ½; revisits ½; moves AB³ BA² BC CA of 7
	// samples: lengths 2, 3; starts A²; ends B, A; returns ½; revisits ½; moves AB² BA of 3
	want := map[string][3]float64{"lengths": {2.75, 2.5, .25}, "starts": {math.NaN(), math.NaN(), .5},
		"ends":    {math.NaN(), math.NaN(), .25},
		"returns": {.5, .5, 0}, "revisits": {.5, .5, 0}, "edges": {math.NaN(), math.NaN(), 2. / 7}}
	want["edges"] = [3]float64{math.NaN(), math.NaN(), (math.Abs(3./7-2./3) + math.Abs(2./7-1./3) + 2./7) / 2}
	if len(list) != len(want) {
		t.Errorf("%d features", len(list))
	}
	same := func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-12 || math.IsNaN(a) && math.IsNaN(b) }
	for _, x := range list {
		w := want[x.Key]
		if !same(x.Reference, w[0]) || !same(x.Samples, w[1]) || !same(x.Value.Value, w[2]) || !math.IsNaN(x.Floor) {
			t.Errorf("%s: %v, %v, distance %v, want %v", x.Key, x.Reference, x.Samples, x.Value.Value, w)
		}
	}
}

// A floor of two finite samples is above that of an exact reference, and the distance of a sample of the reference lies
// about it.
func TestFeatureFloors(t *testing.T) {
	d := walkData(t, strings.Repeat("A B A\nB C\nA C A B\nC A B\nB\n", 20))[0]
	target, err := compare.DataTarget(d.Graph, d)
	if err != nil {
		t.Fatal(err)
	}
	sample := target.Draw(100, 9, 9)
	finite, err := compare.Features(context.Background(), target, sample, 200, 1)
	if err != nil {
		t.Fatal(err)
	}
	target.Walks = 0
	exact, err := compare.Features(context.Background(), target, sample, 200, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range finite {
		ratio := x.Floor / exact[i].Floor // √2 for large samples
		if !(ratio > 1.2 && ratio < 1.6) || !(x.Value.Value < x.High) ||
			x.Value != (compare.Value{Value: exact[i].Value.Value, Floor: x.Floor, High: x.High}) {
			t.Errorf("%s: distance %v, floor %v, highest %v; exact %v", x.Key, x.Value.Value, x.Floor, x.High, exact[i].Floor)
		}
	}
}
