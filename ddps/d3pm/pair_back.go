package d3pm

import (
	"math"

	"github.com/ddps-go/ddps/ddps/chain"
)

// pairTrainer is the memory of one example on its way there and back. dX is the gradient by X.
type pairTrainer struct {
	pairScratch
	back   []float32 // [E] π, by head
	ahead  []float32 // [E] q, by tail
	dA, dS []pairVec // [V] by A_v, by γ ⊙ S_v
	dT     []float64 // [V]
	dGamma []pairVec // [1]
	out    []float32 // [D]
	z      []float64 // [D]
	scale  float32   // 1/N
}

func newPairTrainer(p *Pair) *pairTrainer {
	g := &p.graph
	vectors := func(n int) []pairVec { return make([]pairVec, n*g.n) }
	D := g.MaxDegree()
	return &pairTrainer{pairScratch: *newPairScratch(p), back: make([]float32, g.E), ahead: make([]float32, g.E),
		dA: vectors(g.V), dS: vectors(g.V), dT: make([]float64, g.V), dGamma: vectors(1),
		out: make([]float32, D), z: make([]float64, D)}
}

// example adds example n of b to sum: its loss and, with grad, its gradient.
func (p *Pair) example(s *pairTrainer, b *Batch, n int, sum *pairSum, grad bool) {
	g := &p.graph
	p.setGamma(&s.pairScratch, int(b.T[n]))
	p.posterior(&s.pairScratch, b, n)
	p.before(&s.pairScratch)
	p.after(&s.pairScratch, nil)
	if grad {
		clear(s.dA)
		clear(s.dS)
		clear(s.dT)
		clear(s.dGamma)
	}
	for r := n * b.L; r < (n+1)*b.L; r++ {
		sum.loss += p.onPath(s, b, r, grad)
	}
	if !grad {
		return
	}
	for i, e := range g.edge {
		s.back[i], s.ahead[e] = s.leave[e], s.enter[i]
	}
	p.backAfter(s, sum)
	p.backBefore(s, sum)
	for k, f := range s.feature {
		pairAxpy(g.of(sum.gamma, k), s.dGamma, f)
	}
}

// onPath returns −log softmax(Base + out)[Target] of on-path row r and adds its gradient by out, which is
// (softmax − one-hot)/N, to those by A_v, U_w and T_w.
func (p *Pair) onPath(s *pairTrainer, b *Batch, r int, grad bool) float64 {
	g, lo := &p.graph, r*b.D
	v := g.Tail(int(b.Edge[lo]))
	first, hi := g.out(v)
	out := s.out[:hi-first]
	p.edges(&s.pairScratch, v, out)
	z := s.z[:hi-first]
	for j := range z {
		z[j] = float64(b.Base[lo+j]) + float64(out[j])
	}
	chain.SoftmaxRow(z, z)
	target := int(b.Target[r])
	loss := -math.Log(z[target])
	if !grad {
		return loss
	}
	z[target]--
	for j, y := range z {
		w := g.head[first+j]
		out[j] = float32(y) * s.scale
		s.dT[w] += float64(out[j])
		pairAxpy(g.of(s.dS, int(w)), g.of(s.A, v), out[j])
	}
	dA := g.of(s.dA, v)
	pairGather(dA, dA, s.U, g.headAt[first:hi], out)
	return loss
}

// backAfter is after backwards, from v¹ on: what comes in by U = γ ⊙ (b + S) and T of a vertex goes to b, γ and, by
// S, to the vertices behind it.
func (p *Pair) backAfter(s *pairTrainer, sum *pairSum) {
	g := &p.graph
	for w := range g.V {
		lo, hi := g.in(w)
		for i := lo; i < hi; i++ {
			s.dT[w] += s.pi[g.edge[i]] * s.dT[g.tail[i]]
		}
		dS := g.of(s.dS, w)
		pairGather(dS, dS, s.dS, g.tailAt[lo:hi], s.back[lo:hi])
		pairBackS(dS, g.of(sum.b, w), s.dGamma, g.of(s.b, w), s.gamma, g.of(s.a, w), float32(s.dT[w]))
	}
}

// backBefore is before backwards, from the last layer but one: what comes in by A = a + C goes to a, and by C to
// the vertices before it. On the way a takes its share of T_v = ⟨a_v, γ ⊙ S_v⟩ + …
func (p *Pair) backBefore(s *pairTrainer, sum *pairSum) {
	g := &p.graph
	for v := g.last - 1; v >= 0; v-- {
		lo, hi := g.out(v)
		dA := g.of(s.dA, v)
		pairGather(dA, dA, s.dA, g.headAt[lo:hi], s.ahead[lo:hi])
		pairBackA(g.of(sum.a, v), dA, g.of(s.U, v), g.of(s.gb, v), float32(s.dT[v]))
	}
}
