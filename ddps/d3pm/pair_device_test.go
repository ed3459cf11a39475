package d3pm

import (
	"math"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// Pair as a graph against its sweeps in plain Go: loss and every entry of every gradient.
func TestPairDevice(t *testing.T) { onBackends(t, pairOnDevice) }

func pairOnDevice(t *testing.T, spec string) {
	pairCases(t, func(t *testing.T, p *Pair, g *ddps.LayeredGraph) {
		if strings.HasPrefix(spec, "xla") && p.cfg.Hidden != 21 { // compiling takes long: one case with every part
			return
		}
		cfg := p.cfg
		cfg.Backend = spec
		q := pairNew(t, g, cfg)
		pairRandom(p, 0.3, 4)
		pairRandom(q, 0.3, 4)
		for n := 11; n <= 12; n++ { // compiled once for each size
			b := mlpBatch(t, g, n, p.times, uint64(n))
			want, got := zeros(p.params), zeros(q.params)
			wantLoss, err := p.LossGrad(b, want)
			if err != nil {
				t.Fatal(err)
			}
			loss, err := q.LossGrad(b, got)
			if err != nil {
				t.Fatal(err)
			}
			if !near(loss.CE, wantLoss.CE, 1e-5) || loss.Total != loss.CE || loss.VB != 0 {
				t.Errorf("loss %+v, want %+v", loss, wantLoss)
			}
			if only, err := q.LossGrad(b, nil); err != nil || !near(only.CE, loss.CE, 1e-6) {
				t.Errorf("without gradients %+v, %v; want %+v", only, err, loss)
			}
			for i := range want {
				for k, x := range want[i] {
					if d := math.Abs(float64(x - got[i][k])); !(d <= 2e-5*(1+math.Abs(float64(x)))) {
						t.Fatalf("gradient of %s[%d] is %g, in plain Go %g", p.params[i].Name, k, got[i][k], x)
					}
				}
			}
		}
	})
}

func TestPairDeviceErrors(t *testing.T) {
	g := mlpGraph(t, 5, 4, 4, 1)
	p := pairNew(t, g, PairConfig{Hidden: 4, Time: 1, Backend: "abacus"})
	if _, err := p.LossGrad(mlpBatch(t, g, 2, p.times, 1), nil); err == nil || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("unknown backend: error %v", err)
	}
	p = pairNew(t, g, PairConfig{Hidden: 4, Time: 1, Backend: "go"})
	b := mlpBatch(t, g, 2, p.times, 1)
	copy(b.Edge[:b.D], b.Edge[b.D:2*b.D])
	b.Target[0] = b.Target[1]
	if _, err := p.LossGrad(b, nil); err == nil || !strings.Contains(err.Error(), "layer 1") {
		t.Errorf("row of another layer: error %v", err)
	}
}
