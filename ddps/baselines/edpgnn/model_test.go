package edpgnn

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps/baselines"
)

// tiny has every part and is small.
func tiny(spec string) Config {
	return Config{Channels: []int{3, 2}, Hidden: 4, Rounds: 2, Sigmas: []float64{0.1, 0.5, 1.6}, Backend: spec}
}

func newModel(t *testing.T, n int, cfg Config, seed uint64) *Model {
	t.Helper()
	m, err := New(n, cfg, seed)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 9))
	for _, p := range m.params { // biases of the levels and ε begin at 0: no part may hide
		for i := range p.Data {
			p.Data[i] += float32(0.1 * rng.NormFloat64())
		}
	}
	return m
}

// noisy is a batch of graphs of all sizes at all levels.
func noisy(m *Model, N int, seed uint64) *batch {
	rng := rand.New(rand.NewPCG(seed, 4))
	b := newBatch(N, m.N, len(m.cfg.Sigmas))
	for i := range N {
		k := 1 + rng.IntN(m.N)
		there, a := vertices(k, m.N), make([]float32, m.N*m.N)
		for u := range k {
			for v := range u {
				x := float32(rng.IntN(2))
				a[u*m.N+v], a[v*m.N+u] = x, x
			}
		}
		s := i % b.S
		b.set(i, a, there, s, m.cfg.Sigmas[s], rng.Float32(), rng)
	}
	return b
}

func scoresOf(t *testing.T, m *Model, b *batch) []float32 {
	t.Helper()
	s := make([]float32, len(b.x))
	if err := m.scores(s, b); err != nil {
		t.Fatal(err)
	}
	return s
}

// The scores of random weights against the plain program's.
func TestForward(t *testing.T) {
	onBackends(t, func(t *testing.T, spec string) {
		for _, scaled := range []bool{false, true} {
			cfg := tiny(spec)
			cfg.Scaled = scaled
			m := newModel(t, 5, cfg, 1)
			b := noisy(m, 7, 2)
			got, size := scoresOf(t, m, b), m.N*m.N
			for i := range b.N {
				want := newPlain(m, b.there[i*m.N:(i+1)*m.N], slices.Index(b.level[i*b.S:(i+1)*b.S], 1)).score(
					b.x[i*size : (i+1)*size])
				for k, w := range want {
					if g := float64(got[i*size+k]); !(math.Abs(g-w) <= 2e-5*(1+math.Abs(w))) {
						t.Fatalf("scaled %v, graph %d, entry %d: %v, want %v", scaled, i, k, g, w)
					}
				}
			}
		}
	})
}

// The publication's sizes give a network of the size that its parts add up to.
func TestNumWeights(t *testing.T) {
	m, err := New(20, Default(), 0)
	if err != nil {
		t.Fatal(err)
	}
	mlp := func(in, h, out int) int { return (in+1)*h + (h+1)*h + (h+1)*out + 2*2*6*h }
	want, in, x := mlp(18, 36, 1), 2, 2
	for _, out := range []int{2, 4, 4, 4, 2} {
		wide := 2 * max(x, 16)
		two := func(from int) int { return (from+1)*wide + (wide+1)*16 }
		want += 2 * 2 * 2 * max(in, out) // gain and bias of two normalisations
		want += 4 + two(x) + 4*two(16) + two(in*x) + 3*two(in*16) + mlp(in+32, 2*max(in, out), out)
		in, x = out, 16+out
	}
	if m.NumWeights() != want {
		t.Errorf("%d weights, want %d", m.NumWeights(), want)
	}
}

