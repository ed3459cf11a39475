package edpgnn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/baselines"
)

// walk runs the dynamics on N matrices of n vertices, of which the last is not there, under a score by entry, and
// returns the entries above the diagonal.
func walk(t *testing.T, N, n int, sigmas []float64, c SampleConfig, score func(x, sigma float64) float64) (
	entries []float64) {
	t.Helper()
	b, rngs := newBatch(N, n, len(sigmas)), make([]*rand.Rand, N)
	for i := range rngs {
		rngs[i] = ddps.Rand(3, uint64(i))
		copy(b.there[i*n:], vertices(n-1, n))
		begin(b.x[i*n*n:(i+1)*n*n], b.there[i*n:(i+1)*n], rngs[i])
	}
	s := make([]float32, len(b.x))
	scores := func() error {
		for k, x := range b.x {
			s[k] = 0
			if u, v := k/n%n, k%n; u != v && u < n-1 && v < n-1 {
				s[k] = float32(score(float64(x), float64(b.sigma[k/(n*n)])))
			}
		}
		return nil
	}
	if err := langevin(context.Background(), b, rngs, sigmas, c, func(int) {}, scores, s); err != nil {
		t.Fatal(err)
	}
	for k, x := range b.x {
		u, v := k/n%n, k%n
		if there := u != v && u < n-1 && v < n-1; !there && x != 0 || x != b.x[k/(n*n)*n*n+v*n+u] {
			t.Fatalf("entry %d, %d is %v, its mirror %v", u, v, x, b.x[k/(n*n)*n*n+v*n+u])
		} else if there && u < v {
			entries = append(entries, float64(x))
		}
	}
	return entries
}

func moments(x []float64) (mean, variance float64) {
	for _, y := range x {
		mean += y / float64(len(x))
	}
	for _, y := range x {
		variance += (y - mean) * (y - mean) / float64(len(x))
	}
	return mean, variance
}

// Under the score of a normal distribution N(μ, σ²) a step is linear, V' = (1−r)²(V + 2rε²σ²) with r = Step: the
// dynamics come to the mean μ and the variance 2r(1−r)²ε²σ²/(1−(1−r)²), near ε²σ² for small r.
func TestLangevinGaussian(t *testing.T) {
	const N, n, mu = 1500, 4, 0.7
	for _, c := range []SampleConfig{{Steps: 80, Step: 0.1, Noise: 1}, {Steps: 80, Step: 0.1, Noise: 0.5},
		{Steps: 300, Step: 0.02, Noise: 1}} {
		sigmas := []float64{0.3, 1.6}
		x := walk(t, N, n, sigmas, c, func(x, sigma float64) float64 { return (mu - x) / (sigma * sigma) })
		r := c.Step
		want := 2 * r * (1 - r) * (1 - r) * c.Noise * c.Noise * 0.09 / (1 - (1-r)*(1-r))
		mean, variance := moments(x)
		k := float64(len(x))
		if math.Abs(mean-mu) > 4*math.Sqrt(want/k) || math.Abs(variance/want-1) > 4*math.Sqrt(2/k) {
			t.Errorf("%+v: mean %v, variance %v, want %v and %v", c, mean, variance, mu, want)
		}
	}
}

// Under the exact score of the mixture .3·N(0, σ²) + .7·N(1, σ²), of 0 and 1 with noise, annealing finds both modes in
// their shares: at the greatest noise they are one, and the walkers go over with it.
func TestLangevinMixture(t *testing.T) {
	const p = 0.7
	score := func(x, sigma float64) float64 {
		v := sigma * sigma
		one := p * math.Exp(-(x-1)*(x-1)/(2*v))
		zero := (1 - p) * math.Exp(-x*x/(2*v))
		w := one / (one + zero)
		if one+zero == 0 {
			w = 0
			if x > 0.5 {
				w = 1
			}
		}
		return (w - x) / v
	}
	sigmas := []float64{0.1, 0.2, 0.4, 0.6, 0.8, 1.6}
	x := walk(t, 800, 4, sigmas, SampleConfig{Steps: 200, Step: 0.02, Noise: 1}, score)
	var high, low []float64
	for _, y := range x {
		if y > 0.5 {
			high = append(high, y)
		} else {
			low = append(low, y)
		}
	}
	share, k := float64(len(high))/float64(len(x)), float64(len(x))
	if math.Abs(share-p) > 4*math.Sqrt(p*(1-p)/k)+0.02 { // annealing is not infinitely slow
		t.Errorf("share of the upper mode %v, want %v", share, p)
	}
	for i, part := range [][]float64{low, high} {
		mean, variance := moments(part)
		if math.Abs(mean-float64(i)) > 0.02 || math.Abs(variance/0.01-1) > 0.15 {
			t.Errorf("mode at %d: mean %v, variance %v", i, mean, variance)
		}
	}
}

