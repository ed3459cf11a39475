package study

import (
	"context"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
)

// L1 between unguided samples and the data of each reverse step, as docs/method.md has it: the exact denoiser of the
// shipped Toy's chain, 256 steps, 65,536 samples.
func TestToyReverseSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute, minutes under the race detector")
	}
	d, err := ToyDemo(false, 0)
	if err != nil {
		t.Fatal(err)
	}
	rep := &Report{}
	if err := d.train(context.Background(), "", run.NoProgress{}, rep); err != nil {
		t.Fatal(err)
	}
	target, err := d.target(rep.Graph)
	if err != nil {
		t.Fatal(err)
	}
	cfg := rep.Model.Config
	cfg.Network = model.NetworkNone
	exact, err := model.New(rep.Model.Chain, cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	const n = 65_536
	to, err := compare.New(target, nil, n, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kernel string
		want   float64
	}{{"austin", .257}, {"eq2", .353}, {"occupancy", .100}, {"joint", .0996}} {
		s := exact.Sampler()
		s.Steps = d3pm.DefaultT
		if s.Kernel, err = query.Kernel(c.kernel); err != nil {
			t.Fatal(err)
		}
		paths, err := s.Sample(context.Background(), n, 0)
		if err != nil {
			t.Fatal(err)
		}
		row, err := to.Row(c.kernel, paths)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: L1 %.4f, sampling floor %.4f", c.kernel, row.L1.Value, row.L1.Floor)
		if math.Abs(row.L1.Value-c.want) > .01 {
			t.Errorf("%s: L1 %.4f, expected %.3f", c.kernel, row.L1.Value, c.want)
		}
	}
}
