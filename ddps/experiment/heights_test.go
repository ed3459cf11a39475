package experiment

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/d3pm"
)

func TestTryHeights(t *testing.T) {
	if os.Getenv("TRY") == "" {
		t.Skip()
	}
	data, err := datasets.Heights(20000, 0)
	if err != nil {
		t.Fatal(err)
	}
	cfg := DefaultConfig()
	cfg.Model.Network = d3pm.NetworkPair
	cfg.Train.Steps, cfg.Train.Batch, cfg.Train.EvalEvery, cfg.Train.Checkpoint = 1500, 64, 250, 0
	cfg.Train.Optim.LR, cfg.Train.Optim.WeightDecay = 1e-2, 0.1
	r := &Run{Config: cfg, Data: data}
	m, err := r.NewModel()
	if err != nil {
		t.Fatal(err)
	}
	tr, err := r.trainer(m)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := tr.Run(context.Background(), d3pm.Hooks{Eval: func(e d3pm.EvalInfo) {
		t.Logf("step %d, %.0fs: chain %.4f gain %.4f", e.Step, time.Since(start).Seconds(), e.ChainCE, e.Gain())
	}}); err != nil {
		t.Fatal(err)
	}
	start = time.Now()
	s := m.Sampler()
	if _, err := s.Sample(context.Background(), 2048, 1); err != nil {
		t.Fatal(err)
	}
	t.Logf("%.1f µs a sample-step", time.Since(start).Seconds()*1e6/2048/16)
}
