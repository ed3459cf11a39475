package datasets_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/tracks"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// written is a table as text: columns in an order drawn from a seed, one of its separators, CRLF or LF, UTF-8 with or
// without a mark, or UTF-16.
func written(t testing.TB, rows [][]string, seed uint64) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma, w.UseCRLF = []rune{',', ';', '\t'}[rng.IntN(3)], rng.IntN(2) == 0
	order := rng.Perm(len(rows[0]))
	for _, row := range rows {
		out := make([]string, len(row))
		for i, k := range order {
			out[i] = row[k]
		}
		if err := w.Write(out); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	switch text := b.String(); rng.IntN(3) {
	case 0:
		return text
	case 1:
		return "\ufeff" + text
	default:
		var wide bytes.Buffer
		for _, r := range "\ufeff" + text {
			if r > math.MaxUint16 {
				return text
			}
			wide.Write([]byte{byte(r), byte(r >> 8)})
		}
		return wide.String()
	}
}

// plainName reports whether a name can be that of a vertex, and is the same after any writing and reading.
func plainName(s string) bool {
	return s != "" && ddps.CheckText(s) == nil && strings.TrimSpace(s) == s && !strings.ContainsAny(s, "\n\r\ufeff") &&
		!strings.HasPrefix(s, "#")
}

// FuzzTableForms: paths, rewards and edges are the same whatever the separators, the order of the columns and the
// encoding of the text that they are written in.
func FuzzTableForms(f *testing.F) {
	f.Add("A", "B;1", "C,\"2\"", uint64(1))
	f.Add("Käpylä", "ka\u0308pyla\u0308", "1", uint64(7))
	f.Fuzz(func(t *testing.T, a, b, c string, seed uint64) {
		if !plainName(a) || !plainName(b) || !plainName(c) {
			return
		}
		if x, y, z := names.Normal(a), names.Normal(b), names.Normal(c); x == y || y == z || x == z {
			return // one node of an edge list
		}
		g, err := ddps.New([]int{1, 2, 3}, [][]int{{1, 2}, {3, 4}, {4, 5}, nil, nil, nil})
		if err == nil {
			g, err = g.WithMeta(ddps.Meta{Names: []string{a, b, c, a, b, c}})
		}
		if err != nil {
			t.Fatal(err)
		}
		paths := [][]string{{"v1", "v2", "v3", "count"}, {a, b, a, "2"}, {a, c, c, "3"}}
		d, err := pathfile.ReadCSV("x", strings.NewReader(written(t, paths, seed)), g, pathfile.ByName)
		if err != nil || !slices.Equal(d.Counts, []int{2, 3}) || !slices.Equal(d.Paths[1], ddps.Path{0, 2, 5}) {
			t.Errorf("%+v, %v", d, err)
		}
		u, err := pathfile.ReadRewards("x", strings.NewReader(written(t, [][]string{{"layer", "from", "to", "reward"},
			{"1", a, b, "2.5"}, {"2", c, c, "-1"}}, seed)), g)
		if err != nil || u[0] != 2.5 || u[5] != -1 {
			t.Errorf("%v, %v", u, err)
		}
		tracks, err := tracks.ReadCSV("x", strings.NewReader(written(t, [][]string{{"track", "time", "place"}, {"1", "5", a},
			{"1", "7", c}}, seed)))
		if err != nil || len(tracks.Fixes) != 2 || tracks.Fixes[0].Place != a || tracks.Fixes[1].Time != 7 {
			t.Errorf("%+v, %v", tracks, err)
		}
		w, err := maps.Read("x", strings.NewReader(written(t, [][]string{{"from", "to", "length"}, {a, b, "3"}, {b, c, "0"}},
			seed)), maps.Options{Format: maps.EdgeList})
		if err != nil || len(w.Edges) != 2 {
			t.Fatalf("%+v, %v", w, err)
		}
		i, found := w.FindLabel(b)
		j, found2 := w.FindLabel(c)
		if !found || !found2 || len(w.Heads(i)) != 2 || !slices.Contains(w.Heads(i), j) {
			t.Errorf("%+v", w)
		}
	})
}

// FuzzReadEdges: the edges of any list that is read, written as a list, are read as the same world.
func FuzzReadEdges(f *testing.F) {
	f.Add("from,to,length\nA,B,2\nB,C,0\n")
	f.Add("1;2\n2;3\n")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := maps.Read("fuzz", strings.NewReader(text), maps.Options{Format: maps.EdgeList, Direction: maps.Directed})
		if err != nil || !w.Unplaced || len(w.Edges) == 0 {
			return
		}
		var b bytes.Buffer
		out := csv.NewWriter(&b)
		out.Write([]string{"from", "to", "length"})
		for _, e := range w.Edges {
			out.Write([]string{w.Nodes[e.From].Label(), w.Nodes[e.To].Label(), strconv.FormatFloat(e.Length, 'g', -1, 64)})
		}
		out.Flush()
		back, err := maps.Read("back", &b, maps.Options{Format: maps.EdgeList, Direction: maps.Directed})
		if err != nil {
			t.Fatalf("%q: %v", b.String(), err)
		}
		list := func(w *maps.World) (lines []string) {
			for _, e := range w.Edges {
				lines = append(lines, w.Nodes[e.From].Label()+"→"+w.Nodes[e.To].Label()+strconv.FormatFloat(e.Length, 'g', -1, 64))
			}
			slices.Sort(lines)
			return lines
		}
		if a, b := list(w), list(back); !slices.Equal(a, b) {
			t.Errorf("%q, %q", a, b)
		}
	})
}
