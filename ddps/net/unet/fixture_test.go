package unet

import (
	"math"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/net"
	"github.com/ddps-go/ddps/ddps/net/nettest"
)

// plain is the specification in float64, as plainly as it can be said: maps are [vertex][channel] of one sample.
type plain struct {
	u   *Network
	p   [][]float64
	tau []float64
}

func plainSilu(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, z := range x {
		y[i] = z / (1 + math.Exp(-z))
	}
	return y
}

// plainAffine is W·x + b; b may be nil.
func plainAffine(w, b, x []float64) []float64 {
	y := make([]float64, len(w)/len(x))
	for j := range y {
		if b != nil {
			y[j] = b[j]
		}
		for i, z := range x {
			y[j] += w[j*len(x)+i] * z
		}
	}
	return y
}

// out returns the network's output by edge.
func (s *plain) out(x ddps.PALM, t int) []float64 {
	u, p := s.u, s.p
	f := make([]float32, u.cfg.Time)
	u.freq.Write(f, t)
	time := make([]float64, len(f))
	for i, y := range f {
		time[i] = float64(y)
	}
	s.tau = plainSilu(plainAffine(p[3], p[4], plainSilu(plainAffine(p[1], p[2], time))))
	h, C := make([][]float64, u.P), u.cfg.Channels
	for v := range h {
		h[v] = make([]float64, C)
	}
	for _, v := range u.rows {
		copy(h[v], p[0][(int(v)*u.D+int(x[v]))*C:])
	}
	h = walk(u, h, s)
	out := make([]float64, u.g.NumEdges())
	w, b := p[len(p)-2], p[len(p)-1]
	for e := range out {
		v := u.g.Tail(e)
		lo, _ := u.g.Edges(v)
		row := v*u.D + e - lo
		out[e] = plainAffine(w[row*C:(row+1)*C], b[row:row+1], plainSilu(s.norm(h[v])))[0]
	}
	return out
}

func (s *plain) norm(x []float64) []float64 {
	sum, y := 0.0, make([]float64, len(x))
	for _, z := range x {
		sum += z * z / float64(len(x))
	}
	for i, z := range x {
		if y[i] = z; s.u.cfg.Norm {
			y[i] /= math.Sqrt(sum + normEps)
		}
	}
	return y
}

func (s *plain) conv(x [][]float64, w, b []float64) [][]float64 {
	y, r := make([][]float64, len(x)), s.u.cfg.Kernel/2
	for v := range x {
		var seen []float64
		for k := v - r; k <= v+r; k++ {
			if k < 0 || k >= len(x) {
				seen = append(seen, make([]float64, len(x[v]))...)
			} else {
				seen = append(seen, x[k]...)
			}
		}
		y[v] = plainAffine(w, b, seen)
	}
	return y
}

func (s *plain) block(x [][]float64, b resBlock) [][]float64 {
	p, h := s.p[b.at:], make([][]float64, len(x))
	for v := range x {
		h[v] = plainSilu(s.norm(x[v]))
	}
	h = s.conv(h, p[0], p[1])
	film := plainAffine(p[2], p[3], s.tau)
	for v := range h {
		h[v] = s.norm(h[v])
		for c := range h[v] {
			h[v][c] = h[v][c]*(1+film[c]) + film[b.to+c]
		}
		h[v] = plainSilu(h[v])
	}
	h = s.conv(h, p[4], p[5])
	for v := range h {
		skip := x[v]
		if b.from != b.to {
			skip = plainAffine(p[6], nil, x[v])
		}
		for c := range h[v] {
			h[v][c] += skip[c]
		}
	}
	return h
}

func (s *plain) down(x [][]float64) (y [][]float64) {
	for v := 0; v < len(x); v += 2 {
		mean := make([]float64, len(x[v]))
		for c := range mean {
			mean[c] = (x[v][c] + x[v+1][c]) / 2
		}
		y = append(y, mean)
	}
	return y
}

func (s *plain) up(x [][]float64) (y [][]float64) {
	for _, h := range x {
		y = append(y, h, h)
	}
	return y
}

func (s *plain) join(x, skip [][]float64) (y [][]float64) {
	for v := range x {
		y = append(y, append(append([]float64(nil), x[v]...), skip[v]...))
	}
	return y
}

// plainLoss is the loss of a batch in float64 as a function of the parameters.
func plainLoss(u *Network, params [][]float64, b *net.Batch) net.Loss {
	s := &plain{u: u, p: params}
	return nettest.Loss(b, u.cfg.Gamma, func(n int) []float64 {
		x := make(ddps.PALM, u.V)
		for r, v := range u.rows {
			lo, _ := u.g.Edges(int(v))
			x[v] = b.Xt[n*len(u.rows)+r] - int32(lo)
		}
		return s.out(x, int(b.T[n]))
	})
}

func newNetwork(t testing.TB, g *ddps.LayeredGraph, cfg Config) *Network {
	t.Helper()
	u, err := New(g, cfg, 5)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// small is a small network with every part.
func small() Config {
	return Config{Channels: 4, Growth: 2, Levels: 2, Blocks: 1, Kernel: 3, Time: 6, Norm: true, Gamma: 0.3}
}
