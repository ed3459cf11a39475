package run

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run/runtest"
	"github.com/ddps-go/ddps/ddps/stack"
	"github.com/ddps-go/ddps/ddps/train"
)

// walks returns walks of five positions among three places that mostly end where they began.
func walks(t *testing.T) *datasets.Data {
	t.Helper()
	const L, n = 5, 400
	sizes, heads, place := []int{1}, [][]int{{1, 2, 3}}, []int{-1}
	for l := range L {
		sizes = append(sizes, 3)
		for x := range 3 {
			var h []int
			if place = append(place, x); l+1 < L {
				h = []int{4 + 3*l, 5 + 3*l, 6 + 3*l}
			}
			heads = append(heads, h)
		}
	}
	g, err := ddps.New(sizes, heads)
	if err == nil {
		g, err = g.WithMeta(ddps.Meta{Place: place})
	}
	if err != nil {
		t.Fatal(err)
	}
	d, at := &datasets.Data{Graph: g}, map[[L]int]int{}
	for i := range n {
		rng, w := ddps.Rand(11, uint64(i)), [L]int{}
		for l := range w {
			w[l] = rng.IntN(3)
		}
		if rng.Float64() < .8 {
			w[L-1] = w[0]
		}
		k, seen := at[w]
		if !seen {
			p := ddps.Path{0}
			for l, x := range w {
				p = append(p, 1+3*l+x)
			}
			k = len(d.Paths)
			at[w] = k
			d.Paths, d.Counts = append(d.Paths, p), append(d.Counts, 0)
		}
		d.Counts[k]++
	}
	return d
}

