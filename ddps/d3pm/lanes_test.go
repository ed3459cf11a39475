package d3pm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/internal/fast"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
)

// laneModels are models on Toy and on a map, with and without networks of drawn weights.
func laneModels(t *testing.T) map[string]*model.Model {
	g, err := datasets.Toy(datasets.ToySeed)
	if err != nil {
		t.Fatal(err)
	}
	toy, err := datasets.All(g, 2000)
	if err != nil {
		t.Fatal(err)
	}
	heights, err := datasets.Heights(200, 0)
	if err != nil {
		t.Fatal(err)
	}
	models := map[string]*model.Model{}
	for name, c := range map[string]struct {
		data  *datasets.Data
		kappa float64 // with 0 many edges have probability 0
		set   func(*model.Config)
	}{
		"chain":    {toy, 1, func(c *model.Config) { c.Network = model.NetworkNone }},
		"map":      {heights.Prune(), 0, func(c *model.Config) { c.Network = model.NetworkNone }},
		"mlp":      {toy.Prune(), 1, func(c *model.Config) {}},
		"odd mlp":  {toy, 1, func(c *model.Config) { c.MLP.Hidden, c.MLP.Layers = 37, 1 }},
		"bare mlp": {toy, 1, func(c *model.Config) { c.MLP.Residual = false }},
		"unet": {toy, 1, func(c *model.Config) {
			c.Network, c.UNet.Channels, c.UNet.Levels, c.UNet.Backend = model.NetworkUNet, 6, 1, ""
		}},
		"map mlp": {heights.Prune(), 0, func(c *model.Config) { c.MLP.Hidden, c.MLP.Layers = 16, 1 }},
	} {
		models[name] = laneModel(t, c.data, c.kappa, c.set)
	}
	models["mixture"] = mixtureModel(t, heights.Prune(), 2, 3, model.NetworkNone)
	models["first-order mixture"] = mixtureModel(t, toy, 1, 2, model.NetworkNone)
	models["mlp on a mixture"] = mixtureModel(t, toy, 1, 3, model.NetworkMLP)
	return models
}

