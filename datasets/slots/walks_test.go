package slots_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/blocks"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/datasets/slots"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide/where"
)

// slotted returns graphs of the map roads with starts, ends and moves of 1 to 3 slots.
func slotted(t *testing.T) (list []*ddps.LayeredGraph) {
	for _, direction := range []maps.Direction{maps.Directed, maps.Undirected} {
		w, times, _ := mapOf(t, roads, direction)
		a, b := begin{Node: node(t, w, "A")}, begin{Node: node(t, w, "B")}
		e, f := node(t, w, "E"), node(t, w, "F")
		for _, o := range []options{
			{Starts: []begin{a, b}, Ends: []int{e, f}, Absorb: true},
			{Starts: []begin{a, b}, Ends: []int{e, f}, Early: true},
			{Starts: []begin{a}, Ends: []int{e}},
			{Starts: []begin{a, b}},
			{Starts: []begin{a}},
		} {
			o.Slot, o.Times, o.Depth, o.From = 60, times, 6, "8:00"
			g, err := slots.Expand(w, o)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, g)
		}
	}
	return list
}

// Paths are written as walks without what is on the way, each in one way, and read back as the same paths, in every
// format, with times and without.
func TestWrittenWalks(t *testing.T) {
	for i, g := range slotted(t) {
		all, err := datasets.All(g, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		name, seen := sequences.Names(g), map[string]bool{}
		for _, p := range all.Paths {
			text := strings.Join(name(p), " ")
			if strings.ContainsAny(text, ">/") || seen[text] {
				t.Errorf("graph %d: %q, twice %v", i, text, seen[text])
			}
			seen[text] = true
		}
		for _, as := range []struct {
			format string
			by     pathfile.Vertices
		}{{pathfile.CSV, pathfile.ByName}, {pathfile.CSV, pathfile.Timed}, {pathfile.JSONL, pathfile.ByName},
			{pathfile.JSONL, pathfile.Timed}, {pathfile.Lines, pathfile.ByName}, {pathfile.Parquet, pathfile.ByName}} {
			var b bytes.Buffer
			out, err := pathfile.NewWriter(&b, g, as.format, as.by)
			if err == nil {
				err = pathfile.WritePaths(out, all)
			}
			if err != nil {
				t.Fatal(err)
			}
			w, err := sequences.Read("walks", bytes.NewReader(b.Bytes()), sequences.ReadOptions{})
			if err != nil {
				t.Fatalf("graph %d, %v: %v", i, as, err)
			}
			back, report := sequences.On(g, w)
			if report.Total() > 0 || !samePaths(back, all) {
				t.Errorf("graph %d, %v: not read back: %v", i, as, report.List())
			}
			if as.format == pathfile.Parquet {
				continue
			}
			counted(t, g, all, map[string]string{pathfile.Lines: ".txt"}[as.format], as.format, b.Bytes())
		}
	}
}

// counted holds the counts of a file by ranges of bytes against all paths.
func counted(t *testing.T, g *ddps.LayeredGraph, all *datasets.Data, end, format string, text []byte) {
	if end == "" {
		end = "." + format
	}
	file := filepath.Join(t.TempDir(), "walks"+end)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	sizes, total, err := blocks.Sizes([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	c, err := blocks.Count(t.Context(), blocks.Split([]string{file}, sizes, 0, total), g, blocks.Options{Threads: 2,
		Bad: func(e *blocks.RowError) error { return e }})
	if err != nil || !samePaths(c.Data(g), all) {
		t.Errorf("%s: counted otherwise: %v", format, err)
	}
}

func samePaths(a, b *datasets.Data) bool {
	return a != nil && slices.EqualFunc(a.Paths, b.Paths, slices.Equal[ddps.Path]) && slices.Equal(a.Counts, b.Counts)
}

// Conditions speak of places alone: what is on the way is none. Each is held against the walk of names, with what a
// path that ends on the way leads to cut off.
func TestConditionsOfPlaces(t *testing.T) {
	for i, g := range slotted(t) {
		to, walk := g.Headings(), g.WalkNamer()
		for text, holds := range map[string]func(w []string, p ddps.Path) bool{
			"length 3..4":          func(w []string, _ ddps.Path) bool { return len(w) == 3 || len(w) == 4 },
			`visits("D") >= 2`:     func(w []string, _ ddps.Path) bool { return times(w, "D") >= 2 },
			`start("A")`:           func(w []string, _ ddps.Path) bool { return w[0] == "A" },
			`regex('A+ . (D|E)+')`: func(w []string, _ ddps.Path) bool { return whole.MatchString(strings.Join(w, "")) },
			`visit("D", 8:02..8:03)`: func(_ []string, p ddps.Path) bool {
				k := g.FirstPlace()
				return g.Name(p[k+2]) == "D" || g.Name(p[k+3]) == "D"
			},
			`edge("A", "D")`: func(_ []string, p ddps.Path) bool {
				return strings.Contains(strings.Join(walk(p).Names, ""), "AD")
			},
			`end("E")`: func(w []string, p ddps.Path) bool {
				return w[len(w)-1] == "E" && (to == nil || to[p[len(p)-1]] == "")
			},
		} {
			x, err := where.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			c, err := x.Condition(g, nil)
			if err != nil {
				t.Fatalf("graph %d, %s: %v", i, text, err)
			}
			met := 0
			for p := range g.Paths() {
				w := walk(p)
				names := slices.Clone(w.Names)
				if w.Layers[len(names)-1] == g.NumLayers() {
					names = names[:len(names)-1]
				}
				got := !math.IsInf(c.LogWeight(p), -1)
				if got != holds(names, p) {
					t.Errorf("graph %d: %s: %v: %v", i, text, fmt.Sprint(names), got)
				}
				if got {
					met++
				}
			}
			if met == 0 {
				t.Errorf("graph %d: %s: no path", i, text)
			}
		}
	}
}

// whole is the pattern above in Go's language, letter by letter.
var whole = regexp.MustCompile(`^A+.[DE]+$`)

func times(w []string, name string) (n int) {
	for _, s := range w {
		if s == name {
			n++
		}
	}
	return n
}

// A slotted graph has the names of streets on request, for its own places alone; a condition may name a street.
func TestStreetNames(t *testing.T) {
	text := "from,to,travel_time,street\nA,B,60,High Street\nB,C,120,Low Road\nB,D,60,High Street\nD,E,60,Far Lane\n"
	w, err := maps.Read("roads.csv", strings.NewReader(text), maps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := options{Starts: []begin{{Node: node(t, w, "A")}}, Depth: 3, Slot: 60, Labels: true}
	g, err := slots.Expand(w, o)
	if err != nil {
		t.Fatal(err)
	}
	labels := g.Labels()
	for v := range g.NumVertices() {
		want := map[string]string{"A": "High Street", "B": "High Street / Low Road", "D": "Far Lane / High Street"}
		if labels[v] != want[g.Name(v)] {
			t.Errorf("%s is %q", g.Name(v), labels[v])
		}
	}
	if strings.Contains(g.Meta().Attr[ddps.AttrLabels], "\n4\t") {
		t.Error("E is in no layer, and has a label")
	}
	x, err := where.Parse(`visit("Low Road")`)
	if err != nil {
		t.Fatal(err)
	}
	c, err := x.Condition(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	for p := range g.Paths() {
		through := slices.ContainsFunc(p, func(v int) bool { return g.Name(v) == "B" })
		if met := !math.IsInf(c.LogWeight(p), -1); met != through {
			t.Errorf("%v: %v", g.WalkNamer()(p).Names, met)
		}
	}
	o.Labels = false
	if g, err = slots.Expand(w, o); err != nil || g.Labels() != nil {
		t.Errorf("labels %v: %v", g.Labels(), err)
	}
}

// A row of rewards or costs names a move by its places, whatever slots it takes: a path has the reward once each time.
func TestRewardsOfMoves(t *testing.T) {
	long := 0
	for i, g := range slotted(t) {
		all, err := datasets.All(g, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		no, to := g.NoPlaces(), g.Headings()
		moves := func(p ddps.Path) (list [][2]string) {
			last, at := "", 0
			move := func(name string, l int) {
				if last != "" {
					list = append(list, [2]string{last, name})
				}
				if last != "" && l > at+1 {
					long++
				}
				last, at = name, l
			}
			for l, v := range p {
				if no == nil || !no[v] {
					move(g.Name(v), l)
				}
			}
			if v := p[len(p)-1]; to != nil && to[v] != "" {
				move(to[v], len(p))
			}
			return list
		}
		reward, text := map[[2]string]float64{}, "from,to,reward\n"
		for _, p := range all.Paths {
			for _, m := range moves(p) {
				if reward[m] == 0 {
					reward[m] = float64(len(reward) + 1)
					text += fmt.Sprintf("%s,%s,%v\n", m[0], m[1], reward[m])
				}
			}
		}
		u, err := pathfile.ReadRewards("u.csv", strings.NewReader(text), g)
		if err != nil {
			t.Fatalf("graph %d: %v", i, err)
		}
		for _, p := range all.Paths {
			want, got := 0.0, 0.0
			for _, m := range moves(p) {
				want += reward[m]
			}
			for l := range len(p) - 1 {
				e, _ := g.EdgeBetween(p[l], p[l+1])
				got += u[e]
			}
			if got != want {
				t.Fatalf("graph %d: %v has %v, want %v", i, moves(p), got, want)
			}
		}
	}
	if long == 0 {
		t.Error("no move takes several slots")
	}
}
