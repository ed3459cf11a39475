package mlp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/ddps-go/ddps/ddps/net/nettest"
)

// random gives every parameter, the zero ones too, a random value.
func random(m *Network, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	for _, p := range m.Params()[1:] {
		engine.Normal(rng, p.Data, 0.3/math.Sqrt(float64(p.Shape[len(p.Shape)-1])/8))
	}
}

func newNetwork(t testing.TB, g *ddps.LayeredGraph, cfg Config) *Network {
	t.Helper()
	m, err := New(g, cfg, 5)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The specification, in float64 and as plainly as it can be said.
func (m *Network) plain(params [][]float64, xt []int32, t int) []float64 {
	h, E, f := m.cfg.Hidden, m.edges, make([]float32, m.cfg.Time)
	m.features(f, t)
	silu := func(x float64) float64 { return x / (1 + math.Exp(-x)) }
	x := slices.Clone(params[0][(E+len(f))*h:])
	for j := range x {
		for _, e := range xt {
			x[j] += params[0][int(e)*h+j]
		}
		for k := range f {
			x[j] += float64(f[k]) * params[0][(E+k)*h+j]
		}
		x[j] = silu(x[j])
	}
	affine := func(w, b []float64) []float64 {
		y := slices.Clone(b)
		for j := range y {
			for i := range x {
				y[j] += w[j*h+i] * x[i]
			}
		}
		return y
	}
	for k := range m.cfg.Layers {
		y := affine(params[1+2*k], params[2+2*k])
		for j := range x {
			x[j] += silu(y[j])
		}
	}
	return affine(params[len(params)-2], params[len(params)-1])
}

func (m *Network) plainLoss(params [][]float64, b *net.Batch) net.Loss {
	rows := len(m.rows)
	return nettest.Loss(b, m.cfg.Gamma, func(n int) []float64 {
		return m.plain(params, b.Xt[n*rows:(n+1)*rows], int(b.T[n]))
	})
}
