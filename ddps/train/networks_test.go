package train

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/ddps-go/ddps/ddps/net/mlp"
	"github.com/ddps-go/ddps/ddps/net/nettest"
	"github.com/ddps-go/ddps/ddps/net/unet"
)

// networkConfigs are small models of every network, plain and residual.
func networkConfigs(backend string) map[string]model.Config {
	mlp := model.Config{Network: model.NetworkMLP, T: 64, MLP: mlp.Config{Hidden: 16, Layers: 1, Time: 8, Residual: true,
		Backend: backend}}
	plainMLP := mlp
	plainMLP.MLP.Residual, plainMLP.MLP.Gamma = false, 0.01
	unet := model.Config{Network: model.NetworkUNet, T: 64, UNet: unet.Config{Channels: 4, Growth: 2, Levels: 2, Blocks: 1,
		Kernel: 3, Time: 6, Norm: true, Gamma: 0.3}}
	unet.UNet.Gamma, unet.UNet.Backend = 0.01, backend
	residual := unet
	residual.UNet.Residual, residual.UNet.Gamma = true, 0
	return map[string]model.Config{"mlp": mlp, "plain mlp": plainMLP, "unet": residual, "plain unet": unet}
}

// Every network trains: the loss falls within a few steps, a residual network starts as the chain and a plain one as
// the uniform distribution, and every backend gives the losses that the Go backend gives.
func TestNetworksTrain(t *testing.T) {
	want := map[string][]float64{}
	for name, cfg := range networkConfigs("go") {
		want[name] = firstLosses(t, name, cfg)
	}
	nettest.OnBackends(t, func(t *testing.T, spec string) {
		for name, cfg := range networkConfigs(spec) {
			for i, x := range firstLosses(t, name, cfg) {
				if !nettest.Near(x, want[name][i], 1e-3) {
					t.Errorf("%s: loss of step %d is %v, on the Go backend %v", name, i+1, x, want[name][i])
				}
			}
		}
	})
}

// firstLosses takes a few steps on the same batch.
func firstLosses(t *testing.T, name string, cfg model.Config) (losses []float64) {
	t.Helper()
	m, tr := newTrainer(t, cfg, func() Config { _, tc := small(); return tc }())
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
	start := tr.batch.MeanBaseCE()
	if !m.Config.Residual() {
		start = uniformCE(&tr.batch)
	}
	if !nettest.Near(losses[0], start, 1e-5) || !(losses[5] < start-1e-3) {
		t.Errorf("%s: losses %v, want them to fall from %v", name, losses, start)
	}
	return losses
}

// uniformCE is the cross-entropy of a network that knows nothing.
func uniformCE(b *net.Batch) (sum float64) {
	for _, inv := range b.InvD {
		sum -= math.Log(float64(inv)) / float64(b.N)
	}
	return sum
}

// A saved model of every network loads, and gives the same row distributions and samples.
func TestNetworksSave(t *testing.T) {
	for name, cfg := range networkConfigs("") {
		m, _ := newTrainer(t, cfg, func() Config { _, tc := small(); return tc }())
		nettest.Randomise(m.Net.Params(), 0.1, 1)
		var file bytes.Buffer
		if err := m.Save(&file); err != nil {
			t.Fatal(err)
		}
		back, err := model.Load(&file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		xt, E := nettest.PALMs(m.Graph, 40, 3), m.Graph.NumEdges()
		pi, other := make([]float64, len(xt)*E), make([]float64, len(xt)*E)
		if err := m.Posterior(pi, xt, 9); err != nil {
			t.Fatal(err)
		}
		for lo := 0; lo < len(xt); lo += 7 { // in other batches
			hi := min(lo+7, len(xt))
			if err := back.Posterior(other[lo*E:hi*E], xt[lo:hi], 9); err != nil {
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
			if lo < hi && !nettest.Near(sum, 1, 1e-9) {
				t.Errorf("%s: row %d sums to %v", name, v, sum)
			}
		}
		for _, p := range drawn(t, back.Sampler(), 5, 1) {
			if err := m.Graph.Check(p); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
