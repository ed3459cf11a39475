package d3pm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/engine"
)

// pairPlain is the specification in float64, as plainly as it can be said: messages and logits (corrections) from
// a chain and the vectors.
type pairPlain struct {
	C, S   [][]float64
	T, out []float64
}

func pairMessages(g *ddps.LayeredGraph, pi []float64, a, b [][]float64, gamma []float64) *pairPlain {
	V, H := g.NumVertices(), len(gamma)
	m := &pairPlain{T: make([]float64, V), out: make([]float64, g.NumEdges())}
	for range V {
		m.C, m.S = append(m.C, make([]float64, H)), append(m.S, make([]float64, H))
	}
	p := make([]float64, V)
	chain.Reach(g, pi, p)
	for e, q := range pi {
		if v, w := g.Tail(e), g.Head(e); p[w] > 0 {
			for h := range H {
				m.C[w][h] += p[v] * q / p[w] * (m.C[v][h] + a[v][h])
			}
		}
	}
	for e := g.NumEdges() - 1; e >= 0; e-- {
		v, w := g.Tail(e), g.Head(e)
		m.T[v] += pi[e] * m.T[w]
		m.out[e] = m.T[w]
		for h := range H {
			later := b[w][h] + m.S[w][h]
			m.S[v][h] += pi[e] * later
			m.T[v] += pi[e] * a[v][h] * gamma[h] * later
			m.out[e] += (m.C[v][h] + a[v][h]) * gamma[h] * later
		}
	}
	return m
}

// pairLoss is the loss of a batch in float64 as a function of the parameters.
func pairLoss(p *Pair, g *ddps.LayeredGraph, params [][]float64, b *Batch) float64 {
	loss, pi, rows := 0.0, make([]float64, g.NumEdges()), Rows(g)
	for n := range b.N {
		xt := make(ddps.PALM, g.NumVertices())
		for i, v := range rows {
			lo, _ := g.Edges(int(v))
			xt[v] = b.Xt[n*len(rows)+i] - int32(lo)
		}
		p.posts.Posterior(pi, xt, int(b.T[n]))
		x, y, gamma := pairVectors(p, params, int(b.T[n]))
		out := pairMessages(g, pi, x, y, gamma).out
		for r := n * b.L; r < (n+1)*b.L; r++ {
			var sum, target float64
			for j := range b.D {
				if k := r*b.D + j; b.Mask[k] == 1 {
					z := math.Exp(float64(b.Base[k]) + out[b.Edge[k]])
					if sum += z; j == int(b.Target[r]) {
						target = z
					}
				}
			}
			loss -= math.Log(target/sum) / float64(b.N)
		}
	}
	return loss
}

// pairVectors returns a, b and γ_t of the parameters.
func pairVectors(p *Pair, params [][]float64, t int) (a, b [][]float64, gamma []float64) {
	H := p.cfg.Hidden
	for v, r := range p.row {
		x, y := make([]float64, H), make([]float64, H)
		for h := range H {
			x[h], y[h] = params[0][int(r)*H+h], params[1][int(r)*H+h]
			if l := int(p.layer[v]); p.cfg.Shared {
				y[h] += params[4][l] * x[h]
				x[h] *= 1 + params[2][l*H+h]
				y[h] *= 1 + params[3][l*H+h]
			}
		}
		a, b = append(a, x), append(b, y)
	}
	for h := range H {
		gamma = append(gamma, 1)
		for k := range p.cfg.Time {
			gamma[h] += math.Cos(math.Pi*float64(k+1)*float64(t)/float64(p.times)) * params[len(params)-1][k*H+h]
		}
	}
	return a, b, gamma
}

// pairPlaces gives the vertices of g places that come again in other layers, some of them none.
func pairPlaces(t testing.TB, g *ddps.LayeredGraph) *ddps.LayeredGraph {
	t.Helper()
	place := make([]int, g.NumVertices())
	for v := range place {
		place[v] = v*7%5 - 1
	}
	out, err := g.WithMeta(ddps.Meta{Place: place})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// pairNew makes a network for the uniform chain of g.
func pairNew(t testing.TB, g *ddps.LayeredGraph, cfg PairConfig) *Pair {
	t.Helper()
	p, err := NewPair(g, chain.NewDenoiser(chain.Uniform(g), Cosine(64).Abar), Cosine(64), cfg, 3)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pairRandom gives every parameter, the zero ones too, a random value.
func pairRandom(p *Pair, sigma float64, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 5))
	for _, q := range p.Params() {
		engine.Normal(rng, q.Data, sigma)
	}
}

func pairGrads(p *Pair) (grads [][]float32, params [][]float64) {
	for _, q := range p.Params() {
		grads = append(grads, make([]float32, len(q.Data)))
		values := make([]float64, len(q.Data))
		for i, x := range q.Data {
			values[i] = float64(x)
		}
		params = append(params, values)
	}
	return grads, params
}