// The optimum of denoising score matching is the score of the data with noise: data with entries N(μ, s²) have
// s(x; σ) = (μ − x)/(s² + σ²), which a network must come near to, and no other.
func TestScoreMatchesGaussian(t *testing.T) {
	const mu, dev, count = 0.4, 0.5, 4096
	cfg := Config{Channels: []int{4}, Hidden: 4, Rounds: 1, Sigmas: []float64{0.5, 1}, Backend: "go"}
	m, err := New(2, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	data := &graphs{n: 2}
	for i := range count {
		x := float32(mu + dev*ddps.Rand(1, uint64(i)).NormFloat64())
		data.x, data.there = append(data.x, []float32{0, x, x, 0}), append(data.there, []float32{1, 1})
	}
	const size = 256
	tc := baselines.TrainConfig{Steps: 500, Batch: size, LRDecay: 0.9, Optim: baselines.OptimConfig{LR: 0.01, Beta1: 0.9,
		Beta2: 0.999, Eps: 1e-8}}
	b := newBatch(2*size, 2, 2)
	tr, err := baselines.NewTrainer(m.task(data, b, tc), tc)
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Run(context.Background(), baselines.Hooks{}); err != nil {
		t.Fatal(err)
	}
	const points = 9
	grid := newBatch(points, 2, 2)
	for s, sigma := range cfg.Sigmas {
		v := dev*dev + sigma*sigma
		for i := range points {
			x := float32(mu + math.Sqrt(v)*(float64(i)/4-1)*1.5)
			copy(grid.x[4*i:], []float32{0, x, x, 0})
			copy(grid.there[2*i:], []float32{1, 1})
			grid.setLevel(i, s, sigma)
		}
		for i, got := range scoresOf(t, m, grid) {
			if i%4 != 1 {
				continue
			}
			x := float64(grid.x[i])
			if want := (mu - x) / v; math.Abs(float64(got)-want) > 0.15/math.Sqrt(v) {
				t.Errorf("σ = %v: s(%.2f) is %.3f, want %.3f", sigma, x, got, want)
			}
		}
	}
}

// A sample depends on the seed and its number alone, not on the batch or where drawing began.
func TestSampleReproducible(t *testing.T) {
	m := newModel(t, 5, tiny("go"), 1)
	sizes := []int{3, 5}
	draw := func(first, n, batch int) []baselines.Graph {
		t.Helper()
		last := 0
		list, err := m.Sample(context.Background(), first, n, 7, sizes, SampleConfig{Steps: 4, Step: 0.05, Noise: 1,
			Batch: batch}, func(done, total int) {
			if last++; done != last || total != (n+batch-1)/batch*12 {
				t.Fatalf("progress %d of %d at call %d", done, total, last)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	all := draw(0, 9, 9)
	if !reflect.DeepEqual(all, append(draw(0, 4, 3), draw(4, 5, 2)...)) {
		t.Error("the batch changes samples")
	}
	seen := map[int]bool{}
	for _, g := range all {
		seen[g.N] = true
		if err := g.Check(); err != nil {
			t.Error(err)
		}
	}
	if len(seen) != 2 {
		t.Errorf("sizes %v of %v", seen, sizes)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Sample(ctx, 0, 1, 0, nil, DefaultSample(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
	for _, c := range []SampleConfig{{}, {Steps: 1, Step: 2, Batch: 1}, {Steps: 1, Step: 0.1, Noise: -1, Batch: 1},
		{Steps: 1, Step: 0.1}} {
		if _, err := m.Sample(context.Background(), 0, 1, 0, nil, c, nil); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}

// Dynamics that diverge are told apart from an error, and Search passes them over.
func TestSearch(t *testing.T) {
	m := newModel(t, 5, tiny("go"), 1)
	held := []baselines.Graph{{N: 5, Edges: []baselines.Edge{{U: 0, V: 1}}}}
	c := SampleConfig{Steps: 6, Batch: 4}
	got, trials, err := m.Search(context.Background(), held, Grid{Steps: []float64{0.05, 0.01}, Noises: []float64{1, 0},
		N: 8}, 1, nil, c, nil)
	if err != nil || len(trials) != 4 {
		t.Fatalf("%v, %v", trials, err)
	}
	for _, x := range trials {
		if chosen := x.Step == got.Step && x.Noise == got.Noise; chosen && !(x.MMD <= trials[0].MMD) {
			t.Errorf("chose %+v of %+v", got, trials)
		}
	}
	for i := range m.params {
		if m.params[i].Name == "score.out.weight" {
			for k := range m.params[i].Data {
				m.params[i].Data[k] = 1e38
			}
		}
	}
	if _, _, err := m.Search(context.Background(), held, Grid{Steps: []float64{1}, Noises: []float64{1}, N: 2}, 1, nil, c,
		nil); err == nil {
		t.Error("every step diverges, and no error")
	}
}
