package train

import (
	"bytes"
	"context"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/ddps-go/ddps/ddps/net/nettest"
)

// residents are small networks whose training can move to a backend, by name.
func residents(spec string) map[string]model.Config {
	list := map[string]model.Config{}
	for _, network := range []string{model.NetworkMLP, model.NetworkUNet} {
		cfg, _ := small()
		cfg.Network = network
		cfg.UNet.Channels, cfg.UNet.Levels, cfg.UNet.Gamma = 8, 1, 0.01
		cfg.SetBackend(spec)
		list[network] = cfg
	}
	return list
}

// onHost hides that a network can be trained on a backend.
type onHost struct{ net.Network }

// Steps taken whole on a backend are those that the host takes with its gradients, up to rounding.
func TestResidentSteps(t *testing.T) {
	nettest.OnBackends(t, func(t *testing.T, spec string) {
		for name, cfg := range residents(spec) {
			_, tc := small()
			host, ht := newTrainer(t, cfg, tc)
			there, tt := newTrainer(t, cfg, tc)
			host.Net = onHost{host.Net}
			net := there.Net.(net.Graphed)
			var err error
			if tt.device, err = net.Engine().Reside(spec, tt.opt, net.Params()); err != nil {
				t.Fatal(err)
			}
			for k := range tc.Steps {
				want, err := ht.next()
				if err != nil {
					t.Fatal(err)
				}
				got, err := tt.next()
				if err != nil || tt.device == nil {
					t.Fatalf("%s: step %d: %v", name, k, err)
				}
				for _, x := range [][2]float64{{got.Loss.Total, want.Loss.Total}, {got.Loss.CE, want.Loss.CE},
					{got.Loss.VB, want.Loss.VB}, {got.GradNorm, want.GradNorm}, {got.LR, want.LR}, {got.BaseCE, want.BaseCE}} {
					if math.Abs(x[0]-x[1]) > 1e-3*(1+math.Abs(x[1])) {
						t.Fatalf("%s: step %d: %+v, want %+v", name, k, got, want)
					}
				}
				ht.step, tt.step = k+1, k+1
			}
			if err := tt.leave(); err != nil || tt.device != nil {
				t.Fatal(err)
			}
			for i, p := range there.Net.Params() {
				for j, w := range host.Net.Params()[i].Data {
					if math.Abs(float64(p.Data[j]-w)) > 1e-3 || math.Abs(float64(tt.opt.Mean[i][j]-ht.opt.Mean[i][j])) > 1e-3 {
						t.Fatalf("%s: %s[%d] is %v, want %v", name, p.Name, j, p.Data[j], w)
					}
				}
			}
		}
	})
}

// A run on XLA, stopped and resumed, ends in the bytes of one that was not; its checkpoints and evaluations see the
// weights of their step.
func TestResidentResume(t *testing.T) {
	nettest.OnBackends(t, func(t *testing.T, spec string) {
		cfg := residents(spec)[model.NetworkMLP]
		_, tc := small()
		whole, tr := newTrainer(t, cfg, tc)
		var held []float64
		if err := tr.Run(context.Background(), Hooks{Eval: func(e EvalInfo) { held = append(held, e.CE) }}); err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(held); i++ {
			if held[i] == held[i-1] {
				t.Errorf("the validation losses are %v: weights that stand still", held)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		_, tr = newTrainer(t, cfg, tc)
		var saved bytes.Buffer
		_ = tr.Run(ctx, Hooks{Step: func(s StepInfo) {
			if s.Step == 7 {
				cancel()
			}
		}, Checkpoint: func(_ int, save func(io.Writer) error) error { saved.Reset(); return save(&saved) }})
		resumed, tr := newTrainer(t, cfg, tc)
		if err := tr.Restore(&saved); err != nil || tr.Step() != 7 {
			t.Fatalf("%v at step %d", err, tr.Step())
		}
		if err := tr.Run(context.Background(), Hooks{}); err != nil {
			t.Fatal(err)
		}
		var a, b bytes.Buffer
		if whole.Save(&a) != nil || resumed.Save(&b) != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Error("a resumed run differs from an uninterrupted one")
		}
	})
}

// A gradient that is not finite stops the run at its step and leaves the weights as they were.
func TestResidentNaN(t *testing.T) {
	nettest.OnBackends(t, func(t *testing.T, spec string) {
		_, tc := small()
		m, tr := newTrainer(t, residents(spec)[model.NetworkMLP], tc)
		net := m.Net.(net.Graphed)
		w := net.Params()[1].Data
		w[0] = float32(math.Inf(1))
		before := append([]float32(nil), w...)
		var err error
		if tr.device, err = net.Engine().Reside(spec, tr.opt, net.Params()); err != nil {
			t.Fatal(err)
		}
		if _, err = tr.next(); err == nil || !strings.Contains(err.Error(), "the loss is NaN") || tr.device != nil {
			t.Errorf("%v", err)
		}
		if !slices.Equal(w, before) {
			t.Error("the weights changed")
		}
	})
}
