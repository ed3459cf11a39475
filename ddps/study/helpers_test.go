package study

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
)

// quick is a configuration that trains in no time: a residual MLP on a mixture, 20 steps, checkpoints at 4, 8, … of
// which two are kept.
func quick() run.Config {
	cfg := run.ConfigOf(model.NetworkMLP)
	cfg.Model.Mixture.Classes = 8
	cfg = cfg.On(ddps.Example())
	cfg.Hold, cfg.Keep, cfg.Model.MLP.Hidden = 0.3, 2, 4
	cfg.Train.Steps, cfg.Train.Batch, cfg.Train.EvalEvery, cfg.Train.EvalSize, cfg.Train.Checkpoint = 20, 8, 5, 16, 4
	cfg.Train.Optim.Warmup = 2
	return cfg
}

// tree lists the files below dir with their contents.
func tree(t testing.TB, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		data, _ := os.ReadFile(path)
		list = append(list, path+" "+string(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// products returns what a finished run must give to the byte: model and log.
func products(t testing.TB, dir string) (model, log []byte) {
	t.Helper()
	model, err := os.ReadFile(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	if log, err = os.ReadFile(filepath.Join(dir, "log.jsonl")); err != nil {
		t.Fatal(err)
	}
	return model, log
}

func sameProducts(t *testing.T, what, dir, want string) {
	t.Helper()
	m, l := products(t, dir)
	m2, l2 := products(t, want)
	if !bytes.Equal(m, m2) {
		t.Errorf("%s: another model than the uninterrupted run's", what)
	}
	if !bytes.Equal(l, l2) {
		t.Errorf("%s: log\n%s\nof the uninterrupted run\n%s", what, l, l2)
	}
}

// toyParts returns the exact model of Toy, without a network, a reward of the greatest total 4, and the data's
// distribution.
func toyParts(t *testing.T) (*model.Model, []float64, *compare.Target) {
	t.Helper()
	m, err := run.Shipped("toy")
	if err != nil {
		t.Fatal(err)
	}
	cfg := m.Config
	cfg.Network = model.NetworkNone
	if m, err = model.New(m.Chain, cfg, 0); err != nil {
		t.Fatal(err)
	}
	data, err := run.MakeData("toy", run.PresetQuick)
	if err != nil {
		t.Fatal(err)
	}
	dist, err := compare.DataTarget(data.Graph, data.Prune())
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, m.Graph.NumEdges())
	for e := range u {
		u[e] = float64(e % 2)
	}
	return m, u, dist
}