// bytesOf returns a model's file.
func bytesOf(t *testing.T, m *model.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A stack is no worse than its best part, its file gives the same model, and stopped after any part and resumed it ends
// in the same bytes.
func TestStack(t *testing.T) {
	d, cfg := walks(t), StackConfig()
	cfg.Hold = .2
	whole, err := Fit(d, cfg)
	if err != nil {
		t.Fatal(err)
	}
	want := bytesOf(t, whole)
	for _, p := range whole.Stack.Parts {
		if whole.Stack.NLL > p.NLL+1e-6 {
			t.Errorf("the stack's validation NLL is %.4f, that of %s %.4f", whole.Stack.NLL, p.Name, p.NLL)
		}
	}
	read, err := model.Load(bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytesOf(t, read), want) {
		t.Error("a model that was read has another file")
	}
	a, b := make([]float64, len(d.Paths)), make([]float64, len(d.Paths))
	if err := errors.Join(whole.Stack.LogProb(d.Paths, a), read.Stack.LogProb(d.Paths, b)); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i := range a {
		if sum += math.Exp(a[i]); a[i] != b[i] {
			t.Fatalf("path %d: log p is %v, read %v", i, a[i], b[i])
		}
	}
	if !(sum > .5 && sum <= 1+1e-9) {
		t.Errorf("the probabilities of the walks sum to %v", sum)
	}
	if _, err := model.Load(bytes.NewReader(want[:len(want)-9])); err == nil {
		t.Error("a file that is cut off was read")
	}

	dir := filepath.Join(t.TempDir(), "run")
	r, err := Create(dir, cfg, d)
	if err != nil {
		t.Fatal(err)
	}
	for stops := 0; ; stops++ {
		ctx, cancel := context.WithCancel(context.Background())
		m, err := r.Train(ctx, stops > 0, train.Hooks{Part: func(p train.PartInfo) {
			if p.Part == model.PartContext && stops == 0 || p.Part == model.PartGRU && stops == 1 {
				cancel()
			}
		}})
		cancel()
		if stops < 2 {
			if !errors.Is(err, train.ErrStopped) || !errors.Is(err, context.Canceled) {
				t.Fatalf("stop %d: %v", stops+1, err)
			}
			_, err := r.Model()
			runtest.Has(t, "a stopped stack", err, "parts of a stack", "resume")
			if _, err := os.Stat(filepath.Join(dir, modelFile)); err == nil {
				t.Fatal("a stopped run has a model")
			}
			if stops == 1 {
				if _, err := r.Train(context.Background(), false, train.Hooks{}); err == nil {
					t.Error("a run with parts was begun again")
				}
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytesOf(t, m), want) {
			t.Error("a run that was stopped and resumed has another model")
		}
		break
	}
	if parts, _ := filepath.Glob(filepath.Join(dir, checkpointDir, "part-*")); len(parts) > 0 {
		t.Errorf("parts are left: %v", parts)
	}
	log, err := r.Log()
	if err != nil || log.Stack == nil || len(log.Parts) != 6 {
		t.Fatalf("the log has %+v, %v", log, err)
	}
	if again, err := r.Train(context.Background(), true, train.Hooks{}); err != nil || !bytes.Equal(bytesOf(t, again),
		want) {
		t.Errorf("resumed at its end: %v", err)
	}
}

// Draws of a stack, and given a condition, have its distribution, whatever the number of threads; the condition's
// probability is that of the paths that meet it.
func TestStackDraws(t *testing.T) {
	cfg := StackConfig()
	cfg.Model.Stack.Parts, cfg.Hold = "first-order second-order context", .2
	m, err := Fit(walks(t), cfg)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]ddps.Path, 0, 243)
	for i := range 243 {
		p := ddps.Path{0}
		for l, k := 0, i; l < 5; l, k = l+1, k/3 {
			p = append(p, 1+3*l+k%3)
		}
		all = append(all, p)
	}
	logp := make([]float64, len(all))
	if err := m.Stack.LogProb(all, logp); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "visit(place 0, layer 3..4) and not visit(place 1)"} {
		s, want, total := m.Sampler(), map[string]float64{}, 0.0
		if err := (query.Guide{Where: text}).Apply(s, nil); err != nil {
			t.Fatal(err)
		}
		for i, p := range all {
			if s.Condition == nil || !math.IsInf(s.Condition.(interface{ LogWeight(ddps.Path) float64 }).LogWeight(p), -1) {
				want[key(p)] = math.Exp(logp[i])
				total += math.Exp(logp[i])
			}
		}
		if text != "" {
			c, err := query.ParseWhere(text, m.Graph, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, exact, err := query.LogProb(m, c)
			if err != nil || !exact || math.Abs(got-math.Log(total)) > 1e-9 {
				t.Errorf("%s: log p is %v, by enumeration %v (%v)", text, got, math.Log(total), err)
			}
		} else if math.Abs(total-1) > 1e-9 {
			t.Errorf("all probabilities sum to %v", total)
		}
		const n = 20000
		s.Threads = 1
		paths, err := s.Sample(context.Background(), n, 3)
		if err != nil {
			t.Fatal(err)
		}
		s.Threads = 4
		again, err := s.Sample(context.Background(), n, 3)
		if err != nil {
			t.Fatal(err)
		}
		count, chi := map[string]float64{}, 0.0
		for i, p := range paths {
			if count[key(p)]++; key(p) != key(again[i]) {
				t.Fatalf("%q: draw %d depends on the threads", text, i)
			}
		}
		for k, c := range count {
			if want[k] == 0 {
				t.Fatalf("%q: %v draws of a path that does not meet it", text, c)
			}
		}
		for k, p := range want {
			e := n * p / total
			chi += (count[k] - e) * (count[k] - e) / e
		}
		if free := float64(len(want) - 1); chi > free+6*math.Sqrt(2*free) {
			t.Errorf("%q: χ² %.1f of %v degrees of freedom", text, chi, free)
		}
	}
	c, err := query.ParseWhere("visit(place 0) and not visit(place 0)", m.Graph, nil, nil)
	if err == nil {
		if _, err = m.Given(context.Background(), c, stack.Options{}); !errors.Is(err, chain.ErrImpossible) {
			t.Errorf("an impossible condition: %v", err)
		}
	}
}

func key(p ddps.Path) string {
	b := make([]byte, len(p))
	for i, v := range p {
		b[i] = byte(v)
	}
	return string(b)
}

// A stack's settings are in config.toml, and no other model's has them.
func TestStackConfig(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want bool
	}{{StackConfig(), true}, {MapConfig(), false}, {DefaultConfig(), false}} {
		var b bytes.Buffer
		if err := c.cfg.Write(&b); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"[model.stack]", "validation_by", "refit"} {
			if bytes.Contains(b.Bytes(), []byte(key)) != c.want {
				t.Errorf("%s: %s stands in config.toml: %v, want %v", c.cfg.Model.Kind(), key, !c.want, c.want)
			}
		}
		file := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadConfig(file, Config{}); err != nil || !got.same(c.cfg) {
			t.Errorf("read: %+v, %v", got, err)
		}
	}
	for change, wrong := range map[string]func(*Config){
		"hold":          func(c *Config) { c.Hold = 0 },
		"validation_by": func(c *Config) { c.ValidationBy = "day" },
		"budget":        func(c *Config) { c.Budget = -1 },
	} {
		cfg := StackConfig()
		wrong(&cfg)
		runtest.Has(t, change, cfg.Check(), change)
	}
	cfg := StackConfig()
	cfg.Model.Stack.Parts = "context tree"
	_, err := Fit(walks(t), cfg)
	runtest.Has(t, "parts", err, `"tree"`)
}
