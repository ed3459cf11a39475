package sequences_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
)

// walksOf makes walks of lines of names.
func walksOf(t testing.TB, lines ...string) *sequences.Walks {
	t.Helper()
	w := sequences.New()
	for _, s := range lines {
		if err := w.Add(strings.Fields(s), 1); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// language enumerates what paths there should be: all sequences of shortest to longest names that begin and end where
// they may, by the moves that there are.
func language(
	names []string,
	move func(a, b string) bool,
	start, end func(string) bool,
	shortest, longest int,
) (list []string) {
	var extend func(walk []string)
	extend = func(walk []string) {
		n := len(walk)
		if n >= shortest && end(walk[n-1]) {
			list = append(list, strings.Join(walk, " "))
		}
		if n == longest {
			return
		}
		for _, b := range names {
			if move(walk[n-1], b) {
				extend(append(slices.Clone(walk), b))
			}
		}
	}
	for _, a := range names {
		if start(a) {
			extend([]string{a})
		}
	}
	slices.Sort(list)
	return list
}

// TestGraphIsLanguage holds all paths of graphs against enumeration of what they should be.
func TestGraphIsLanguage(t *testing.T) {
	lines := []string{"A B C", "B C", "C A B D", "B B", "D A C A"}
	any := func(string) bool { return true }
	among := func(list ...string) func(string) bool { return func(s string) bool { return slices.Contains(list, s) } }
	pairs := func(list ...string) func(a, b string) bool {
		return func(a, b string) bool { return slices.Contains(list, a+b) }
	}
	seen := pairs("AB", "BC", "CA", "BD", "BB", "DA", "AC")
	for _, c := range []struct {
		name              string
		o                 sequences.Options
		move              func(a, b string) bool
		start, end        func(string) bool
		shortest, longest int
		left              string
	}{
		{"seen", sequences.Options{}, seen, any, any, 2, 4, ""},
		{"all", sequences.Options{Edges: sequences.All}, func(_, _ string) bool { return true }, any, any, 2, 4, ""},
		{"given", sequences.Options{Edges: sequences.Given, Moves: [][2]string{{"A", "B"}, {"B", "C"}, {"C", "A"}, {"B", "D"},
			{"C", "E"}, {"B", "B"}}},
			pairs("AB", "BC", "CA", "BD", "CE", "BB"), any, any, 2, 4, "left out 1: a move that the edges lack"},
		{"starts", sequences.Options{Starts: []string{"B", "C"}}, pairs("BC", "CA", "AB", "BD", "BB"), among("B", "C"), any,
			2, 4, "left out 2: begins elsewhere"},
		{"ends", sequences.Options{Ends: []string{"C", "A"}}, pairs("AB", "BC", "DA", "AC", "CA"), any, among("A", "C"), 2, 4,
			"left out 2: ends elsewhere"},
		{"prefix", sequences.Options{Prefix: 2}, pairs("AB", "BC", "CA", "BB", "DA"), any, any, 2, 2, ""},
		{"max", sequences.Options{MaxLength: 3}, pairs("AB", "BC", "BB"), any, any, 2, 3, "left out 2: longer"},
		{"rare", sequences.Options{MinCount: 3}, pairs("AB", "BC", "BB"), any, any, 2, 3, "left out 2: a place that too few"},
	} {
		r := graphOf(t, c.o, walksOf(t, lines...))
		var got []string
		name := sequences.Names(r.Graph)
		for p := range r.Graph.Paths() {
			got = append(got, strings.Join(name(p), " "))
		}
		slices.Sort(got)
		names := []string{"A", "B", "C", "D"}
		switch c.name {
		case "given":
			names = append(names, "E")
		case "max", "rare":
			names = names[:3]
		}
		if want := language(names, c.move, c.start, c.end, c.shortest, c.longest); !slices.Equal(got, want) {
			t.Errorf("%s: %d paths %q, want %d %q", c.name, len(got), got, len(want), want)
		}
		if left := r.Report.List(); c.left == "" && len(left) > 0 ||
			c.left != "" && (len(left) != 1 || !strings.HasPrefix(left[0].String(), c.left)) {
			t.Errorf("%s: %v, want %q", c.name, left, c.left)
		}
		if slices.Contains(r.Graph.Reachable(), false) {
			t.Errorf("%s: a vertex is on no path", c.name)
		}
		place := r.Graph.Meta().Place
		at := map[string]int{}
		for v := range r.Graph.NumVertices() {
			if p, known := at[r.Graph.Name(v)]; known && p != place[v] {
				t.Errorf("%s: %s has the places %d and %d", c.name, r.Graph.Name(v), p, place[v])
			}
			at[r.Graph.Name(v)] = place[v]
		}
	}
}

// The graph is the same for any order of the walks, and for any split of them into sets; equal walks are one path.
func TestSameGraph(t *testing.T) {
	bytesOf := func(g *ddps.LayeredGraph) string {
		var b bytes.Buffer
		if _, err := g.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	a := graphOf(t, sequences.Options{}, walksOf(t, "10 9 2", "9 2", "2 10", "9 2"))
	b := graphOf(t, sequences.Options{}, walksOf(t, "2 10", "9 2"), walksOf(t, "10 9 2"))
	if bytesOf(a.Graph) != bytesOf(b.Graph) {
		t.Error("another order of the walks makes another graph")
	}
	if d := a.Data[0]; len(d.Paths) != 3 || !slices.Equal(d.Counts, []int{1, 2, 1}) {
		t.Errorf("counts %v", d.Counts)
	}
	if names := a.Graph.Meta().Names; !slices.Equal(names[1:4], []string{"2", "9", "10"}) {
		t.Errorf("the places of numbers are not in their order: %v", names)
	}
}

// A place called END does not become the end of a walk.
func TestPlaceCalledEnd(t *testing.T) {
	r := graphOf(t, sequences.Options{}, walksOf(t, "END source", "source END source"))
	name := sequences.Names(r.Graph)
	if got := fmt.Sprint(name(r.Data[0].Paths[0]), name(r.Data[0].Paths[1])); got != "[END source] [source END source]" {
		t.Errorf("%s", got)
	}
	if r.Graph.Meta().Attr[ddps.AttrEnd] != "END_" {
		t.Errorf("attributes %v", r.Graph.Meta().Attr)
	}
}

func TestMakeErrors(t *testing.T) {
	w := walksOf(t, "A B", "B A")
	for want, o := range map[string]sequences.Options{
		`start "Bb" is a place of no walk`:                            {Starts: []string{"Bb"}},
		`end "X" is a place of no walk`:                               {Ends: []string{"X"}},
		"no walk is left: left out 2: longer than the maximum length": {MaxLength: 1},
		"no edges are given":                                          {Edges: sequences.Given},
		"expected 0 or more":                                          {Prefix: -1},
		"left out 2: a move that the edges lack (first: from \"A\" to \"B\", at place 1)": {Edges: sequences.Given,
			Moves: [][2]string{{"A", "A"}}},
	} {
		if _, err := sequences.Make(o, w); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// On counts what is no path of the graph, by reason, as often as it stands.
func TestImpossible(t *testing.T) {
	r := graphOf(t, sequences.Options{Ends: []string{"B", "C"}}, walksOf(t, "A B C", "B C", "A B A B"))
	w := walksOf(t, "A B C", "A B", "A X", "C A", "A B C", "A B A B A B", "A B C", "A X", "B A", "C", "A A")
	d, report := sequences.On(r.Graph, w)
	if d.Total() != 4 || len(d.Paths) != 2 {
		t.Errorf("%d walks of %d paths", d.Total(), len(d.Paths))
	}
	for reason, n := range map[sequences.Reason]int{sequences.Unknown: 2, sequences.NoMove: 1, sequences.NotSoLong: 1,
		sequences.NoEnd: 1, sequences.NoStart: 2} {
		if report.N(reason) != n {
			t.Errorf("%s: %d, want %d; %v", reason, report.N(reason), n, report.List())
		}
	}
	if report.Total() != 7 {
		t.Errorf("%v", report.List())
	}
	// A graph without source and END takes walks from its first vertex to its last layer.
	d, report = sequences.On(ddps.Example(), walksOf(t, "A C G H", "C G H", "A C", "A B G H"))
	if d.Total() != 1 || report.N(sequences.NoStart) != 1 || report.N(sequences.NotLong) != 1 ||
		report.N(sequences.NoMove) != 1 {
		t.Errorf("%v, %v", d, report.List())
	}
}

// A split by walk takes as many walks as it should, each as often as any other, and leaves none out.
func TestSplit(t *testing.T) {
	r := graphOf(t, sequences.Options{}, walksOf(t, "A B", "A B", "A B", "B A", "A A", "A B"))
	times := map[string]int{}
	name := sequences.Names(r.Graph)
	const rounds = 6000
	for seed := range uint64(rounds) {
		train, test := sequences.SplitWalks(r.Data[0], 1./3, seed)
		if train.Total() != 4 || test.Total() != 2 {
			t.Fatalf("%d and %d walks", train.Total(), test.Total())
		}
		for i, p := range test.Paths {
			times[strings.Join(name(p), "")] += test.Counts[i]
		}
	}
	// A walk is in test with probability 1/3: of AB, four are; the deviation is below 5 of its standard errors.
	for walk, n := range map[string]float64{"AB": 4, "BA": 1, "AA": 1} {
		if got, want := float64(times[walk]), rounds*n/3; (got-want)*(got-want) > 25*rounds*n/3 {
			t.Errorf("%s: %v of %v", walk, got, want)
		}
	}
	train, test := sequences.SplitWalks(r.Data[0], 0.5, 1)
	if known, total := sequences.KnownWalks(train, test); total != 3 || known > total {
		t.Errorf("%d of %d", known, total)
	}
	w := walksOf(t, "A", "B", "C", "D")
	a, b := w.Split(0.25, 7)
	c, _ := w.Split(0.25, 7)
	if a.Len() != 3 || b.Len() != 1 || text(a) != text(c) {
		t.Errorf("%s | %s | %s", text(a), text(b), text(c))
	}
}

// KnownWalks counts walks, not paths.
func TestKnownWalks(t *testing.T) {
	r := graphOf(t, sequences.Options{}, walksOf(t, "A B", "B A"), walksOf(t, "A B", "A B", "A A", "B A"))
	if known, total := sequences.KnownWalks(r.Data[0], r.Data[1]); known != 3 || total != 4 {
		t.Errorf("%d of %d", known, total)
	}
}
