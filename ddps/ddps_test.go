package ddps

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestExamplePaths(t *testing.T) {
	g := Example()
	var names []string
	for p := range g.Paths() {
		if err := g.Check(p); err != nil {
			t.Fatal(err)
		}
		s := ""
		for _, v := range p {
			s += g.Name(v)
		}
		names = append(names, s)
	}
	want := strings.Fields("ABEH ABEI ABFI ACEH ACEI ACGH ACGJ ADFI ADGH ADGJ")
	if !slices.Equal(names, want) {
		t.Errorf("paths %v, want %v", names, want)
	}
}

func TestNewErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		sizes []int
		heads [][]int
		cond  Condition
		layer int
		v     int
	}{
		{"one layer", []int{1}, [][]int{{}}, TooFewLayers, -1, -1},
		{"none", nil, nil, TooFewLayers, -1, -1},
		{"empty layer", []int{1, 0, 1}, [][]int{{1}, {}}, EmptyLayer, 1, -1},
		{"two sources", []int{2, 1}, [][]int{{2}, {2}, {}}, FirstLayer, 0, -1},
		{"skips a layer", []int{1, 1, 1}, [][]int{{2}, {2}, {}}, EdgeLayers, 0, 0},
		{"backwards", []int{1, 1, 1}, [][]int{{1}, {0}, {}}, EdgeLayers, 1, 1},
		{"from the last", []int{1, 1}, [][]int{{1}, {1}}, EdgeLayers, 1, 1},
		{"outside", []int{1, 1}, [][]int{{7}, {}}, EdgeLayers, 0, 0},
		{"negative", []int{1, 1}, [][]int{{-1}, {}}, EdgeLayers, 0, 0},
		{"dead end", []int{1, 2, 1}, [][]int{{1, 2}, {3}, {}, {}}, DeadEnd, 1, 2},
		{"parallel", []int{1, 2}, [][]int{{1, 2, 1}, {}, {}}, ParallelEdge, 0, 0},
		{"no path", []int{1, 1}, [][]int{{}, {}}, NoPath, 0, 0},
		{"too few lists", []int{1, 1}, [][]int{{1}}, WrongLength, -1, -1},
	} {
		_, err := New(c.sizes, c.heads)
		var ge *GraphError
		if !errors.As(err, &ge) || ge.Condition != c.cond || ge.Layer != c.layer || ge.Vertex != c.v {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := New([]int{1, 2, 1}, [][]int{{1}, {3}, {}, {}}); err != nil {
		t.Errorf("an unreached vertex without out-edges is legal: %v", err)
	}
}

// random returns a random layered graph for property tests.
func random(rng *rand.Rand) *LayeredGraph {
	for {
		L := 2 + rng.IntN(5)
		sizes := []int{1}
		for len(sizes) < L {
			sizes = append(sizes, 1+rng.IntN(5))
		}
		var heads [][]int
		next := 1
		for l, n := range sizes {
			for range n {
				var hs []int
				for w := 0; l+1 < L && w < sizes[l+1]; w++ {
					if rng.IntN(3) > 0 {
						hs = append(hs, next+w)
					}
				}
				heads = append(heads, hs)
			}
			if l+1 < L {
				next += sizes[l+1]
			}
		}
		if g, err := New(sizes, heads); err == nil {
			return g
		}
	}
}

func TestIndexAgainstEnumeration(t *testing.T) {
	rng := Rand(1, 0)
	for range 100 {
		g := random(rng)
		x := NewIndex(g)
		if n := NumPaths(g); n.Cmp(x.Count()) != 0 {
			t.Errorf("%v paths, %v by the index", n, x.Count())
		}
		n := int64(0)
		for p := range g.Paths() {
			q, err := x.At(big.NewInt(n))
			if err != nil || !slices.Equal(p, q) {
				t.Fatalf("At(%d) = %v, %v, want %v", n, q, err, p)
			}
			if r, err := x.Rank(p); err != nil || r.Int64() != n {
				t.Fatalf("Rank(%v) = %v, %v, want %d", p, r, err, n)
			}
			n++
		}
		if x.Count().Int64() != n {
			t.Fatalf("Count = %v, enumeration gives %d", x.Count(), n)
		}
	}
	if _, err := NewIndex(Example()).At(big.NewInt(10)); err == nil {
		t.Error("At(Count) must fail")
	}
}

func TestIndexSampleIsUniform(t *testing.T) {
	g, rng := Example(), Rand(2, 0)
	x, count := NewIndex(g), map[int64]float64{}
	const n = 20000
	for range n {
		r, _ := x.Rank(x.Sample(rng))
		count[r.Int64()]++
	}
	chi2 := 0.0
	for i := range int64(10) {
		chi2 += math.Pow(count[i]-n/10, 2) / (n / 10)
	}
	if chi2 > 27.9 { // 99.9% of χ² with 9 degrees of freedom
		t.Errorf("χ² = %.1f", chi2)
	}
}

func TestUniformBigCovers(t *testing.T) {
	n := new(big.Int).Lsh(big.NewInt(3), 100)
	rng, third := Rand(3, 0), [3]int{}
	for range 3000 {
		r := uniformBig(n, rng)
		if r.Sign() < 0 || r.Cmp(n) >= 0 {
			t.Fatal("out of range")
		}
		third[new(big.Int).Rsh(r, 100).Int64()]++
	}
	for _, c := range third {
		if c < 880 || c > 1120 {
			t.Errorf("thirds %v", third)
		}
	}
}

func TestEncodeDecode(t *testing.T) {
	rng := Rand(4, 0)
	for range 100 {
		g := random(rng)
		for p := range g.Paths() {
			x, err := g.Encode(p, rng)
			if err != nil || !slices.Equal(g.Decode(x), p) {
				t.Fatalf("Decode(Encode(%v)) = %v, %v", p, g.Decode(x), err)
			}
		}
		x := make(PALM, g.NumVertices())
		g.Uniform(x, rng)
		if err := g.Check(g.Decode(x)); err != nil {
			t.Fatalf("a random PALM decodes to no path: %v", err)
		}
	}
	g := Example()
	for _, bad := range []Path{nil, {0, 1, 4}, {0, 1, 6, 7}, {1, 1, 4, 7}, {0, 1, 4, 99}, {0, 1, 4, -1}} {
		if _, err := g.Encode(bad, rng); err == nil {
			t.Errorf("Encode(%v) must fail", bad)
		}
	}
}

// A path has ∏_{v off path} D_v PALMs (paper, §3): count them on the example graph.
func TestPALMsAPath(t *testing.T) {
	g, count := Example(), map[string]int{}
	x := make(PALM, g.NumVertices())
	for more := true; more; {
		s := ""
		for _, v := range g.Decode(x) {
			s += g.Name(v)
		}
		count[s]++
		more = false
		for v := range x {
			if int(x[v])+1 < g.Degree(v) {
				x[v]++
				more = true
				break
			}
			x[v] = 0
		}
	}
	// off the path A,C,G,H: B 2, D 2, E 2, F 1
	if count["ACGH"] != 8 || len(count) != 10 {
		t.Errorf("%v", count)
	}
}

func TestRewards(t *testing.T) {
	rng := Rand(5, 0)
	for range 200 {
		g := random(rng)
		u := make([]float64, g.NumEdges())
		for e := range u {
			u[e] = float64(rng.IntN(5) - 2)
		}
		best, on := math.Inf(-1), make([]bool, len(u))
		for p := range g.Paths() {
			r := g.Total(u, p)
			if r > best {
				best, on = r, make([]bool, len(u))
			}
			if r == best {
				es, _ := g.PathEdges(nil, p)
				for _, e := range es {
					on[e] = true
				}
			}
		}
		if g.Best(u) != best || !slices.Equal(g.Tight(u), on) {
			t.Fatalf("Best %v, want %v; Tight %v, want %v", g.Best(u), best, g.Tight(u), on)
		}
	}
	g := Example()
	if _, err := g.Flatten(Reward{{1, 2}}); err == nil {
		t.Error("short reward must fail")
	}
	bad := make([]float64, g.NumEdges())
	bad[3] = math.NaN()
	if err := g.CheckReward(bad); err == nil || !strings.Contains(err.Error(), "B → E") {
		t.Errorf("NaN reward: %v", err)
	}
}

func TestPruneAndJSON(t *testing.T) {
	rng := Rand(6, 0)
	for range 100 {
		g := random(rng)
		p := g.Prune()
		if NewIndex(g).Count().Cmp(NewIndex(p).Count()) != 0 {
			t.Fatal("pruning lost paths")
		}
		for q := range p.Paths() {
			orig := make(Path, len(q))
			for l, v := range q {
				orig[l] = p.ID(v)
			}
			if err := g.Check(orig); err != nil {
				t.Fatal(err)
			}
		}
		var a, b bytes.Buffer
		if _, err := p.WriteTo(&a); err != nil {
			t.Fatal(err)
		}
		text := a.String()
		back, err := ReadGraph(&a)
		if err != nil {
			t.Fatal(err)
		}
		if !back.Equal(p) || p.Prune() != p || len(p.Reachable()) == len(g.Reachable()) && !g.Equal(p) {
			t.Fatal("a graph written and read, or pruned in vain, is the same")
		}
		if back.WriteTo(&b); b.String() != text {
			t.Fatalf("JSON round trip: %s became %s", text, b.String())
		}
		if b.Reset(); true {
			back.Prune().WriteTo(&b)
		}
		if b.String() != text {
			t.Fatal("pruning twice changes something")
		}
	}
}

func TestReadGraphErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                                    "empty",
		"{\n\n]":                              "line 3",
		`{"format":"x"}`:                      "format",
		`{"format":"ddps-graph","version":2}`: "version 2",
		`{"format":"ddps-graph","version":1,"extra":1}`:                                                "extra",
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[],"a"]]}`:                                "layers",
		`{"format":"ddps-graph","version":1,"layers":[[[1]],[[]]]}`:                                    "layers[0][0][0]",
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]]} x`:                                  "more data",
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]],"names":[["a"],[]]}`:                 "names[1]",
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]],"names":[["a"]]}`:                    "names",
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]],"places":[[0],[-2]]}`:                "places",
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]],"coordinates":[[[1,2]],[[1]]]}`:      "[1] is not two numbers",
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]],"coordinates":[[[1,2,3]],[[1,2]]]}`:  "[1,2,3] is not two numbers",
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]],"coordinates":[[[1,null]],[[1,2]]]}`: "not two numbers",
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]],"ids":[[3],[3]]}`:                    "vertices 0 and 1 both have 3",
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]],"ids":[[3],[-1]]}`:                   "-1 is below 0",
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]],"names":[["a"],["b"]],` + "\n" +
			`"names":[["b"],["a"]]}`: `line 2: an object has the key "names" twice`,
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]],"names":[["a"],["b"]],` +
			`"Names":[["b"],["a"]]}`: `the key "Names" twice`,
		`{"format":"ddps-graph","version":1,"attributes":{"a":"1","a":"2"},` +
			`"layers":[[[0]],[[]]]}`: `the key "a" twice`,
		`{"format":"ddps-graph","version":1,"layers":[[[null]],[[]]]}`:                                 "line 1: null",
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]],` + "\n" + `"names":[["a"],[null]]}`: "line 2: null",
		`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]`:                                      "too early",
	} {
		if _, err := ReadGraph(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

func FuzzReadGraph(f *testing.F) {
	var b bytes.Buffer
	Example().WriteTo(&b)
	f.Add(b.Bytes())
	f.Add([]byte(`{"format":"ddps-graph","version":1,"layers":[[[0]],[[]]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := ReadGraph(bytes.NewReader(data))
		if err != nil {
			return
		}
		for p := range g.Paths() {
			if err := g.Check(p); err != nil {
				t.Fatal(err)
			}
			break
		}
		var first, again bytes.Buffer
		g.WriteTo(&first)
		back, err := ReadGraph(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("what was written is not read: %v", err)
		}
		if back.WriteTo(&again); !bytes.Equal(first.Bytes(), again.Bytes()) {
			t.Fatalf("written %q, read and written %q", first.Bytes(), again.Bytes())
		}
	})
}

