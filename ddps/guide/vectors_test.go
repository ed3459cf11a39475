package guide

import (
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/oracle"
)

func TestVectors(t *testing.T) {
	o, _, g := oracle.Load()
	dist := oracle.NewDistribution(g)
	if len(dist.Paths) != o.NPaths || g.Best(o.U) != o.RMax {
		t.Errorf("%d paths, best %v; want %d, %v", len(dist.Paths), g.Best(o.U), o.NPaths, o.RMax)
	}
	for e, tight := range g.Tight(o.U) {
		if tight != (o.Tight[e] == 1) {
			t.Errorf("edge %d: tight %v", e, tight)
		}
	}
	pi, reach := make([]float64, len(o.Z)), make([]float64, g.NumVertices())
	chain.Softmax(g, o.Z, pi)
	chain.Reach(g, pi, reach)
	all(t, "π", pi, o.Pi)
	all(t, "p", reach, o.Reach)
	all(t, "R̄", []float64{Expected(g, pi, o.U), ExpectedPrinted(g, pi, o.U)}, []float64{o.RBar, o.RBarPrinted})
	meant, _ := NewGradient(g, o.U)
	printed, _ := NewGradientPrinted(g, o.U)
	grad := make([]float64, len(pi))
	meant(pi, grad)
	all(t, "∇R̄", grad, o.Grad)
	printed(pi, grad)
	all(t, "∇R̄ as printed", grad, o.GradPrinted)
	c, _ := MaxReward(g, o.U)
	all(t, "P(R_max)", []float64{math.Exp(c.Tilt(pi, grad))}, []float64{o.PMax})
	n := 0
	for _, p := range dist.Of(grad) {
		if p > 0 {
			n++
		}
	}
	if n != o.NMax {
		t.Errorf("%d paths of the greatest reward, want %d", n, o.NMax)
	}
}

func all(t *testing.T, name string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", name, len(got), len(want))
	}
	for i := range got {
		if !near(got[i], want[i], 1e-9) {
			t.Errorf("%s[%d] = %v, want %v", name, i, got[i], want[i])
		}
	}
}
