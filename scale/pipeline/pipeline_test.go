package pipeline

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness/init"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/metrics"
)

func TestMain(m *testing.M) {
	flag.Parse()
	Register()
	beam.Init()
	os.Exit(m.Run())
}

// fixture writes a graph and files of its paths, with bad rows on known lines.
type fixture struct {
	dir, graph string
	g          *ddps.LayeredGraph
	files      []string
	data       *datasets.Data // of the good rows
	bad        []string       // file:line
}

func newFixture(t *testing.T, seed uint64, rows int) *fixture {
	t.Helper()
	f := &fixture{dir: t.TempDir()}
	g, err := datasets.Toy(datasets.ToySeed)
	if err != nil {
		t.Fatal(err)
	}
	f.g, f.graph = g, filepath.Join(f.dir, "graph.json")
	file, err := os.Create(f.graph)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.WriteTo(file); err != nil {
		t.Fatal(err)
	}
	file.Close()
	c, rng, k := datasets.NewCollector(g), ddps.Rand(seed, 1), chain.Uniform(g)
	for _, name := range []string{"a.csv", "b.jsonl"} {
		path := filepath.Join(f.dir, name)
		out, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := 1; line <= rows; line++ {
			p := k.Sample(rng)
			names := make([]string, len(p))
			for l, v := range p {
				names[l] = g.Name(v)
			}
			if line%97 == 0 {
				names[len(p)/2] = "nowhere"
				f.bad = append(f.bad, fmt.Sprintf("%s:%d", path, line))
			} else if err := c.Add(p, 1); err != nil {
				t.Fatal(err)
			}
			if name == "a.csv" {
				fmt.Fprintln(out, strings.Join(names, ","))
			} else {
				fmt.Fprintf(out, "{\"path\": [\"%s\"]}\n", strings.Join(names, `", "`))
			}
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		f.files = append(f.files, path)
	}
	f.data = c.Data()
	return f
}

func (f *fixture) input() Input { return Input{Graph: f.graph, Files: f.files, Block: 4096, Parts: 3} }

// runPipeline runs a pipeline on the embedded Prism.
func runPipeline(t *testing.T, build func(s beam.Scope)) {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	build(s)
	if _, err := beam.Run(context.Background(), "prism", p); err != nil {
		t.Fatal(err)
	}
}

// lines returns the lines of files of a pattern.
func lines(t *testing.T, pattern ...string) (list []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(pattern...))
	if err != nil || len(files) == 0 {
		t.Fatalf("%q: no file, %v", pattern, err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for in := bufio.NewScanner(f); in.Scan(); {
			list = append(list, in.Text())
		}
	}
	return list
}

// Counts of distinct paths are the core's, bad rows come with file and line, and both parts of a split add up. What was
// written as Parquet is read again.
func TestPaths(t *testing.T) {
	f := newFixture(t, 1, 1500)
	runPipeline(t, func(s beam.Scope) {
		table, bad, err := Paths(s, f.input())
		if err != nil {
			t.Fatal(err)
		}
		WriteTable(s, table, f.graph, f.dir, "counts", "parquet", 3)
		Write(s, BadLines(s, bad), f.dir, "bad.tsv", 1)
		train, test := Split(s, table, .25, 7)
		WriteTable(s, train, f.graph, f.dir, "train", "csv", 3)
		WriteTable(s, test, f.graph, f.dir, "test", "csv", 3)
	})
	want, train, test := counted(f.data), read(t, f, "train-*"), read(t, f, "test-*")
	if got := read(t, f, "counts-*"); !maps.Equal(got, want) {
		t.Errorf("%d distinct paths, expected %d", len(got), len(want))
	}
	taken := 0
	for key, n := range test {
		train[key] += n
		taken += n
	}
	if share := float64(taken) / float64(f.data.Total()); !maps.Equal(train, want) || math.Abs(share-.25) > .05 {
		t.Errorf("the parts of a split do not add up; the test has %v", share)
	}
	var bad []string
	for _, line := range lines(t, f.dir, "bad-*.tsv") {
		cells := strings.Split(line, "\t")
		if len(cells) != 3 || !strings.Contains(cells[2], "nowhere") {
			t.Errorf("%q", line)
		}
		bad = append(bad, cells[0]+":"+cells[1])
	}
	slices.Sort(bad)
	slices.Sort(f.bad)
	if !slices.Equal(bad, f.bad) {
		t.Errorf("bad rows %q, expected %q", bad, f.bad)
	}
	files, err := filepath.Glob(filepath.Join(f.dir, "counts-*"))
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	runPipeline(t, func(s beam.Scope) {
		table, _, err := Paths(s, Input{Graph: f.graph, Files: files, Block: 1000, Parts: 5})
		if err != nil {
			t.Fatal(err)
		}
		WriteTable(s, table, f.graph, f.dir, "again", "csv", 5)
	})
	if got := read(t, f, "again-*"); !maps.Equal(got, want) {
		t.Errorf("read again: %d distinct paths, expected %d", len(got), len(want))
	}
}

// read counts the paths of all files of a pattern.
func read(t *testing.T, f *fixture, pattern string) map[string]int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(f.dir, pattern))
	if err != nil || len(files) == 0 {
		t.Fatal(pattern, err)
	}
	all := map[string]int{}
	for _, file := range files {
		d, err := pathfile.ReadFile(file, f.g, pathfile.ByName)
		if err != nil {
			t.Fatal(err)
		}
		for key, n := range counted(d) {
			if all[key] != 0 {
				t.Errorf("%s: a path of another file", file)
			}
			all[key] += n
		}
	}
	return all
}