// mixtureModel makes a model on a mixture of drawn numbers; one probability in five is 0.
func mixtureModel(t *testing.T, data *datasets.Data, order, classes int, network string) *model.Model {
	cfg := model.DefaultConfig()
	cfg.Network, cfg.Mixture.Order, cfg.Mixture.Classes = network, order, classes
	c, err := chain.Fit(data.Graph, data.Paths, data.Weights(), 1)
	if err != nil {
		t.Fatal(err)
	}
	l := cfg.Mixture.Product(data.Graph)
	mix := &mixture.Mixture{Product: l, P: make([]float64, len(l.Edge)*classes)}
	rng := ddps.Rand(3, uint64(order))
	for k := range classes {
		mix.Weight = append(mix.Weight, 1/float64(classes))
		row := make([]float64, len(l.Edge))
		for e := range row {
			if row[e] = rng.NormFloat64(); rng.IntN(5) == 0 {
				row[e] = math.Inf(-1)
			}
		}
		chain.Softmax(l.Graph, row, row)
		for e, p := range row {
			mix.P[e*classes+k] = p
		}
	}
	m, err := model.NewOn(c, mix, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	drawWeights(m)
	return m
}

// laneModel makes a model whose network has drawn weights.
func laneModel(t *testing.T, data *datasets.Data, kappa float64, set func(*model.Config)) *model.Model {
	cfg := model.DefaultConfig()
	set(&cfg)
	p, err := chain.Fit(data.Graph, data.Paths, data.Weights(), kappa)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.New(p, cfg, 1)
	if err != nil {
		t.Fatal(err)
	}
	drawWeights(m)
	return m
}

// drawWeights gives the network of m, if it has one, weights other than 0.
func drawWeights(m *model.Model) {
	if m.Net == nil {
		return
	}
	for _, p := range m.Net.Params() {
		for i := range p.Data {
			p.Data[i] += float32(i%17-8) / 50
		}
	}
}

// Groups give the paths that samples one by one give, whatever the kernel, the network, the signal and the batch.
func TestLanes(t *testing.T) {
	kernels := map[string]d3pm.Kernel{"Joint": {}, "Austin": d3pm.Austin(), "Eq2": d3pm.Eq2(),
		"Occupancy": d3pm.Occupancy(), "Algorithm2": d3pm.Algorithm2()}
	for name, m := range laneModels(t) {
		u := make([]float64, m.Graph.NumEdges())
		for e := range u {
			u[e] = float64(e / 2 % 3)
		}
		signal, _ := guide.NewGradient(m.Graph, u)
		signals, err := guide.RewardGradient(m.Graph, u)
		if err != nil {
			t.Fatal(err)
		}
		for kernel, k := range kernels {
			s := m.Sampler()
			s.Kernel, s.Steps = k, 4
			laneCheck(t, name+", "+kernel, s, 0, 7, 1)
			s.Guide, s.Scale = signal, 3
			laneCheck(t, name+", "+kernel+", signal", s, 0, 7, 1)
			s.Guide = signals
			laneCheck(t, name+", "+kernel+", signals", s, 0, 7, 1)
		}
	}
}

// So they do under conditions: those without a memory, those with one, and those of which only Tilt tells.
func TestLanesConditions(t *testing.T) {
	for name, m := range laneModels(t) {
		paths, err := m.Sampler().Sample(context.Background(), 2, 5)
		if err != nil {
			t.Fatal(err)
		}
		for title, c := range laneConditions(t, m.Graph, paths[0], paths[1]) {
			if l, _ := d3pm.ProductOf(c); l == nil && (title == "faint" || title == "states") {
				t.Fatalf("%s: %s has no memory", name, title)
			}
			s := m.Sampler()
			s.Steps, s.Condition = 3, c
			u := slices.Repeat([]float64{0, 1, 2}, m.Graph.NumEdges())[:m.Graph.NumEdges()]
			signals, err := guide.RewardGradient(m.Graph, u)
			if err != nil {
				t.Fatal(err)
			}
			for kernel, k := range map[string]d3pm.Kernel{"default": {}, "Joint": d3pm.Joint(),
				"Algorithm2": d3pm.Algorithm2()} {
				s.Kernel, s.Guide, s.Scale = k, nil, 0
				laneCheck(t, name+", "+title+", "+kernel, s, 7)
				s.Guide, s.Scale = signals, 3
				laneCheck(t, name+", "+title+", "+kernel+", signal", s, 0)
			}
			if m.Net == nil {
				s.Kernel, s.Guide, s.Scale = d3pm.Occupancy(), nil, 0
				laneCheck(t, name+", "+title+", Occupancy(), λ = 0", s, 0)
			}
		}
	}
}

// Where the denoiser forbids every path that meets the condition at some step, uniform rows take π's place, together
// too.
func TestLanesForbidden(t *testing.T) {
	g := ddps.Example()
	p := chain.Uniform(g)
	for v := range g.NumVertices() {
		if lo, hi := g.Edges(v); hi-lo > 1 { // but for the first edge out of a vertex, nothing
			clear(p.P[lo:hi])
			p.P[lo] = 1
		}
	}
	paths := ddps.NewIndex(g)
	q, err := paths.At(new(big.Int).Sub(paths.Count(), big.NewInt(1))) // none of those that are left
	if err != nil {
		t.Fatal(err)
	}
	sched := d3pm.Cosine(32)
	for title, c := range laneConditions(t, g, q, q) {
		for kernel, k := range map[string]d3pm.Kernel{"default": {}, "Joint": d3pm.Joint(), "Occupancy": d3pm.Occupancy(),
			"Algorithm2": d3pm.Algorithm2()} {
			for _, d := range []d3pm.Denoiser{chain.NewDenoiser(p, sched.Abar), mixture.NewDenoiser(mixture.Of(p.Distribution()),
				sched.Abar)} {
				s := &d3pm.Sampler{Graph: g, Denoiser: d, Schedule: sched, Kernel: k, Steps: 4, Condition: c}
				name := fmt.Sprintf("%s, %s, %T", title, kernel, d)
				laneCheck(t, name, s, 0)
				particleCheck(t, name, &d3pm.Particles{Sampler: s, K: 5}, 0)
				s.Condition = nil
				particleCheck(t, name+" of the target", &d3pm.Particles{Sampler: s, K: 5, Target: c}, 0)
			}
		}
	}
}

// A network on a mixture that rules out every path for some samples and not for others.
func TestLanesLost(t *testing.T) {
	m := laneModels(t)["mlp on a mixture"]
	for _, p := range m.Net.Params() {
		for i := range p.Data {
			p.Data[i] *= 6
		}
	}
	paths, err := m.Sampler().Sample(context.Background(), 2, 5)
	if err != nil {
		t.Fatal(err)
	}
	for title, c := range laneConditions(t, m.Graph, paths[0], paths[1]) {
		s := m.Sampler()
		s.Steps, s.Condition = 4, c
		laneCheck(t, title, s, 0)
		particleCheck(t, title, &d3pm.Particles{Sampler: s, K: 8}, 0)
		s.Guide, s.Scale = guide.Gradient(func(pi, g []float64) { copy(g, pi) }), 2
		laneCheck(t, title+", guided", s, 0)
		particleCheck(t, title+", guided", &d3pm.Particles{Sampler: s, K: 8}, 0)
	}
}

// A panic in a condition, and a cancelled context, end samples together as they end others.
func TestLanesStop(t *testing.T) {
	g := ddps.Example()
	sched := d3pm.Cosine(32)
	s := &d3pm.Sampler{Graph: g, Denoiser: chain.NewDenoiser(chain.Uniform(g), sched.Abar), Schedule: sched, Steps: 4}
	for name, draw := range map[string]func(ctx context.Context) error{
		"samples": func(ctx context.Context) error { _, err := s.Sample(ctx, 100, 1); return err },
		"particles": func(ctx context.Context) error {
			_, _, err := (&d3pm.Particles{Sampler: s, K: 8}).Sample(ctx, 100, 1)
			return err
		},
	} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, "out of order") {
					t.Errorf("%s: a panic came out as %q", name, text)
				}
			}()
			s.Condition, s.Progress = outOfOrder{}, nil
			t.Errorf("%s: no panic, %v", name, draw(context.Background()))
		}()
		ctx, cancel := context.WithCancel(context.Background())
		end, err := guide.EndIn(g, g.NumVertices()-1)
		if err != nil {
			t.Fatal(err)
		}
		s.Condition, s.Progress = end, func(int, int) { cancel() }
		if err := draw(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled, and then %v", name, err)
		}
	}
}