// Scores are symmetric, 0 on the diagonal and for vertices that are not there, and go with the vertices when these are
// numbered otherwise.
func TestEquivariance(t *testing.T) {
	onBackends(t, func(t *testing.T, spec string) {
		m := newModel(t, 6, tiny(spec), 7)
		b := noisy(m, 6, 8)
		s, n := scoresOf(t, m, b), m.N
		perm := rand.New(rand.NewPCG(1, 1)).Perm(n)
		moved := newBatch(b.N, n, b.S)
		copy(moved.level, b.level)
		some := false
		for i := range b.N {
			for u := range n {
				moved.there[i*n+perm[u]] = b.there[i*n+u]
				for v := range n {
					at := i*n*n + u*n + v
					moved.x[i*n*n+perm[u]*n+perm[v]] = b.x[at]
					if d := math.Abs(float64(s[at] - s[i*n*n+v*n+u])); d > 1e-5 {
						t.Fatalf("graph %d: s[%d,%d] and its mirror differ by %v", i, u, v, d)
					}
					if there := b.there[i*n+u]*b.there[i*n+v] == 1 && u != v; !there && s[at] != 0 {
						t.Fatalf("graph %d: s[%d,%d] is %v", i, u, v, s[at])
					} else if there {
						some = some || s[at] != 0
					}
				}
			}
		}
		other := scoresOf(t, m, moved)
		for i := range s {
			u, v := i/n%n, i%n
			at := i/(n*n)*n*n + perm[u]*n + perm[v]
			if d := math.Abs(float64(s[i] - other[at])); d > 1e-5*(1+math.Abs(float64(s[i]))) {
				t.Fatalf("entry %d: %v, renumbered %v", i, s[i], other[at])
			}
		}
		if !some {
			t.Error("all scores are 0")
		}
	})
}

// A graph's scores do not depend on how many places for vertices there are.
func TestMasking(t *testing.T) {
	small := newModel(t, 3, tiny("go"), 11)
	wide := newModel(t, 6, tiny("go"), 11)
	a, b := newBatch(1, 3, 3), newBatch(1, 6, 3)
	x := []float32{0, .9, -.2, .9, 0, 1.4, -.2, 1.4, 0}
	copy(a.x, x)
	for u := range 3 {
		copy(b.x[u*6:], x[u*3:u*3+3])
	}
	copy(a.there, vertices(3, 3))
	copy(b.there, vertices(3, 6))
	a.setLevel(0, 1, 0.5)
	b.setLevel(0, 1, 0.5)
	s, w := scoresOf(t, small, a), scoresOf(t, wide, b)
	for i := range s {
		if d := math.Abs(float64(s[i] - w[i/3*6+i%3])); d > 1e-6 {
			t.Errorf("entry %d: %v, among more places %v", i, s[i], w[i/3*6+i%3])
		}
	}
}

func TestFile(t *testing.T) {
	m := newModel(t, 5, tiny("go"), 1)
	var one, two bytes.Buffer
	if err := m.Save(&one); err != nil {
		t.Fatal(err)
	}
	back, err := Load(bytes.NewReader(one.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Save(&two); err != nil || !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Errorf("came back otherwise, error %v", err)
	}
	other := newModel(t, 5, tiny("go"), 2)
	if err := other.ReadWeights(bytes.NewReader(one.Bytes())); err != nil || !slices.Equal(other.params[0].Data,
		m.params[0].Data) {
		t.Errorf("the weights of another network of the same kind: %v", err)
	}
	if err := newModel(t, 6, tiny("go"), 2).ReadWeights(bytes.NewReader(one.Bytes())); err == nil {
		t.Error("weights of another size were taken")
	}
	if _, err := Load(bytes.NewReader(one.Bytes()[:one.Len()-3])); err == nil {
		t.Error("a file that was cut off was taken")
	}
	for name, change := range map[string]func(*Config){
		"no layer":         func(c *Config) { c.Channels = nil },
		"an empty layer":   func(c *Config) { c.Channels = []int{2, 0} },
		"no width":         func(c *Config) { c.Hidden = 0 },
		"no round":         func(c *Config) { c.Rounds = 0 },
		"descending noise": func(c *Config) { c.Sigmas = []float64{1, 0.5} },
		"NaN":              func(c *Config) { c.Sigmas = []float64{math.NaN()} },
	} {
		cfg := tiny("go")
		change(&cfg)
		if _, err := New(5, cfg, 0); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := newGraphs(3, []baselines.Graph{{N: 4}}); err == nil {
		t.Error("a graph of too many vertices was taken")
	}
	if _, err := newGraphs(3, []baselines.Graph{{N: 3, Edges: []baselines.Edge{{U: 1, V: 1}}}}); err == nil {
		t.Error("a loop was taken")
	}
}
