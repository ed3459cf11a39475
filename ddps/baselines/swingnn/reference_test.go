package swingnn

import (
	"fmt"
	"math"
)

// reference is F once more, written from the publication in float64 with loops alone: matrices are [row][column],
// tokens [token][channel].
type reference struct {
	cfg  Config
	V, N int
	p    map[string][]float64
	emb  []float64
}

func newReference(n *Model) *reference {
	r := &reference{cfg: n.cfg, V: n.V, N: n.N, p: map[string][]float64{}}
	for _, p := range n.params {
		for _, x := range p.Data {
			r.p[p.Name] = append(r.p[p.Name], float64(x))
		}
	}
	return r
}

func (r *reference) get(name string) []float64 {
	p := r.p[name]
	if p == nil {
		panic("no parameter " + name)
	}
	return p
}

// dense is W·x + b for every row of x; from is the width of W's rows.
func (r *reference) dense(x [][]float64, name string, biased bool) [][]float64 {
	w := r.get(name + ".weight")
	from := len(x[0])
	to := len(w) / from
	y := make([][]float64, len(x))
	for t := range x {
		y[t] = make([]float64, to)
		for o := range to {
			if biased {
				y[t][o] = r.get(name + ".bias")[o]
			}
			for i := range from {
				y[t][o] += w[o*from+i] * x[t][i]
			}
		}
	}
	return y
}

func (r *reference) normalise(x [][]float64, name string) [][]float64 {
	gain, bias := r.get(name+".gain"), r.get(name+".bias")
	y := make([][]float64, len(x))
	for t := range x {
		mean, variance := 0.0, 0.0
		for _, z := range x[t] {
			mean += z / float64(len(x[t]))
		}
		for _, z := range x[t] {
			variance += (z - mean) * (z - mean) / float64(len(x[t]))
		}
		for c, z := range x[t] {
			y[t] = append(y[t], (z-mean)/math.Sqrt(variance+1e-5)*gain[c]+bias[c])
		}
	}
	return y
}

func sigmoidal(z float64) float64 { return z / (1 + math.Exp(-z)) }

func apply(x [][]float64, f func(float64) float64) [][]float64 {
	y := make([][]float64, len(x))
	for t := range x {
		for _, z := range x[t] {
			y[t] = append(y[t], f(z))
		}
	}
	return y
}

func plus(a, b [][]float64) [][]float64 {
	y := make([][]float64, len(a))
	for t := range a {
		for c := range a[t] {
			y[t] = append(y[t], a[t][c]+b[t][c])
		}
	}
	return y
}

// modulate is silu(x·(1 + s) + b).
func (r *reference) modulate(x [][]float64, name string) [][]float64 {
	film := r.dense([][]float64{r.emb}, name, true)[0]
	y := make([][]float64, len(x))
	for t := range x {
		for c, z := range x[t] {
			y[t] = append(y[t], sigmoidal(film[len(x[t])+c]+z*(1+film[c])))
		}
	}
	return y
}

// attention by its definition: every token looks at those of its window.
func (r *reference) attention(x [][]float64, name string, grid, window, shift, heads int) [][]float64 {
	C := len(x[0])
	d := C / heads
	qkv, table := r.dense(x, name+".qkv", true), r.get(name+".position")
	moved := func(i int) int { return (i - shift + grid) % grid }
	out := make([][]float64, len(x))
	for s := range x {
		out[s] = make([]float64, C)
		si, sj := moved(s/grid), moved(s%grid)
		for h := range heads {
			logit, seen, total := map[int]float64{}, []int{}, 0.0
			for t := range x {
				ti, tj := moved(t/grid), moved(t%grid)
				if si/window != ti/window || sj/window != tj/window {
					continue
				}
				z := 0.0
				for c := h * d; c < (h+1)*d; c++ {
					z += qkv[s][c] * qkv[t][C+c] / math.Sqrt(float64(d))
				}
				z += table[((si-ti+window-1)*(2*window-1)+sj-tj+window-1)*heads+h]
				if (s/grid < shift) != (t/grid < shift) || (s%grid < shift) != (t%grid < shift) {
					z -= 100
				}
				logit[t], seen = math.Exp(z), append(seen, t)
				total += logit[t]
			}
			for _, t := range seen {
				for c := h * d; c < (h+1)*d; c++ {
					out[s][c] += logit[t] / total * qkv[t][2*C+c]
				}
			}
		}
	}
	return r.dense(out, name+".proj", true)
}

func (r *reference) stage(x [][]float64, way string, s int) [][]float64 {
	grid := r.N / r.cfg.Patch >> s
	window := min(r.cfg.Window, grid)
	for k := range r.cfg.Depths[s] {
		name := fmt.Sprintf("%s%d.%d", way, s, k)
		shift := 0
		if k%2 == 1 && window < grid {
			shift = window / 2
		}
		x = r.modulate(x, name+".film")
		x = plus(x, r.attention(r.normalise(x, name+".norm1"), name, grid, window, shift, r.cfg.Heads<<s))
		y := apply(r.dense(r.normalise(x, name+".norm2"), name+".fc1", true), func(z float64) float64 {
			return z * (1 + math.Erf(z/math.Sqrt2)) / 2
		})
		x = plus(x, r.dense(y, name+".fc2", true))
	}
	return x
}

