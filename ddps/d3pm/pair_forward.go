package d3pm

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// pairScratch is the memory of one sample on its way through a Pair, and the vectors a_v, b_v, γ_t as the sweeps
// read them. γ_t enters once, in b: S and all that comes of it is linear in γ_t ⊙ b. A and U hold what other
// messages need: A_v = C_v + a_v and U_v = γ_t ⊙ (b_v + S_v).
type pairScratch struct {
	palm      ddps.PALM
	pi, reach []float64 // [E], [V] π and p
	leave     []float32 // [E] π, by tail
	enter     []float32 // [E] q, by head
	feature   []float32 // [Time]
	a, b, gb  []pairVec // [V] a, b and γ_t ⊙ b
	gamma     []pairVec // [1]
	A, U      []pairVec // [V]
	T         []float64 // [V]
	dots      []float32 // [D rounded up to a multiple of 4]
}

func newPairScratch(p *Pair) *pairScratch {
	g := &p.graph
	vectors := func(n int) []pairVec { return make([]pairVec, n*g.n) }
	return &pairScratch{
		palm: make(ddps.PALM, g.V), pi: make([]float64, g.E), reach: make([]float64, g.V),
		leave: make([]float32, g.E), enter: make([]float32, g.E), feature: make([]float32, p.cfg.Time),
		a: vectors(g.V), b: vectors(g.V), gb: vectors(g.V), gamma: vectors(1), A: vectors(g.V), U: vectors(g.V),
		T: make([]float64, g.V), dots: make([]float32, (g.MaxDegree()+3)/4*4),
	}
}

// Forward sets out, [batch, edge] in the graph's numbering, to the correction of log π for each PALM of xt at time
// t in 1…T. Samples are worked on one after another, the vectors in registers (a whole layer's vectors fit the
// first-level cache; several samples at a time would not), so a sample's numbers depend on its PALM and t alone,
// to the last bit. Edges out of a vertex that the chain does not visit get finite numbers. Safe for concurrent
// callers. It panics if out has the wrong length or t is out of range; each PALM must have V entries in range.
func (p *Pair) Forward(out []float32, xt []ddps.PALM, t int) {
	E := p.graph.E
	if len(out) != len(xt)*E {
		panic("d3pm: pair: output of the wrong length")
	}
	if t < 1 || t > p.times {
		panic(fmt.Sprintf("d3pm: pair: time %d is not in 1…%d", t, p.times))
	}
	s := p.pool.Get().(*pairScratch)
	p.vectors(s)
	p.setGamma(s, t)
	for i, x := range xt {
		p.chain(s, x, t)
		p.before(s)
		p.after(s, out[i*E:(i+1)*E])
	}
	p.pool.Put(s)
}

// forwardFrom is Forward where what it would ask its base for is known, π, [batch, edge].
func (p *Pair) forwardFrom(out []float32, pi []float64, t int) {
	E := p.graph.E
	s := p.pool.Get().(*pairScratch)
	p.vectors(s)
	p.setGamma(s, t)
	for lo := 0; lo < len(pi); lo += E {
		p.from(s, out[lo:lo+E], pi[lo:lo+E])
	}
	p.pool.Put(s)
}

// from sets out, by edge, given π; s has the vectors and γ_t.
func (p *Pair) from(s *pairScratch, out []float32, pi []float64) {
	own := s.pi
	s.pi = pi
	p.weights(s)
	p.before(s)
	p.after(s, out)
	s.pi = own
}

// vectors sets a_v and b_v.
func (p *Pair) vectors(s *pairScratch) {
	p.spread(s.a, &p.a)
	p.spread(s.b, &p.b)
}

func (p *Pair) spread(x []pairVec, from *pairTable) {
	room := make([]float32, p.cfg.Hidden)
	for v, r := range p.row {
		row, dst := from.rowOf(room, int(r), int(p.layer[v])), p.graph.of(x, v)
		if from.scale == nil {
			for h, y := range row {
				dst[h/pairWidth][h%pairWidth] = y
			}
			continue
		}
		scale := from.scale[int(p.layer[v])*p.cfg.Hidden:][:p.cfg.Hidden]
		for h, y := range row {
			dst[h/pairWidth][h%pairWidth] = y * (1 + scale[h])
		}
	}
}

// setGamma sets γ_t = 1 + Σ_k cos(πkt/T)·Γ_k and γ_t ⊙ b.
func (p *Pair) setGamma(s *pairScratch, t int) {
	p.features(s.feature, t)
	for h := range p.cfg.Hidden {
		sum := float32(1)
		for k, f := range s.feature {
			sum += f * p.gamma[k*p.cfg.Hidden+h]
		}
		s.gamma[h/pairWidth][h%pairWidth] = sum
	}
	for v := range p.graph.V {
		pairMul(p.graph.of(s.gb, v), s.gamma, p.graph.of(s.b, v))
	}
}

// chain sets π, p and the weights of the sweeps from x_t.
func (p *Pair) chain(s *pairScratch, xt ddps.PALM, t int) {
	p.posts.Posterior(s.pi, xt, t)
	p.weights(s)
}

// weights sets p and the weights of the sweeps from π. Weights that a float32 cannot hold well become 0.
func (p *Pair) weights(s *pairScratch) {
	const tiny, unreached = 1e-30, 0x1p-960
	g := &p.graph
	chain.Reach(g.LayeredGraph, s.pi, s.reach)
	for e, q := range s.pi {
		if s.leave[e] = float32(q); q < tiny {
			s.leave[e] = 0
		}
	}
	for w := range g.last {
		inv := 0.0
		if s.reach[w] > unreached {
			inv = 1 / s.reach[w]
		}
		lo, hi := g.in(w)
		for i := lo; i < hi; i++ {
			q := s.pi[g.edge[i]] * s.reach[g.tail[i]] * inv
			if s.enter[i] = float32(q); q < tiny {
				s.enter[i] = 0
			}
		}
	}
}

// before sweeps C, as A_w = a_w + Σ_{v→w} q_vw A_v, over all layers but the last.
func (p *Pair) before(s *pairScratch) {
	g := &p.graph
	for w := range g.last {
		lo, hi := g.in(w)
		pairGather(g.of(s.A, w), g.of(s.a, w), s.A, g.tailAt[lo:hi], s.enter[lo:hi])
	}
}

// after sweeps S, as U_v = γ ⊙ b_v + Σ_{v→w} π_v(w) U_w, and T, and sets out, by edge, on the way; nil: no output.
func (p *Pair) after(s *pairScratch, out []float32) {
	g := &p.graph
	copy(s.U[g.last*g.n:], s.gb[g.last*g.n:])
	for v := g.last - 1; v >= 0; v-- {
		lo, hi := g.out(v)
		U := g.of(s.U, v)
		pairGather(U, g.of(s.gb, v), s.U, g.headAt[lo:hi], s.leave[lo:hi])
		T := float64(pairDotDiff(g.of(s.a, v), U, g.of(s.gb, v)))
		for e := lo; e < hi; e++ {
			T += s.pi[e] * s.T[g.head[e]]
		}
		s.T[v] = T
		if out != nil {
			p.edges(s, v, out[lo:hi])
		}
	}
}

// edges sets out, by v's out-edges, to ⟨A_v, U_w⟩ + T_w.
func (p *Pair) edges(s *pairScratch, v int, out []float32) {
	lo, hi := p.graph.out(v)
	pairDots(s.dots, p.graph.of(s.A, v), s.U, p.graph.headAt[lo:hi])
	for i, w := range p.graph.head[lo:hi] {
		out[i] = float32(float64(s.dots[i]) + s.T[w])
	}
}
