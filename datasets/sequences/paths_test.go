package sequences_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
)

// shared returns where the real sets lie, outside of the repository; it skips the test where they do not.
func shared(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("DDPS_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	dir = filepath.Join(dir, "data", "paths")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the real sets are not here: %v (set DDPS_SHARED); TestSample has some walks of each", err)
	}
	return dir
}

// sets are the real sets of paths, and what their description says of them.
var sets = []struct {
	name                             string
	train, test, distinct            int
	tokens, moves, shortest, longest int
	known                            float64 // share of the test walks that are in train too
}{
	{"names", 25_626, 6_407, 29_494, 26, 575, 2, 15, .133},
	{"flights", 229_433, 57_359, 60_210, 175, 1_598, 2, 9, .875},
	{"sepsis", 726, 182, 704, 16, 108, 3, 20, .286},
	{"mvad", 569, 143, 557, 6, 34, 72, 72, .217},
}

// file returns the file of a set, packed or not.
func file(t testing.TB, dir, name string) string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, name+".txt*"))
	if err != nil || len(list) != 1 {
		t.Fatalf("%s: %v, %v", name, list, err)
	}
	return list[0]
}

// TestRealSets holds all sets against their description, and every test walk against the graph.
func TestRealSets(t *testing.T) {
	dir := shared(t)
	for _, s := range sets {
		t.Run(s.name, func(t *testing.T) {
			train, test := read(t, file(t, dir, s.name+"-train")), read(t, file(t, dir, s.name+"-test"))
			if train.Total() != s.train || test.Total() != s.test {
				t.Errorf("%d and %d walks, want %d and %d", train.Total(), test.Total(), s.train, s.test)
			}
			r := graphOf(t, sequences.Options{}, train, test)
			if n := len(r.Data[0].Paths) + len(r.Data[1].Paths) - common(r.Data[0].Paths, r.Data[1].Paths); n != s.distinct {
				t.Errorf("%d distinct walks, want %d", n, s.distinct)
			}
			checkGraph(t, r.Graph, s.tokens, s.moves, s.shortest, s.longest)
			if r.Report.Total() != 0 {
				t.Errorf("left out: %v", r.Report.List())
			}
			known, total := sequences.KnownWalks(r.Data[0], r.Data[1])
			if share := float64(known) / float64(total); total != s.test ||
				fmt.Sprintf("%.3f", share) != fmt.Sprintf("%.3f", s.known) {
				t.Errorf("%d of %d test walks are of known paths, want a share of %.3f", known, total, s.known)
			}
			for k, w := range []*sequences.Walks{train, test} {
				checkPaths(t, r.Graph, r.Data[k].Paths, r.Data[k].Counts, w)
			}
		})
	}
}

// TestSample does the same for the first walks of each set, with numbers that are counted here.
func TestSample(t *testing.T) {
	for _, s := range sets {
		t.Run(s.name, func(t *testing.T) {
			train, test := read(t, file(t, "testdata", s.name+"-train")), read(t, file(t, "testdata", s.name+"-test"))
			if train.Total() != 60 || test.Total() != 15 {
				t.Fatalf("%d and %d walks", train.Total(), test.Total())
			}
			tokens, moves, shortest, longest := map[string]bool{}, map[[2]string]bool{}, 1000, 0
			for _, w := range []*sequences.Walks{train, test} {
				for i := range w.Len() {
					list := w.Names(i)
					shortest, longest = min(shortest, len(list)), max(longest, len(list))
					for k, name := range list {
						tokens[name] = true
						if k > 0 {
							moves[[2]string{list[k-1], name}] = true
						}
					}
				}
			}
			r := graphOf(t, sequences.Options{}, train, test)
			checkGraph(t, r.Graph, len(tokens), len(moves), shortest, longest)
			for k, w := range []*sequences.Walks{train, test} {
				checkPaths(t, r.Graph, r.Data[k].Paths, r.Data[k].Counts, w)
				on, report := sequences.On(r.Graph, w)
				if report.Total() != 0 || !reflect.DeepEqual(on.Paths, r.Data[k].Paths) ||
					!slices.Equal(on.Counts, r.Data[k].Counts) {
					t.Errorf("On makes other paths than Make: %v", report.List())
				}
			}
		})
	}
}

// common counts the paths that are in both lists.
func common(a, b []ddps.Path) (n int) {
	in := map[string]bool{}
	for _, p := range a {
		in[fmt.Sprint(p)] = true
	}
	for _, p := range b {
		if in[fmt.Sprint(p)] {
			n++
		}
	}
	return n
}

// checkGraph holds a graph of moves seen against the numbers of its walks.
func checkGraph(t *testing.T, g *ddps.LayeredGraph, tokens, moves, shortest, longest int) {
	t.Helper()
	meta, pads := g.Meta(), g.Pads()
	names, pairs := map[string]int{}, map[[2]int]bool{}
	for v := range g.NumVertices() {
		if pads[v] {
			if g.LayerOf(v) > 0 && g.LayerOf(v) <= shortest {
				t.Errorf("END in layer %d, the shortest walk has %d places", g.LayerOf(v), shortest)
			}
			continue
		}
		names[g.Name(v)] = meta.Place[v]
		for _, w := range g.From(v) {
			if !pads[w] {
				pairs[[2]int{meta.Place[v], meta.Place[w]}] = true
			}
		}
	}
	if len(names) != tokens || len(pairs) != moves || g.NumLayers() != longest+1 {
		t.Errorf(
			"%d places, %d moves, %d layers; want %d, %d, %d",
			len(names),
			len(pairs),
			g.NumLayers(),
			tokens,
			moves,
			longest+1,
		)
	}
	ended := slices.Contains(pads[1:], true)
	if ended != (shortest < longest) {
		t.Errorf("END: %v, for walks of %d to %d places", ended, shortest, longest)
	}
	if slices.Contains(g.Reachable(), false) || g.Prune().NumEdges() != g.NumEdges() {
		t.Error("a vertex is on no path")
	}
}

// checkPaths holds paths against the walks they are of: each is a path, and there is as many of each walk.
func checkPaths(t *testing.T, g *ddps.LayeredGraph, paths []ddps.Path, counts []int, w *sequences.Walks) {
	t.Helper()
	count, name := map[string]int{}, sequences.Names(g)
	for i := range w.Len() {
		count[fmt.Sprintf("%q", w.Names(i))] += w.Count(i)
	}
	for i, p := range paths {
		if err := g.Check(p); err != nil {
			t.Fatalf("path %d: %v", i, err)
		}
		count[fmt.Sprintf("%q", name(p))] -= counts[i]
	}
	for key, n := range count {
		if n != 0 {
			t.Fatalf("%s: %d walks without a path", key, n)
		}
	}
}

func read(t testing.TB, files ...string) *sequences.Walks {
	t.Helper()
	w, err := sequences.ReadFile(sequences.ReadOptions{}, files...)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func graphOf(t testing.TB, o sequences.Options, sets ...*sequences.Walks) *sequences.Result {
	t.Helper()
	r, err := sequences.Make(o, sets...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