// F is the network's output, of matrices x (already times c_in) and self.
func (r *reference) F(x, self [][]float64, sigma float64) [][]float64 {
	half, P := r.cfg.Dim/2, r.cfg.Patch
	features := make([]float64, r.cfg.Dim)
	for i := range half {
		angle := math.Log(sigma) / 4 * math.Pow(10000, -float64(i)/float64(half))
		features[i], features[half+i] = math.Cos(angle), math.Sin(angle)
	}
	e := apply(r.dense([][]float64{features}, "time1", true), sigmoidal)
	r.emb = apply(r.dense(e, "time2", true), sigmoidal)[0]

	grid := r.N / P
	tokens := make([][]float64, grid*grid)
	for t := range tokens {
		for i := range P {
			for j := range P {
				a, b := t/grid*P+i, t%grid*P+j
				tokens[t] = append(tokens[t], self[a][b], x[a][b])
			}
		}
	}
	y := r.normalise(r.dense(tokens, "patch", true), "patch.norm")
	if r.cfg.Position {
		for t := range y {
			for c := range y[t] {
				y[t][c] += r.get("patch.position")[t*r.cfg.Dim+c]
			}
		}
	}
	y = r.modulate(y, "patch.film")
	var skips [][][]float64
	last := len(r.cfg.Depths) - 1
	for s := range r.cfg.Depths {
		if y = r.stage(y, "down", s); s < last {
			y = r.join(y, s)
			skips = append(skips, y)
		}
	}
	for s := last; s >= 0; s-- {
		if s < last {
			for t := range y {
				y[t] = append(append([]float64(nil), y[t]...), skips[s][t]...)
			}
			y = r.split(y, s)
		}
		y = r.stage(y, "up", s)
	}
	return r.read(r.normalise(y, "norm"))
}

// join puts the tokens (2i, 2j), (2i, 2j+1), (2i+1, 2j), (2i+1, 2j+1) together.
func (r *reference) join(x [][]float64, s int) [][]float64 {
	grid := r.N / r.cfg.Patch >> s
	var y [][]float64
	for i := 0; i < grid; i += 2 {
		for j := 0; j < grid; j += 2 {
			var z []float64
			for _, t := range []int{i*grid + j, i*grid + j + 1, (i+1)*grid + j, (i+1)*grid + j + 1} {
				z = append(z, x[t]...)
			}
			y = append(y, z)
		}
	}
	name := fmt.Sprintf("down%d", s)
	return r.dense(r.normalise(y, name+".mergenorm"), name+".merge", false)
}

// split undoes join.
func (r *reference) split(x [][]float64, s int) [][]float64 {
	grid, name := r.N/r.cfg.Patch>>s, fmt.Sprintf("up%d", s)
	x = r.normalise(r.dense(x, name+".pre", false), name+".prenorm")
	y := make([][]float64, grid*grid)
	C := r.cfg.Dim << s
	for t := range y {
		i, j := t/grid, t%grid
		q := i%2*2 + j%2
		y[t] = x[i/2*(grid/2)+j/2][q*C : (q+1)*C]
	}
	return r.dense(r.normalise(y, name+".postnorm"), name+".post", false)
}

// read takes the three linear layers one after the other, at every place.
func (r *reference) read(x [][]float64) [][]float64 {
	P, C, grid := r.cfg.Patch, r.cfg.Dim, r.N/r.cfg.Patch
	w, bias := r.get("spread.weight"), r.get("spread.bias")
	raw := make([][]float64, r.N)
	for a := range raw {
		for b := range r.N {
			token, place := x[a/P*grid+b/P], a%P*P+b%P
			wide := make([]float64, C)
			for o := range C {
				wide[o] = bias[o]
				for i := range C {
					wide[o] += w[(o*P*P+place)*C+i] * token[i]
				}
			}
			raw[a] = append(raw[a], r.dense(r.dense([][]float64{wide}, "mix", true), "out", true)[0][0])
		}
	}
	y := make([][]float64, r.N)
	for a := range y {
		y[a] = make([]float64, r.N)
		for b := range y[a] {
			if a != b && a < r.V && b < r.V {
				y[a][b] = (raw[a][b] + raw[b][a]) / 2
			}
		}
	}
	return y
}

// D is the preconditioned denoiser on coordinates.
func (r *reference) D(x, self []float64, sigma float64) []float64 {
	s2, d2 := sigma*sigma, r.cfg.Sigma*r.cfg.Sigma
	in, est := r.square(x, 1/math.Sqrt(s2+d2)), r.square(make([]float64, len(x)), 1)
	if self != nil {
		est = r.square(self, 1)
	}
	f := r.F(in, est, sigma)
	var d []float64
	for i := range r.V {
		for j := i + 1; j < r.V; j++ {
			d = append(d, d2/(s2+d2)*x[len(d)]+sigma*r.cfg.Sigma/math.Sqrt(s2+d2)*f[i][j])
		}
	}
	return d
}

// square is the symmetric matrix of some coordinates, scaled.
func (r *reference) square(c []float64, scale float64) [][]float64 {
	m := make([][]float64, r.N)
	for i := range m {
		m[i] = make([]float64, r.N)
	}
	k := 0
	for i := range r.V {
		for j := i + 1; j < r.V; j++ {
			m[i][j], m[j][i] = scale*c[k], scale*c[k]
			k++
		}
	}
	return m
}