// outOfOrder panics.
type outOfOrder struct{}

func (outOfOrder) Tilt([]float64, []float64) float64 { panic("out of order") }

// laneConditions are conditions that paths p and q of g meet, all or one.
func laneConditions(t *testing.T, g *ddps.LayeredGraph, p, q ddps.Path) map[string]d3pm.Condition {
	t.Helper()
	two := []guide.Stop{{Vertices: []int{p[1], q[3]}}, {Vertices: []int{p[len(p)-2], q[len(q)-2]}}}
	through, err := guide.Through(g, two...)
	if err != nil {
		t.Fatal(err)
	}
	end, err := guide.EndIn(g, p[len(p)-1])
	if err != nil {
		t.Fatal(err)
	}
	weigh := func(far bool, states int) guide.Condition {
		c, err := guide.New(g, "weights", guide.Automaton{Next: func(q, e int) (int, float64) {
			w := float64((q+e)%5+1) / 4
			if far && g.LayerOf(g.Tail(e)) == 2 { // messages leave the range within which they need no logarithms
				w *= 0x1p-1000
			}
			return (q + e) % states, w
		}})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	faint, err := guide.New(g, "faint", guide.Automaton{Next: func(q, e int) (int, float64) {
		if q == 1 { // messages become too small to divide by, and none comes here from there
			return 1, 0x1p-530
		}
		if first, next := g.Edges(g.Tail(e)); e == first && next-first > 1 {
			return 1, 0x1p-33
		}
		return 0, 1
	}})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]d3pm.Condition{"faint": faint, "end": end, "through": through, "weights": weigh(false, 1),
		"far weights": weigh(true, 1),
		"states":      weigh(false, 3), "far states": weigh(true, 3), "custom": custom{through}, "custom end": custom{end},
		"another": another{end}}
}

// another has a Tilt of its own, whatever else the condition in it tells: the distribution as it is.
type another struct{ guide.Condition }

func (another) Tilt(pi, out []float64) float64 {
	copy(out, pi)
	return 0
}

// custom describes a condition by Tilt alone.
type custom struct{ c d3pm.Condition }

func (c custom) Tilt(pi, out []float64) float64 { return c.c.Tilt(pi, out) }

func laneCheck(t *testing.T, name string, s *d3pm.Sampler, batches ...int) {
	t.Helper()
	const n = 43
	draw := func(single bool, batch int) []ddps.Path {
		if s.Engine, s.Batch = (fast.Engine{}), batch; single {
			s.Engine = nil
		}
		paths, err := s.Sample(context.Background(), n, 3)
		if err != nil {
			t.Fatal(err)
		}
		return paths
	}
	want := draw(true, 0)
	for _, batch := range batches {
		if !slices.EqualFunc(draw(false, batch), want, func(a, b ddps.Path) bool { return slices.Equal(a, b) }) {
			t.Errorf("%s, batches of %d: other paths than one by one", name, batch)
		}
	}
}
