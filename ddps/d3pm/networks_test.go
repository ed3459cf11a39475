package d3pm

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// networkConfigs are small models of every network, plain and residual.
func networkConfigs(backend string) map[string]ModelConfig {
	mlp := ModelConfig{Network: NetworkMLP, T: 64, MLP: MLPConfig{Hidden: 16, Layers: 1, Time: 8, Residual: true, Backend: backend}}
	plainMLP := mlp
	plainMLP.MLP.Residual, plainMLP.MLP.Gamma = false, 0.01
	unet := ModelConfig{Network: NetworkUNet, T: 64, UNet: unetSmall()}
	unet.UNet.Gamma, unet.UNet.Backend = 0.01, backend
	residual := unet
	residual.UNet.Residual, residual.UNet.Gamma = true, 0
	return map[string]ModelConfig{"mlp": mlp, "plain mlp": plainMLP, "unet": residual, "plain unet": unet}
}

// Every network trains: the loss falls within a few steps, a residual network starts as the chain and a plain one as
// the uniform law, and every backend gives the losses that the Go backend gives.
func TestNetworksTrain(t *testing.T) {
	want := map[string][]float64{}
	for name, cfg := range networkConfigs("go") {
		want[name] = firstLosses(t, name, cfg)
	}
	onBackends(t, func(t *testing.T, spec string) {
		for name, cfg := range networkConfigs(spec) {
			for i, x := range firstLosses(t, name, cfg) {
				if !near(x, want[name][i], 1e-3) {
					t.Errorf("%s: loss of step %d is %v, on the Go backend %v", name, i+1, x, want[name][i])
				}
			}
		}
	})
}

// firstLosses takes a few steps on the same batch.
func firstLosses(t *testing.T, name string, cfg ModelConfig) (losses []float64) {
	t.Helper()
	m, tr := newTrainer(t, cfg, func() TrainConfig { _, tc := small(); return tc }())
	tr.train.Fill(&tr.batch, 32, 1, 0)
	for k := range 6 {
		loss, err := m.Net.LossGrad(&tr.batch, tr.grads)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := tr.opt.Update(m.Net.Params(), tr.grads, k, tr.opt.Rate(k, 100)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		losses = append(losses, loss.CE)
	}
	start := tr.batch.baseCE()
	if !m.Config.residual() {
		start = uniformCE(&tr.batch)
	}
	if !near(losses[0], start, 1e-5) || !(losses[5] < start-1e-3) {
		t.Errorf("%s: losses %v, want them to fall from %v", name, losses, start)
	}
	return losses
}

// uniformCE is the cross-entropy of a network that knows nothing.
func uniformCE(b *Batch) (sum float64) {
	for _, inv := range b.InvD {
		sum -= math.Log(float64(inv)) / float64(b.N)
	}
	return sum
}

// A saved model of every network loads, and gives the same row laws and samples.
func TestNetworksSave(t *testing.T) {
	for name, cfg := range networkConfigs("") {
		m, _ := newTrainer(t, cfg, func() TrainConfig { _, tc := small(); return tc }())
		randomise(m.Net.Params(), 0.1, 1)
		var file bytes.Buffer
		if err := m.Save(&file); err != nil {
			t.Fatal(err)
		}
		back, err := Load(&file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		xt, E := mlpPALMs(m.Graph, 40, 3), m.Graph.NumEdges()
		pi, other := make([]float64, len(xt)*E), make([]float64, len(xt)*E)
		if err := m.Posteriors(pi, xt, 9); err != nil {
			t.Fatal(err)
		}
		for lo := 0; lo < len(xt); lo += 7 { // in other batches
			hi := min(lo+7, len(xt))
			if err := back.Posteriors(other[lo*E:hi*E], xt[lo:hi], 9); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(pi, other) {
			t.Errorf("%s: a loaded model gives other numbers in other batches", name)
		}
		for v := range m.Graph.NumVertices() {
			sum := 0.0
			lo, hi := m.Graph.Edges(v)
			for _, p := range pi[lo:hi] {
				sum += p
			}
			if lo < hi && !near(sum, 1, 1e-9) {
				t.Errorf("%s: row %d sums to %v", name, v, sum)
			}
		}
		for _, p := range draw(t, back.Sampler(), 5, 1) {
			if err := m.Graph.Check(p); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// renumber returns g with the vertices of each layer in another order, and the new number of each vertex.
func renumber(t *testing.T, g *ddps.LayeredGraph, seed uint64) (h *ddps.LayeredGraph, at []int) {
	t.Helper()
	rng, sizes := rand.New(rand.NewPCG(seed, 9)), []int{}
	at = make([]int, g.NumVertices())
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		sizes = append(sizes, hi-lo)
		for i, k := range rng.Perm(hi - lo) {
			at[lo+i] = lo + k
		}
	}
	heads := make([][]int, g.NumVertices())
	for v := range heads {
		for _, w := range g.From(v) {
			heads[at[v]] = append(heads[at[v]], at[w])
		}
	}
	h, err := ddps.New(sizes, heads)
	if err != nil {
		t.Fatal(err)
	}
	return h, at
}

// Vertices numbered otherwise within their layers, and an MLP's rows by edge with them, give the same numbers in other
// places. (A UNet has no such symmetry.)
func TestMLPPermutation(t *testing.T) {
	g := mlpGraph(t, 6, 7, 3, 8)
	h, at := renumber(t, g, 9)
	cfg := MLPConfig{Hidden: 9, Layers: 2, Time: 6}
	m, q := mlpNew(t, g, cfg), mlpNew(t, h, cfg)
	randomise(m.params, 0.4, 1)
	for i, p := range m.params {
		copy(q.params[i].Data, p.Data)
	}
	x, y := mlpPALMs(g, 1, 2)[0], make(ddps.PALM, g.NumVertices())
	edge := make([]int, g.NumEdges())
	for e := range edge {
		v := g.Tail(e)
		k, ok := h.EdgeBetween(at[v], at[g.Head(e)])
		if !ok {
			t.Fatal("an edge is lost")
		}
		edge[e] = k
		first, _ := g.Edges(v)
		other, _ := h.Edges(at[v])
		if int(x[v]) == e-first {
			y[at[v]] = int32(k - other)
		}
		last := len(m.params) - 2
		for i, width := range map[int]int{0: 9, last: 9, last + 1: 1} {
			copy(q.params[i].Data[k*width:(k+1)*width], m.params[i].Data[e*width:(e+1)*width])
		}
	}
	out, other := make([]float32, len(edge)), make([]float32, len(edge))
	m.Forward(out, []ddps.PALM{x}, 20)
	q.Forward(other, []ddps.PALM{y}, 20)
	for e, k := range edge {
		if !near(float64(other[k]), float64(out[e]), 1e-5) {
			t.Errorf("edge %d: %v, renumbered %v", e, out[e], other[k])
		}
	}
}
