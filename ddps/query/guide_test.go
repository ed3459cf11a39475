package query_test

import (
	"context"
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/run/runtest"
	"github.com/ddps-go/ddps/ddps/run/toytest"
)

func TestGuideErrors(t *testing.T) {
	m, err := (&run.Run{Config: toytest.Quick(), Data: runtest.Example(t)}).NewModel()
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, m.Graph.NumEdges())
	for name, c := range map[string]struct {
		guide  query.Guide
		kernel string
		u      []float64
		want   string
	}{
		"reward":     {query.Guide{Name: query.Eq7}, "", nil, "needs a reward"},
		"wrong size": {query.Guide{Name: query.MaxReward}, "", u[1:], "numbers for"},
		"name":       {query.Guide{Name: "luck"}, "", u, `no guide "luck"`},
		"name alone": {query.Guide{Name: "eq8"}, "", nil, `no guide "eq8"`},
		"own step":   {query.Guide{Name: query.Algorithm2}, "occupancy", u, "leave the reverse step out"},
	} {
		s := m.Sampler()
		if s.Kernel, err = query.Kernel(c.kernel); err != nil {
			t.Fatal(err)
		}
		runtest.Has(t, name, c.guide.Apply(s, c.u), c.want)
	}
	_, err = query.Kernel("forward")
	runtest.Has(t, "kernel", err, `no reverse step "forward"`)
}

// Weights that are no numbers are an error of sampling, infinite ones too.
func TestSampleFromBadWeights(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		m, err := (&run.Run{Config: toytest.Quick(), Data: runtest.Example(t)}).NewModel()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range m.Net.Params() {
			for i := range p.Data {
				p.Data[i] = float32(bad)
			}
		}
		_, err = m.Sampler().Sample(context.Background(), 2, 1)
		runtest.Has(t, "sample", err, "logit")
	}
}
