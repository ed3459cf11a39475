package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/net"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		x           []float64
		mid, lo, hi float64
	}{{nil, 0, 0, 0}, {[]float64{3}, 3, 3, 3}, {[]float64{3, 1, 2}, 2, 1, 3}, {[]float64{4, 1, 2, 3}, 2.5, 1, 4}} {
		if mid, lo, hi := median(c.x); mid != c.mid || lo != c.lo || hi != c.hi {
			t.Errorf("median(%v) = %v, %v, %v", c.x, mid, lo, hi)
		}
	}
}

// Work grows until it makes up the budget, steps first, and never has more steps than there are.
func TestGrown(t *testing.T) {
	q := ask{Op: "sample", Batch: 64, N: 64, Steps: 256, Limit: 2}
	if g := q.grown(10); g.Limit != 20 || g.N != 64 {
		t.Errorf("ten times two steps: %+v", g)
	}
	if g := q.grown(1000); g.Limit != 256 || g.N != 64*7 {
		t.Errorf("a thousand times two steps of 64: %+v", g)
	}
	if g := (ask{Op: "train", N: 2}).grown(3); g.N != 7 {
		t.Errorf("three times two training steps: %+v", g)
	}
}

// Every vertex of a grid is reached, and has the degree that it is said to have.
func TestGrid(t *testing.T) {
	g, err := grid(6, 64)
	if err != nil {
		t.Fatal(err)
	}
	for v, on := range g.Reachable() {
		if last, _ := g.Layer(5); !on || v < last && g.Degree(v) != gridDegree {
			t.Fatalf("vertex %d: reached %v, degree %d", v, on, g.Degree(v))
		}
	}
	if n := g.NumVertices(); n != 1+4+16+64+64+64 {
		t.Errorf("%d vertices", n)
	}
}

// The goals speak of contests that are held, by engines that take part.
func TestGoalsAreKept(t *testing.T) {
	for _, quick := range []bool{true, false} {
		b := &bench{results: results{Machine: machine{Vectors: "AVX-512"}}}
		seen := map[string]bool{}
		for _, c := range plan(quick) {
			if seen[c.Key] {
				t.Errorf("contest %s twice", c.Key)
			}
			seen[c.Key] = true
			for _, e := range c.Engines {
				b.Results = append(b.Results, result{Key: c.Key, Engine: e, Rates: []float64{1}})
			}
		}
		for _, c := range commandList() {
			for _, e := range []string{engineNative, engineBefore} {
				b.Results = append(b.Results, result{Key: commandKey(c.name), Engine: e, Rates: []float64{1}})
			}
		}
		for _, g := range goals() {
			if g.got(b, 1) == 0 {
				t.Errorf("quick %v: %s: not measured", quick, g.text)
			}
		}
	}
}

// A worker answers what it is asked, and an engine in plain Go gives the numbers of the probe that it made.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{toyPlain, gridCase(6, 16)} {
		if err := makeCase(dir, name); err != nil {
			t.Fatal(err)
		}
		directory := filepath.Join(dir, name)
		var in, out bytes.Buffer
		asks := []ask{{Op: "hello"}, {Op: "check", Case: directory}, {Op: "sample", Case: directory, Batch: 4, N: 6, Steps: 8,
			Limit: 2}, {Op: "dance"}}
		if name != toyPlain {
			asks = append(asks, ask{Op: "train", Case: directory, Batch: 8, N: 2})
		}
		for _, q := range asks {
			if err := json.NewEncoder(&in).Encode(q); err != nil {
				t.Fatal(err)
			}
		}
		if err := serve(&in, &out, "native", 1); err != nil {
			t.Fatal(err)
		}
		var got []answer
		for lines := bufio.NewScanner(&out); lines.Scan(); {
			var a answer
			if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
				t.Fatal(err)
			}
			got = append(got, a)
		}
		if len(got) != len(asks) {
			t.Fatalf("%s: %d answers to %d requests", name, len(got), len(asks))
		}
		if got[1].Error != "" || got[1].OutDiff != 0 || got[1].PiDiff != 0 {
			t.Errorf("%s: check: %+v", name, got[1])
		}
		if got[2].Error != "" || got[2].Count != 8*2 || got[2].Seconds <= 0 {
			t.Errorf("%s: sample: %+v", name, got[2])
		}
		if !strings.Contains(got[3].Error, "dance") {
			t.Errorf("%s: an unknown request: %+v", name, got[3])
		}
		if len(got) > 4 && (got[4].Error != "" || got[4].Count != 16) {
			t.Errorf("%s: train: %+v", name, got[4])
		}
	}
}

// An MLP on GoMLX gives the numbers of plain Go, so that their speeds can be compared.
func TestDevice(t *testing.T) {
	data, cfg, err := caseConfig(toyPlain)
	if err != nil {
		t.Fatal(err)
	}
	m, err := randomised(data, cfg)
	if err != nil {
		t.Fatal(err)
	}
	n, err := onBackend(m, "go:large")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := n.Net.(*device); !ok {
		t.Fatalf("the network is %T", n.Net)
	}
	if v, ok := n.Net.(net.Vectored); ok && v.Native() {
		t.Error("samples would be drawn by the host's network, and not on GoMLX")
	}
	want, err := probes(m)
	if err != nil {
		t.Fatal(err)
	}
	got, err := probes(n)
	if err != nil {
		t.Fatal(err)
	}
	for k := range want {
		for i := range want[k].Out {
			for _, v := range ddps.Rows(m.Graph) {
				lo, hi := m.Graph.Edges(int(v))
				for e := lo; e < hi; e++ {
					if d := abs(float64(want[k].Out[i][e] - got[k].Out[i][e])); !(d < 1e-4) {
						t.Fatalf("t = %d, sample %d, edge %d: %v, want %v", want[k].T, i, e, got[k].Out[i][e], want[k].Out[i][e])
					}
				}
			}
		}
	}
}

