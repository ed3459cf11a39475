package edpgnn

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/ddps-go/ddps/ddps/internal/backend"
)

// onBackends runs test on the Go backend and, where this program has XLA and finds a plugin, on XLA, which must be
// there if DDPS_TEST_XLA is 1.
func onBackends(t *testing.T, test func(t *testing.T, spec string)) {
	for _, spec := range []string{"go", "go:large", "xla:cpu"} {
		t.Run(spec, func(t *testing.T) {
			if _, err := backend.Open(spec); err != nil && spec == "xla:cpu" && os.Getenv("DDPS_TEST_XLA") != "1" {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			test(t, spec)
		})
	}
}

// plain is the network of Model's comment in float64, entry by entry, on the pair (A_ij, X_i, X_j) as a whole.
type plain struct {
	m     *Model
	w     map[string][]float64
	there []float64
	level int
	seen  map[string][][]float64 // unless nil, what comes to each normalisation
	last  [][]float64            // what the first layer's last round gives, [vertex][feature]
}

func newPlain(m *Model, there []float32, level int) *plain {
	p := &plain{m: m, w: map[string][]float64{}, level: level}
	for _, q := range m.params {
		for _, x := range q.Data {
			p.w[q.Name] = append(p.w[q.Name], float64(x))
		}
	}
	for _, x := range there {
		p.there = append(p.there, float64(x))
	}
	return p
}

// affine is W·x + b, W [out, len(x)].
func affine(w, b, x []float64) []float64 {
	y := make([]float64, len(b))
	for i := range y {
		y[i] = b[i]
		for j, xj := range x {
			y[i] += w[i*len(x)+j] * xj
		}
	}
	return y
}

func each(x []float64, f func(float64) float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = f(v)
	}
	return y
}

// mlp is what follows the first layer's result.
func (p *plain) mlp(name string, y []float64) []float64 {
	for k := range 2 {
		if k == 1 {
			y = affine(p.w[name+"hidden.weight"], p.w[name+"hidden.bias"], y)
		}
		y = p.norm(fmt.Sprintf("%snorm%d.", name, k), y)
		S := len(p.m.cfg.Sigmas)
		gain, bias := p.w[fmt.Sprintf("%slevel%d.gain", name, k)], p.w[fmt.Sprintf("%slevel%d.bias", name, k)]
		for i := range y {
			if y[i] = y[i]*gain[i*S+p.level] + bias[i*S+p.level]; y[i] < 0 {
				y[i] = math.Expm1(y[i])
			}
		}
	}
	return affine(p.w[name+"out.weight"], p.w[name+"out.bias"], y)
}

// norm is a batch normalisation by the statistics in w, where there is one.
func (p *plain) norm(name string, y []float64) []float64 {
	gain, out := p.w[name+"gain"], append([]float64(nil), y...)
	if p.seen != nil && gain != nil {
		p.seen[name] = append(p.seen[name], append([]float64(nil), y...))
	}
	for i, g := range gain {
		out[i] = g*(y[i]-p.w[name+"mean"][i])/math.Sqrt(p.w[name+"variance"][i]+1e-5) + p.w[name+"bias"][i]
	}
	return out
}

// scaled is what becomes of a sum over neighbours.
func (p *plain) scaled(x float64) float64 {
	if p.m.cfg.Scaled {
		x /= math.Sqrt(float64(p.m.N))
	}
	return x
}

// gin returns the vertices' features from a, [vertex][vertex][channel], and those before.
func (p *plain) gin(name string, a [][][]float64, before [][]float64) [][]float64 {
	n, C := len(a), len(a[0][0])
	h := make([][]float64, n)
	for i := range n {
		deg := make([]float64, C)
		for j := range n {
			for c := range C {
				deg[c] += a[i][j][c]
			}
		}
		deg = each(deg, p.scaled)
		h[i] = append(append([]float64(nil), before[i]...), deg...)
		h[i] = each(h[i], func(x float64) float64 { return x * p.there[i] })
	}
	sum := make([][]float64, n)
	read := func(k int) {
		for i := range n {
			r := fmt.Sprintf("%sread%d.", name, k)
			y := each(affine(p.w[r+"in.weight"], p.w[r+"in.bias"], h[i]), func(x float64) float64 { return max(x, 0.01*x) })
			for f, x := range affine(p.w[r+"out.weight"], p.w[r+"out.bias"], y) {
				if sum[i] == nil {
					sum[i] = make([]float64, p.m.cfg.Hidden)
				}
				sum[i][f] += x
			}
		}
	}
	read(0)
	for k := range p.m.cfg.Rounds {
		r, next := fmt.Sprintf("%sround%d.", name, k), make([][]float64, n)
		for i := range n {
			var in []float64
			for c := range C {
				for f := range h[i] {
					s := (1 + p.w[name+"eps"][k]) * h[i][f]
					for j := range n {
						s += a[i][j][c] * h[j][f]
					}
					in = append(in, p.scaled(s))
				}
			}
			y := each(affine(p.w[r+"in.weight"], p.w[r+"in.bias"], in), func(x float64) float64 { return max(x, 0) })
			next[i] = each(affine(p.w[r+"out.weight"], p.w[r+"out.bias"], y),
				func(x float64) float64 { return math.Tanh(x) * p.there[i] })
		}
		h = next
		read(k + 1)
	}
	if p.last == nil {
		p.last = h
	}
	return sum
}

// joinColumns returns the rows of the matrices of w side by side.
func joinColumns(rows int, w ...[]float64) (out []float64) {
	for i := range rows {
		for _, m := range w {
			k := len(m) / rows
			out = append(out, m[i*k:(i+1)*k]...)
		}
	}
	return out
}

// score returns s(x; σ), [n, n].
func (p *plain) score(x []float32) []float64 {
	n := p.m.N
	a, all, h := make([][][]float64, n), make([][][]float64, n), make([][]float64, n)
	for i := range n {
		a[i], all[i] = make([][]float64, n), make([][]float64, n)
		for j := range n {
			m, v := p.there[i]*p.there[j], float64(x[i*n+j])
			a[i][j] = []float64{m * v, m * (1 - v)}
			all[i][j] = a[i][j]
		}
	}
	for l := range p.m.cfg.Channels {
		name := fmt.Sprintf("layer%d.", l)
		h = p.gin(name+"gin.", a, h)
		a = p.edges(name+"edge.", a, h)
		for i := range n {
			for j := range n {
				all[i][j] = append(append([]float64(nil), all[i][j]...), a[i][j]...)
			}
		}
	}
	s := make([]float64, n*n)
	for i := range n {
		for j := range n {
			if i != j {
				y := affine(p.w["score.in.weight"], p.w["score.in.bias"], all[i][j])
				s[i*n+j] = p.mlp("score.", y)[0] * p.there[i] * p.there[j]
			}
		}
	}
	return s
}

// edges returns the next channels.
func (p *plain) edges(name string, a [][][]float64, h [][]float64) [][][]float64 {
	n, b := len(a), p.w[name+"in.bias"]
	w := joinColumns(len(b), p.w[name+"in.weight"], p.w[name+"from.weight"], p.w[name+"to.weight"])
	m := func(i, j int) []float64 {
		in := append(append(append([]float64(nil), a[i][j]...), h[i]...), h[j]...)
		return p.mlp(name, affine(w, b, in))
	}
	next := make([][][]float64, n)
	for i := range n {
		next[i] = make([][]float64, n)
		for j := range n {
			next[i][j] = m(i, j)
			for c, y := range m(j, i) {
				next[i][j][c] = (next[i][j][c] + y) * p.there[i] * p.there[j]
			}
		}
	}
	return next
}