// Equal graphs have the same vertices, edges, names and places.
func TestEqual(t *testing.T) {
	g := Example()
	if !g.Equal(Example()) || !g.Equal(g) || g.Equal(nil) {
		t.Error("the example graph is equal to itself")
	}
	names := slices.Clone(g.Meta().Names)
	names[9] = "K"
	place := make([]int, g.NumVertices())
	ids := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for what, m := range map[string]Meta{"no names": {}, "names": {Names: names},
		"places": {Names: g.Meta().Names, Place: place}, "ids": {Names: g.Meta().Names, ID: ids}} {
		h, err := g.WithMeta(m)
		if err != nil {
			t.Fatal(err)
		}
		if g.Equal(h) || h.Equal(g) {
			t.Errorf("%s differ", what)
		}
	}
	attr, err := g.WithMeta(Meta{Names: g.Meta().Names, Attr: map[string]string{"name": "mine"}})
	if err != nil || !g.Equal(attr) {
		t.Errorf("attributes differ alone: %v", err)
	}
	h, err := New([]int{1, 3, 3, 3}, [][]int{{1, 2, 3}, {4, 5}, {4, 6}, {5, 6}, {7, 8}, {9}, {7, 9}, {}, {}, {}})
	if err != nil {
		t.Fatal(err)
	}
	if h, err = h.WithMeta(g.Meta()); err != nil || g.Equal(h) {
		t.Errorf("an edge differs: %v", err)
	}
}
