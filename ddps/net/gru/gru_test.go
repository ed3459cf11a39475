package gru

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ddps-go/ddps/ddps"
)

// model returns a random model of mesh.
func model(t testing.TB, s Shape, networks int) *GRU {
	y := newLayout(mesh(t))
	var nets []*tables
	for i := range networks {
		nets = append(nets, newTables(random(y, s, uint64(i))))
	}
	return newGRU(y, s, nets)
}

// logProbs returns those of paths.
func logProbs(t testing.TB, m *GRU, paths []ddps.Path) []float64 {
	t.Helper()
	out := make([]float64, len(paths))
	if err := m.LogProb(paths, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Draws have the distribution that LogProb states (chi-square), masked or not, and draw i depends on the seed and i
// alone.
func TestSample(t *testing.T) {
	const n = 20000
	plain := model(t, Shape{32, 32, true, true}, 2)
	for _, m := range []*GRU{plain, plain.NeverTwice()} {
		all := allPaths(m.g)
		p := logProbs(t, m, all)
		draws := make([]ddps.Path, n)
		if err := m.Sample(context.Background(), draws, 3, 5); err != nil {
			t.Fatal(err)
		}
		index, count := ddps.NewIndex(m.g), make([]float64, len(all))
		for _, x := range draws {
			r, err := index.Rank(x)
			if err != nil {
				t.Fatal(err)
			}
			count[r.Int64()]++
		}
		chi, free, rest, more := 0.0, -1.0, 0.0, 0.0
		for i, c := range count {
			e := n * math.Exp(p[i])
			if e == 0 && c > 0 {
				t.Fatalf("path %v of probability 0 was drawn", all[i])
			}
			if e < 5 {
				rest, more = rest+e, more+c
				continue
			}
			chi, free = chi+(c-e)*(c-e)/e, free+1
		}
		if rest > 0 {
			chi, free = chi+(more-rest)*(more-rest)/rest, free+1
		}
		if z := (chi - free) / math.Sqrt(2*free); math.Abs(z) > 4 {
			t.Errorf("chi-square is %.1f for %.0f degrees of freedom", chi, free)
		}
		m.threads = 1
		part := make([]ddps.Path, 700)
		if err := m.Sample(context.Background(), part, 3, 5+600); err != nil {
			t.Fatal(err)
		}
		for i, x := range part {
			if !slices.Equal(x, draws[600+i]) {
				t.Fatalf("draw %d depends on the batch", 600+i)
			}
		}
	}
}

// A log-probability depends on the path alone, to the last bit: not on the batch nor on the number of threads.
func TestLogProbBits(t *testing.T) {
	m := model(t, Shape{64, 32, true, true}, 1)
	all := allPaths(m.g)
	want, part := logProbs(t, m, all), logProbs(t, m, all[7:50])
	m.threads = 1
	alone := logProbs(t, m, all)
	for i := range all {
		if want[i] != alone[i] || i >= 7 && i < 50 && want[i] != part[i-7] {
			t.Fatalf("path %d has other bits", i)
		}
	}
}

// The mask gives paths that visit a place twice the probability 0, unless nothing else was left, and the others sum to
// 1.
func TestNeverTwice(t *testing.T) {
	m := model(t, Shape{32, 32, false, false}, 1)
	never, all := m.NeverTwice(), allPaths(m.g)
	total, possible := 0.0, 0
	for i, lp := range logProbs(t, never, all) {
		total += math.Exp(lp)
		seen, forced, twice := map[int]bool{}, true, false
		for l, v := range all[i][:len(all[i])-1] {
			seen[m.g.Meta().Place[v]] = true
			again := seen[m.g.Meta().Place[all[i][l+1]]]
			other := slices.ContainsFunc(m.g.From(v), func(w int) bool { return !seen[m.g.Meta().Place[w]] })
			twice = twice || again
			forced = forced && (!again || !other)
		}
		if math.IsInf(lp, -1) == forced {
			t.Fatalf("path %v: log p is %g (visits twice: %v, forced: %v)", all[i], lp, twice, forced)
		}
		if forced {
			possible++
		}
	}
	if math.Abs(total-1) > 1e-12 || possible == 0 || possible == len(all) {
		t.Errorf("%d of %d paths are possible, their probabilities sum to %g", possible, len(all), total)
	}
}

// Rows of States multiply to LogProb, to the bit, with resampling on the way.
func TestStates(t *testing.T) {
	for _, m := range []*GRU{model(t, Shape{32, 32, true, true}, 2), model(t, Shape{32, 32, true, true}, 1).NeverTwice()} {
		all := allPaths(m.g)
		n, D := len(all), m.g.MaxDegree()
		s, sum, logp, vertices := m.Start(n), make([]float64, n), make([]float64, n*D), make([]int, n)
		for l := range m.g.NumLayers() - 1 {
			for i, p := range all {
				vertices[i] = p[l]
			}
			s.Step(vertices, logp)
			for i, p := range all {
				e, _ := m.g.EdgeBetween(p[l], p[l+1])
				lo, _ := m.g.Edges(p[l])
				sum[i] += logp[i*D+e-lo]
			}
			from := make([]int, n)
			for i := range from {
				from[i] = n - 1 - i
			}
			s.Select(from)
			slices.Reverse(all)
			slices.Reverse(sum)
		}
		for i, want := range logProbs(t, m, all) {
			if !(math.Abs(sum[i]-want) < 1e-12) && sum[i] != want {
				t.Fatalf("path %v: the rows give %g, LogProb %g", all[i], sum[i], want)
			}
		}
	}
}

// toy returns a configuration that trains in no time.
func toy() Setting {
	return Setting{Shape: Shape{Hidden: 32, Embed: 32, Start: true}, Dropout: 0.1, InputDrop: 0.1, LR: 0.01,
		WeightDecay: 0.01, Batch: 48, Epochs: 12, Average: 0.05, Patience: 1, Networks: 1}
}

// toySamples returns paths of mesh with the probabilities of a model with strong preferences, and that model's mean
// log-probability of the second sample.
func toySamples(t testing.TB) (g *ddps.LayeredGraph, train, validation Sample, nll float64) {
	y := newLayout(mesh(t))
	n := random(y, Shape{32, 32, true, true}, 9)
	for i := range n.data(pOutput) {
		n.data(pOutput)[i] *= 8
	}
	m := newGRU(y, Shape{32, 32, true, true}, []*tables{newTables(n)})
	train.Paths, validation.Paths = make([]ddps.Path, 2000), make([]ddps.Path, 500)
	if err := errors.Join(m.Sample(context.Background(), train.Paths, 1, 0),
		m.Sample(context.Background(), validation.Paths, 2, 0)); err != nil {
		t.Fatal(err)
	}
	for _, lp := range logProbs(t, m, validation.Paths) {
		nll -= lp / 500
	}
	return y.g, train, validation, nll
}

// Training comes near to the distribution that made the paths, and gives the same bytes for any number of threads and
// for counts as for copies of paths.
func TestFit(t *testing.T) {
	g, train, validation, floor := toySamples(t)
	fit := func(train Sample, threads int) (*GRU, Report) {
		two, other := toy(), toy()
		two.Networks, other.Dropout = 2, 0.9
		cfg := Config{Settings: []Setting{other, two}, Race: 0.3, Threads: threads, Refit: true}
		m, r, err := Fit(context.Background(), g, train, validation, cfg, 4)
		if err != nil {
			t.Fatal(err)
		}
		return m, r
	}
	file := func(m *GRU) []byte {
		var b bytes.Buffer
		if err := m.Write(&b, false); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	one, r := fit(train, 1)
	if len(r.Tried) < 4 || r.Chosen.Networks != 2 || !r.Refitted {
		t.Errorf("the report is %+v", r)
	}
	if !(r.NLL < floor+0.05) {
		t.Errorf("the validation NLL is %.3f, that of the true distribution %.3f", r.NLL, floor)
	}
	four, _ := fit(train, 4)
	counts := Sample{Weights: []float64{}}
	at := map[string]int{}
	for _, p := range train.Paths {
		key := strings.Join(strings.Fields(string(encodePath(p))), " ")
		i, ok := at[key]
		if !ok {
			i = len(counts.Paths)
			at[key] = i
			counts.Paths, counts.Weights = append(counts.Paths, p), append(counts.Weights, 0)
		}
		counts.Weights[i]++
	}
	weighted, _ := fit(counts, 3)
	want := file(one)
	if !bytes.Equal(file(four), want) {
		t.Error("four threads give other bytes")
	}
	if !bytes.Equal(file(weighted), want) {
		t.Error("counts give other bytes than copies")
	}
}

func encodePath(p ddps.Path) (b []byte) {
	for _, v := range p {
		b = append(b, byte('a'+v), ' ')
	}
	return b
}

// A context that ends, a budget that is spent and bad input end a fit.
func TestFitEnds(t *testing.T) {
	g, train, validation, _ := toySamples(t)
	ctx, cancel := context.WithCancel(context.Background())
	cfg := Config{Settings: []Setting{toy()}, Progress: func(Progress) { cancel() }}
	if _, _, err := Fit(ctx, g, train, validation, cfg, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled fit returns %v", err)
	}
	err := model(t, Shape{32, 32, false, false}, 1).Sample(ctx, make([]ddps.Path, 10), 1, 0)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled draw returns %v", err)
	}
	cfg = Config{Settings: []Setting{toy()}, Budget: 400 * time.Millisecond}
	cfg.Settings[0].Epochs = 1e5
	_, r, err := Fit(context.Background(), g, train, validation, cfg, 1)
	if err != nil || r.Schedule > 0.1 || r.Tried[0].Best == 0 {
		t.Errorf("a fit with little time returns %v, %+v", err, r)
	}
	cfg.Budget = 1
	if _, r, err := Fit(context.Background(), g, train, validation, cfg, 1); err != nil || r.Refitted {
		t.Errorf("a fit without time returns %v, %+v", err, r)
	}
	bad := Sample{Paths: []ddps.Path{train.Paths[0], {0, 1}}}
	_, _, err = Fit(context.Background(), g, bad, validation, Config{}, 1)
	if err == nil || !strings.Contains(err.Error(), "training paths: path 2") {
		t.Errorf("a short path gives %v", err)
	}
	few := Sample{Paths: train.Paths[:100]}
	_, r, err = Fit(context.Background(), g, few, validation, Config{}, 1)
	if err != nil || len(r.Tried) == 0 || r.NLL > 4 {
		t.Errorf("a fit with the settings suggested returns %v, %+v", err, r)
	}
	for _, change := range []func(*Setting, *Config){
		func(s *Setting, _ *Config) { s.Hidden = 33 }, func(s *Setting, _ *Config) { s.Dropout = 1 },
		func(s *Setting, _ *Config) { s.LR = math.NaN() }, func(s *Setting, _ *Config) { s.Batch = 0 },
		func(s *Setting, _ *Config) { s.Networks = 0 }, func(_ *Setting, c *Config) { c.Race = 2 },
		func(_ *Setting, c *Config) { c.Budget = -1 }} {
		s := toy()
		change(&s, &cfg)
		cfg.Settings = []Setting{s}
		_, _, err := Fit(context.Background(), g, train, validation, cfg, 1)
		if cfg = (Config{}); err == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}

// Weights that are no counts are drawn by systematic resampling: a row's expected number of copies is its weight's
// share of the walks.
func TestShuffle(t *testing.T) {
	y := newLayout(mesh(t))
	d, err := y.data("training", Sample{Paths: allPaths(y.g)[:4], Weights: []float64{0.5, 1.25, 3, 0.25}})
	if err != nil {
		t.Fatal(err)
	}
	tr, count := newTrainer(newNetwork(y, toy().Shape), toy(), machine{}, 1, d.rows(), nil), make([]float64, 4)
	const epochs = 4000
	for range epochs {
		tr.shuffle(d, d.rows())
		for _, r := range tr.rows {
			count[r]++
		}
	}
	for i, c := range count {
		if want := d.weight[i] / d.sum * 4; math.Abs(c/epochs-want) > 0.03 {
			t.Errorf("walk %d comes %g times an epoch, want %g", i+1, c/epochs, want)
		}
	}
}

// A file gives the same model; with float16 a near one, in about half the space; damage and another graph are refused.
func TestFile(t *testing.T) {
	m := model(t, Shape{32, 32, true, true}, 2).NeverTwice()
	all := allPaths(m.g)
	want := logProbs(t, m, all)
	var sizes []int
	for _, half := range []bool{false, true} {
		var b bytes.Buffer
		if err := m.Write(&b, half); err != nil {
			t.Fatal(err)
		}
		data := b.Bytes()
		sizes = append(sizes, len(data))
		again, err := Read(bytes.NewReader(data), m.g)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range logProbs(t, again, all) {
			if !half && x != want[i] || !(math.Abs(x-want[i]) < 0.01) && x != want[i] {
				t.Fatalf("half %v: log p is %g, was %g", half, x, want[i])
			}
		}
		bad := bytes.Clone(data)
		bad[len(bad)-9] ^= 1
		if _, err := Read(bytes.NewReader(bad), m.g); err == nil {
			t.Error("a damaged file is read")
		}
		_, err = Read(bytes.NewReader(data), ddps.Example())
		if err == nil || !strings.Contains(err.Error(), "another graph") {
			t.Errorf("a file for another graph gives %v", err)
		}
	}
	if 10*sizes[1] > 6*sizes[0] {
		t.Errorf("float16 needs %d bytes, float32 %d", sizes[1], sizes[0])
	}
}