// The number taken of a path's walks is binomial, and the same each time.
func TestTaken(t *testing.T) {
	const n, count = 4000, 50
	for _, p := range []float64{0, .02, .3, .9, 1} {
		sum, squares := 0., 0.
		for i := range n {
			key := fmt.Sprint(i)
			k := Taken(key, count, p, 3)
			if k < 0 || k > count || k != Taken(key, count, p, 3) {
				t.Fatalf("%d of %d taken", k, count)
			}
			sum += float64(k)
			squares += (float64(k) - count*p) * (float64(k) - count*p)
		}
		variance := count * p * (1 - p)
		if d := math.Abs(sum/n - count*p); d > 5*math.Sqrt(variance/n) {
			t.Errorf("p = %v: the mean is %v off", p, d)
		}
		if d := math.Abs(squares/n - variance); d > .15*variance {
			t.Errorf("p = %v: variance %v, expected %v", p, squares/n, variance)
		}
	}
}

func counted(d *datasets.Data) map[string]int {
	m := map[string]int{}
	for i, p := range d.Paths {
		m[metrics.Key(p)] += d.Counts[i]
	}
	return m
}

// The statistics give the core's chains of first and second order, and the contexts are counts of pieces of paths.
func TestFit(t *testing.T) {
	f := newFixture(t, 2, 800)
	runPipeline(t, func(s beam.Scope) {
		counts, _, err := Paths(s, f.input())
		if err != nil {
			t.Fatal(err)
		}
		Write(s, StatisticLines(s, Fit(s, counts, f.graph, 2)), f.dir, "statistics.csv", 2)
	})
	got := map[string]int{}
	for _, line := range lines(t, f.dir, "statistics-*") {
		i := strings.LastIndexByte(line, ',')
		n, err := strconv.Atoi(line[i+1:])
		if err != nil || got[line[:i]] != 0 {
			t.Fatalf("%q", line)
		}
		got[line[:i]] = n
	}
	want := map[string]int{}
	for i, p := range f.data.Paths {
		for l := range p {
			for k := 0; k <= min(l, 2); k++ {
				piece := strings.Trim(strings.ReplaceAll(fmt.Sprint([]int(p[l-k:l+1])), " ", ","), "[]")
				want["c,"+piece] += f.data.Counts[i]
				if k > 0 {
					want[[]string{"", "e,", "p,"}[k]+piece] += f.data.Counts[i]
				}
			}
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("%d statistics, expected %d", len(got), len(want))
	}
	weights := make([]float64, len(f.data.Counts))
	for i, n := range f.data.Counts {
		weights[i] = float64(n)
	}
	core, err := chain.EdgeWeights(f.g, f.data.Paths, weights)
	if err != nil {
		t.Fatal(err)
	}
	for e, n := range core {
		if x := got[fmt.Sprintf("e,%d,%d", f.g.Tail(e), f.g.Head(e))]; float64(x) != n {
			t.Errorf("edge %d: %d, expected %v", e, x, n)
		}
	}
}

// Distances are the core's to 1e-9, and the same bytes for any parts and blocks.
func TestEvaluate(t *testing.T) {
	f, q := newFixture(t, 3, 600), newFixture(t, 4, 9000)
	var line string
	for parts := 3; parts <= 7; parts += 4 {
		runPipeline(t, func(s beam.Scope) {
			in, other := f.input(), q.input()
			in.Parts, other.Parts, other.Block = parts, parts, int64(20_000*parts)
			data, _, err := Paths(s, in)
			if err != nil {
				t.Fatal(err)
			}
			sample, _, err := Paths(s, other)
			if err != nil {
				t.Fatal(err)
			}
			Write(s, Evaluate(s, data, sample, f.graph), f.dir, "distances", 1)
		})
		got := lines(t, f.dir, "distances-*")
		if len(got) != 1 || line != "" && got[0] != line {
			t.Fatalf("%q, expected %q", got, line)
		}
		line = got[0]
	}
	got := map[string]float64{}
	for _, word := range strings.Fields(line) {
		name, text, _ := strings.Cut(word, "=")
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		got[name] = x
	}
	a := metrics.Sample{Paths: f.data.Paths, Weights: f.data.Weights()}
	b := metrics.Sample{Paths: q.data.Paths, Weights: q.data.Weights()}
	want := map[string]float64{}
	_, distributions, err := metrics.Align(a, b)
	if err != nil {
		t.Fatal(err)
	}
	smoothed := metrics.KLFloor(q.data.Total())
	for name, d := range map[string]metrics.Distance{"l1": metrics.L1, "kl": metrics.KL, "kl_smoothed": smoothed,
		"tv_max": metrics.TVSup} {
		if want[name], err = d(distributions[0], distributions[1]); err != nil {
			t.Fatal(err)
		}
	}
	for name, d := range map[string]metrics.Distance{"isl_l1": metrics.L1, "isl_kl": smoothed, "isl_tv": metrics.TVSup,
		"isl_sf": metrics.SFD} {
		if want[name], err = metrics.ISL(f.g, a, b, d); err != nil {
			t.Fatal(err)
		}
	}
	if want["flgd"], err = metrics.FLGD(f.g, a, b); err != nil {
		t.Fatal(err)
	}
	for name, x := range want {
		if got[name] != x && !(math.Abs(x-got[name]) <= 1e-9) {
			t.Errorf("%s: %v, expected %v", name, got[name], x)
		}
	}
}

// One bad row in a million reaches the side output with its file and line, and all the others are counted.
func TestBadRowInAMillion(t *testing.T) {
	const rows, line = 1_000_000, 654_321
	g, dir := ddps.Example(), t.TempDir()
	f := &fixture{dir: dir, g: g, graph: filepath.Join(dir, "graph.json")}
	file, err := os.Create(f.graph)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.WriteTo(file); err != nil {
		t.Fatal(err)
	}
	file.Close()
	var all []string
	for p := range g.Paths() {
		names := make([]string, len(p))
		for l, v := range p {
			names[l] = g.Name(v)
		}
		all = append(all, strings.Join(names, ","))
	}
	path := filepath.Join(dir, "walks.csv")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(out)
	for i := 1; i <= rows; i++ {
		if i == line {
			w.WriteString(all[0] + "x\n")
			continue
		}
		w.WriteString(all[i%len(all)] + "\n")
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	runPipeline(t, func(s beam.Scope) {
		table, bad, err := Paths(s, Input{Graph: f.graph, Files: []string{path}, Block: 1 << 20, Parts: 2})
		if err != nil {
			t.Fatal(err)
		}
		WriteTable(s, table, f.graph, dir, "counts", "csv", 2)
		Write(s, BadLines(s, bad), dir, "bad.tsv", 1)
	})
	got, want := lines(t, dir, "bad-*.tsv"), fmt.Sprintf("%s\t%d\t", path, line)
	if len(got) != 1 || !strings.HasPrefix(got[0], want) {
		t.Errorf("bad rows %q", got)
	}
	total := 0
	for _, n := range read(t, f, "counts-*") {
		total += n
	}
	if total != rows-1 {
		t.Errorf("%d rows counted, expected %d", total, rows-1)
	}
}
