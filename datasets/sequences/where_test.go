package sequences_test

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide/where"
)

// TestConditions holds conditions on starts, ends, lengths and returns against the names of all paths, also where a
// place is called END.
func TestConditions(t *testing.T) {
	for _, lines := range [][]string{{"A B C", "B C", "C A B A", "A"}, {"END B C", "B C", "C END B END", "END"}} {
		r := graphOf(t, sequences.Options{}, walksOf(t, lines...))
		a := strings.Fields(lines[0])[0]
		name := sequences.Names(r.Graph)
		for text, holds := range map[string]func(w []string) bool{
			fmt.Sprintf("start(%q)", a): func(w []string) bool { return w[0] == a },
			fmt.Sprintf("end(%q)", a):   func(w []string) bool { return w[len(w)-1] == a },
			"length 2..3":               func(w []string) bool { return len(w) >= 2 && len(w) <= 3 },
			fmt.Sprintf("visits(%q) >= 2", a): func(w []string) bool {
				return len(w)-len(slices.DeleteFunc(slices.Clone(w), func(s string) bool { return s == a })) >= 2
			},
			`regex('B C')`:                  func(w []string) bool { return slices.Equal(w, []string{"B", "C"}) },
			fmt.Sprintf("not visit(%q)", a): func(w []string) bool { return !slices.Contains(w, a) },
		} {
			x, err := where.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			c, err := x.Condition(r.Graph, nil)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			met, all := 0, 0
			for p := range r.Graph.Paths() {
				got := !math.IsInf(c.LogWeight(p), -1)
				if all++; got {
					met++
				}
				if got != holds(name(p)) {
					t.Errorf("%s: %v: %v", text, name(p), got)
				}
			}
			if met == 0 || met == all {
				t.Errorf("%s: %d of %d paths", text, met, all)
			}
		}
	}
}

// A graph read from its file maps the same walks onto the same paths as the graph that was made.
func TestGraphFile(t *testing.T) {
	w := walksOf(t, "A B C", "B C", "C A B A", "A", "B C")
	r := graphOf(t, sequences.Options{}, w)
	var b bytes.Buffer
	if _, err := r.Graph.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	g, err := ddps.ReadGraph(&b)
	if err != nil {
		t.Fatal(err)
	}
	d, report := sequences.On(g, w)
	if report.Total() != 0 || !reflect.DeepEqual(d.Paths, r.Data[0].Paths) ||
		!slices.Equal(d.Counts, r.Data[0].Counts) {
		t.Errorf("%v, %v", d.Paths, r.Data[0].Paths)
	}
}

// TestMoves reads moves with a header, without, and wrong.
func TestMoves(t *testing.T) {
	want := [][2]string{{"A", "B"}, {"B", "B"}}
	for _, in := range []string{"from,to,length\nA,B,3\nB,B,1\n", "A B\n# a note\nB B\n", "to;who;from\nB;x;A\nB;y;B\n",
		"A\tB\nB\tB"} {
		if moves, _, err := sequences.ReadMoves("m", strings.NewReader(in)); err != nil || !slices.Equal(moves, want) {
			t.Errorf("%q: %v, %v", in, moves, err)
		}
	}
	for in, text := range map[string]string{"": "no move in the file", "A,B\nC\n": "m:2: expected two names",
		"A,\n": "m:1: expected two names"} {
		if _, _, err := sequences.ReadMoves("m", strings.NewReader(in)); err == nil ||
			!strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v, want %q", in, err, text)
		}
	}
}
