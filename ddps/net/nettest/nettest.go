package nettest

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/backend"
	"github.com/ddps-go/ddps/ddps/internal/engine"
	"github.com/ddps-go/ddps/ddps/net"
)

// Graph is a random layered graph: 1 vertex, then layers of width, each vertex with 1…degree out-edges.
func Graph(t testing.TB, layers, width, degree int, seed uint64) *ddps.LayeredGraph {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	sizes := []int{1}
	for range layers - 1 {
		sizes = append(sizes, width)
	}
	var heads [][]int
	for l, first := 0, 0; l < layers; l++ {
		next := first + sizes[l]
		for v := range sizes[l] {
			var out []int
			if l < layers-1 {
				for _, k := range rng.Perm(width)[:min(width, 1+(v+l+rng.IntN(2))%degree)] {
					out = append(out, next+k)
				}
			}
			heads = append(heads, out)
		}
		first = next
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Batch is a batch with all the shapes and ranges of a real one, from random numbers: rows along random
// walks, padded slots, a step with ᾱ_s = 1 and a one-hot Post, a Base that rules an edge out.
func Batch(t testing.TB, g *ddps.LayeredGraph, n, tMax int, seed uint64) *net.Batch {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 2))
	L, D, rows := g.NumLayers()-1, g.MaxDegree(), ddps.Rows(g)
	b := &net.Batch{N: n, L: L, D: D, TMax: tMax}
	for i := range n {
		step, abar := 1+rng.IntN(tMax), float32(rng.Float64())
		if i == 0 {
			step, abar = 1, 1
		}
		b.T, b.AbarS = append(b.T, int32(step)), append(b.AbarS, abar)
		for _, v := range rows {
			lo, hi := g.Edges(int(v))
			b.Xt = append(b.Xt, int32(lo+rng.IntN(hi-lo)))
		}
		for v, l := 0, 0; l < L; l++ {
			lo, hi := g.Edges(v)
			d := hi - lo
			target := rng.IntN(d)
			post, like := row(rng, d, target, step == 1)
			for j := range D {
				slot := min(j, d)
				b.Post, b.Like = append(b.Post, post[slot]), append(b.Like, like[slot])
				base, mask, edge := float32(rng.NormFloat64()), float32(1), lo+j
				if j >= d {
					base, mask, edge = 7, 0, lo
				} else if d > 2 && j != target && i%3 == 1 {
					base = float32(math.Inf(-1))
				}
				b.Base, b.Mask, b.Edge = append(b.Base, base), append(b.Mask, mask), append(b.Edge, int32(edge))
			}
			b.Target, b.InvD = append(b.Target, int32(target)), append(b.InvD, 1/float32(d))
			v = g.Head(lo + target)
		}
	}
	return b
}

// row draws a posterior and a likelihood of d entries, with a zero appended for padding.
func row(rng *rand.Rand, d, target int, last bool) (post, like []float32) {
	post, like = make([]float32, d+1), make([]float32, d+1)
	var sum float32
	for j := range d {
		post[j], like[j] = float32(rng.Float64()), 0.05+float32(rng.Float64())
		sum += post[j]
	}
	for j := range d {
		if post[j] /= sum; last {
			post[j] = 0
		}
	}
	if last {
		post[target] = 1
	}
	return post, like
}

// Loss is the loss of a batch in float64; out gives example n's output by edge.
func Loss(b *net.Batch, gamma float64, output func(n int) []float64) (loss net.Loss) {
	for n := range b.N {
		out := output(n)
		for r := n * b.L; r < (n+1)*b.L; r++ {
			pi, dist := make([]float64, b.D), make([]float64, b.D)
			var sum, total float64
			for i := range b.D {
				if b.Mask[r*b.D+i] == 1 {
					pi[i] = math.Exp(out[b.Edge[r*b.D+i]] + float64(b.Base[r*b.D+i]))
					sum += pi[i]
				}
			}
			a := float64(b.AbarS[n])
			for i := range b.D {
				if pi[i] /= sum; b.Mask[r*b.D+i] == 1 {
					dist[i] = float64(b.Like[r*b.D+i]) * (a*pi[i] + (1-a)*float64(b.InvD[r]))
					total += dist[i]
				}
			}
			loss.CE -= math.Log(pi[b.Target[r]]) / float64(b.N)
			for i := range b.D {
				if q := float64(b.Post[r*b.D+i]); q > 0 {
					loss.VB += float64(b.TMax) * q * math.Log(q*total/dist[i]) / float64(b.N)
				}
			}
		}
	}
	loss.Total = loss.CE + gamma*loss.VB
	return loss
}

// Doubles returns the parameters in float64.
func Doubles(params []net.Param) (out [][]float64) {
	for _, p := range params {
		values := make([]float64, len(p.Data))
		for i, w := range p.Data {
			values[i] = float64(w)
		}
		out = append(out, values)
	}
	return out
}

// Zeros returns scratch for the gradients of params.
func Zeros(params []net.Param) (out [][]float32) {
	for _, p := range params {
		out = append(out, make([]float32, len(p.Data)))
	}
	return out
}

// Randomise gives every parameter, the zero ones too, a random value.
func Randomise(params []net.Param, sigma float64, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 5))
	for _, p := range params {
		engine.Normal(rng, p.Data, sigma)
	}
}

// OnBackends runs test on the Go backend and on XLA, where this program has that and finds a plugin; with
// DDPS_TEST_XLA=1 it must be there.
func OnBackends(t *testing.T, test func(t *testing.T, spec string)) {
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

// PALMs draws n uniform PALMs.
func PALMs(g *ddps.LayeredGraph, n int, seed uint64) []ddps.PALM {
	rng := rand.New(rand.NewPCG(seed, 4))
	xt := make([]ddps.PALM, n)
	for i := range xt {
		xt[i] = make(ddps.PALM, g.NumVertices())
		g.Uniform(xt[i], rng)
	}
	return xt
}

// SameBits holds the gradients of networks made alike, each asked twice, to the last bit.
func SameBits(t *testing.T, b *net.Batch, make func() net.Network) {
	t.Helper()
	var first [][]float32
	for range 3 {
		n := make()
		for range 2 {
			grads := Zeros(n.Params())
			if _, err := n.LossGrad(b, grads); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = grads
			}
			for i := range grads {
				if !slices.Equal(grads[i], first[i]) {
					t.Fatalf("gradient of %s differs between runs", n.Params()[i].Name)
				}
			}
		}
	}
}

// Renumber returns g with the vertices of each layer in another order, and the new number of each vertex.
func Renumber(t *testing.T, g *ddps.LayeredGraph, seed uint64) (h *ddps.LayeredGraph, at []int) {
	t.Helper()
	rng, sizes := rand.New(rand.NewPCG(seed, 9)), []int{}
	at = make([]int, g.NumVertices())
	for l := range g.NumLayers() {
		lo, hi := g.Layer(l)
		sizes = append(sizes, hi-lo)
		for i, k := range rng.Perm(hi - lo) {
			at[lo+i] = lo + k
		}
	}
	heads := make([][]int, g.NumVertices())
	for v := range heads {
		for _, w := range g.From(v) {
			heads[at[v]] = append(heads[at[v]], at[w])
		}
	}
	h, err := ddps.New(sizes, heads)
	if err != nil {
		t.Fatal(err)
	}
	return h, at
}

// Near reports whether a lies within tol of b, relative where b is large.
func Near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*max(1, math.Abs(b)) }