// A page says what did not run, and why.
func TestPage(t *testing.T) {
	b := &bench{results: results{Quick: true, Machine: machine{CPU: "a CPU",
		Engines: map[string]string{engineNative: "go"}, Vectors: "AVX-512",
		Lacking: map[string]string{engineXLA: "no plugin"}}}}
	key := sampleKey(toyPlain, 1)
	b.Results = []result{
		{Key: key, Engine: engineNative, Batch: 64, Rates: []float64{25600, 51200, 76800}},
		{Key: key, Engine: engineEager, Batch: 256, Rates: []float64{25600}},
		{Key: key, Engine: engineXLA, Error: "no plugin"},
		{Key: commandKey(commandStart), Engine: engineNative, Rates: []float64{.125}, Wall: []float64{.2}},
	}
	page := b.page(false)
	if strings.Contains(page, "%!") {
		t.Errorf("a verb of the page has no value:\n%s", page)
	}
	for _, want := range []string{"| Toy, MLP, austin kernel, 1 thread | native | 64 | 19.5 | 200 (100–300) |",
		"| 100 | 2 |",
		"did not run: no plugin", "Without GoMLX, XLA: no plugin", "against PyTorch, eager | ≥ 2.2 | 2 | – |",
		"| CPU seconds of `quickstart` | ≤ 15 | 8 | – |"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	var rows bytes.Buffer
	if err := b.writeCSV(&rows); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(rows.String(), "\n"); n != 5 {
		t.Errorf("%d rows of a head and four results", n)
	}
}

// An engine that is another one here, or that was not given, takes no part.
func TestAbsent(t *testing.T) {
	for _, c := range []struct {
		kind, before string
		want         []string
	}{
		{"AVX-512", "dir", natives},
		{"AVX2", "", []string{engineNative, enginePlain}},
		{"plain Go", "", []string{engineNative}},
	} {
		if got := (&workshop{absent: absent(c.kind, c.before)}).present(natives); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, expected %q", c.kind, got, c.want)
		}
	}
}

// A training table and every other text of the page has a value for each of its verbs.
func TestPageWhole(t *testing.T) {
	b := &bench{results: results{Machine: machine{Vectors: "AVX-512", Before: "9, 9, 9"}}}
	for _, c := range plan(false) {
		for _, e := range c.Engines {
			b.Results = append(b.Results, result{Key: c.Key, Engine: e, Rates: []float64{1}})
		}
	}
	for _, key := range []string{sectionCheck + "/toy-mlp", sectionMemory + "/train, toy-mlp"} {
		b.Results = append(b.Results, result{Key: key, Engine: engineNative}, result{Key: key, Engine: engineXLA})
	}
	for _, name := range []string{fidelityOurs, fidelityAustin} {
		b.Results = append(b.Results, result{Key: sectionFidelity + "/toy", Engine: name, Seconds: 1, L1: .1, Floor: .1})
	}
	if page := b.page(true); strings.Contains(page, "%!") || !strings.Contains(page, "busy with other work") {
		t.Errorf("the page:\n%s", page)
	}
}

// A backend's losses and paths are compared with the host's, and a difference above the limit is reported.
func TestGPU(t *testing.T) {
	c := gpuCase{name: toyPlain, steps: 3, batch: 8, large: 8, paths: 64}
	for what, run := range map[string]func(context.Context, gpuCase, string, *gpuRow) error{"train": gpuTrain,
		"sample": gpuSample} {
		var row gpuRow
		if err := run(t.Context(), c, "go:large", &row); err != nil || !row.ok() || row.Host == 0 || row.Backend == 0 {
			t.Errorf("%s: %v: %+v", what, err, row)
		}
		if row.Diff = row.Limit * 2; row.ok() {
			t.Errorf("%s: a difference of %g passes", what, row.Diff)
		}
		if err := run(t.Context(), c, "xla:/none.so", &row); err == nil {
			t.Errorf("%s: a backend that is not there passes", what)
		}
	}
	r := gpuReport{Backend: "go:large", Rows: []*gpuRow{{What: "training", Case: toyPlain, Diff: 1, Limit: .5}}}
	if page := r.page(); !strings.Contains(page, "**not ok**") || strings.Contains(page, "%!") {
		t.Errorf("the report:\n%s", page)
	}
}

// The share of paths that differ.
func TestPathsDiffer(t *testing.T) {
	a, b := []ddps.Path{{0, 1}, {0, 2}, {0, 3}, {0, 4}}, []ddps.Path{{0, 1}, {0, 2}, {0, 3}, {0, 5}}
	if got := pathsDiffer(a, b); got != .25 {
		t.Errorf("%g of four paths differ, expected .25", got)
	}
}
