package mixture

import (
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// penalised is the penalised negative log-likelihood of a mixture and its gradient. Parameters are φ, [V, K],
// log ω + const, [K], and ψ.
type penalised struct {
	base *chain.Distribution // on the product graph
	// by edge of the product graph: which of ψ it has, nTurns for none; nil: no edge has any
	turn    [][2]int32
	nTurns  int
	cfg     Config
	V, K    int
	width   int   // K, rounded up to whole sweeps
	next    []int // [V] the same place a layer on, −1: none
	dead    int   // states from which no path of positive probability leads on
	train   *walks
	valid   *walks // nil: none
	sweeps  []*sweep
	parts   []*part   // of train
	check   []*part   // of valid
	exp     []float64 // [V, width] exp φ_k(v), 1 at v¹
	ratio   []float64 // [V, width] the same over the scale of the layer before
	b       []float64 // by edge of the product graph: base·exp ψ
	expTurn []float64 // [nTurns+1] exp ψ, the last 1
	omega   []float64 // [width]
	first   []float64 // [width] ω_k over the message at v¹
}

func newPenalised(c *chain.Chain, train, valid chain.Sample, cfg Config) *penalised {
	g, K := c.Graph, cfg.Classes
	lift, states := chain.Identity(g), []came(nil)
	if cfg.Order == 2 {
		lift, states, _ = turnStates(g, 0) // Check has seen to errors
		c = chain.Uniform(g)
	}
	f := &penalised{base: &chain.Distribution{Product: lift, P: make([]float64, len(lift.Edge))}, cfg: cfg,
		V: g.NumVertices(), K: K,
		width: (K + sweepLanes - 1) / sweepLanes * sweepLanes, next: following(g)}
	lift.Pull(c.P, f.base.P)
	if cfg.Order == 2 {
		f.turn, f.nTurns = turnKinds(lift, states)
	}
	f.dead = f.countDead()
	f.train = f.walks(train)
	f.parts = f.train.parts(f.V, f.width, true)
	if len(valid.Paths) > 0 {
		f.valid = f.walks(valid)
		f.check = f.valid.parts(f.V, f.width, false)
	}
	S, L := lift.Graph.NumVertices(), lift.Graph.NumLayers()
	for lane := 0; lane < K; lane += sweepLanes {
		s := &sweep{lane: lane, n: min(sweepLanes, K-lane), y: make([]float64, S*sweepLanes),
			a:     make([]float64, S*sweepLanes),
			scale: make([][4]float64, L), reach: make([]float64, f.V*sweepLanes), turns: make([]float64, f.nTurns+1)}
		s.unscale()
		f.sweeps = append(f.sweeps, s)
	}
	f.exp, f.ratio = make([]float64, f.V*f.width), make([]float64, f.V*f.width)
	f.b, f.expTurn = make([]float64, len(lift.Edge)), make([]float64, f.nTurns+1)
	f.omega, f.first = make([]float64, f.width), make([]float64, f.width)
	return f
}

// countDead counts the states, but for those of the last layer, from which no path of positive base probability leads
// on.
func (f *penalised) countDead() (n int) {
	g := f.base.Product.Graph
	alive := make([]bool, g.NumVertices())
	last, end := g.Layer(g.NumLayers() - 1)
	for q := last; q < end; q++ {
		alive[q] = f.base.Product.Vertex[q] >= 0
	}
	for q := last - 1; q >= 0; q-- {
		lo, hi := g.Edges(q)
		for e := lo; e < hi && !alive[q]; e++ {
			alive[q] = f.base.P[e] > 0 && alive[g.Head(e)]
		}
		if !alive[q] {
			n++
		}
	}
	return n
}

// walks returns the sample's paths and what their turns and the base make of them.
func (f *penalised) walks(s chain.Sample) *walks {
	w := newWalks(s)
	w.turns = make([]float64, f.nTurns+1)
	var edges []int
	var p ddps.Path
	for i, x := range w.weight {
		p = w.path(i, p)
		edges, _, _ = f.base.Product.Edges(edges[:0], p) // the product graph has all paths
		for _, e := range edges {
			w.base += x * real.Log(f.base.P[e])
			if f.turn != nil {
				w.turns[f.turn[e][0]] += x
				w.turns[f.turn[e][1]] += x
			}
		}
	}
	return w
}

// nll returns −Σ w log Σ_k ω_k P_k of walks, without what the base has of it.
func (f *penalised) nll(w *walks, parts []*part, psi []float64) (loss float64) {
	split(len(parts), func(i int) { parts[i].sum(w, f.width, f.first, f.ratio) })
	for _, p := range parts {
		loss += p.loss
	}
	for i, y := range psi {
		loss -= w.turns[i] * y
	}
	return loss
}

// loss returns what a fit minimises, in nats per path, and sets grad to its gradient unless it is nil. It is +Inf where
// messages or likelihoods leave the range of float64s.
func (f *penalised) loss(x, grad []float64) float64 {
	if !f.messages(x) {
		return math.Inf(1)
	}
	psi := x[f.V*f.K+f.K:]
	loss := f.nll(f.train, f.parts, psi)
	if math.IsInf(loss, 1) {
		return loss
	}
	all := f.parts[0]
	for _, p := range f.parts[1:] {
		for k, y := range p.class {
			all.class[k] += y
		}
	}
	split(len(f.sweeps), func(i int) { f.columns(f.sweeps[i], x, grad) })
	for _, s := range f.sweeps {
		loss += s.prior
	}
	for _, y := range psi {
		loss += f.cfg.Ridge * y * y / 2
	}
	if grad != nil {
		for k := range f.K {
			grad[f.V*f.K+k] = (f.train.total*f.omega[k] - all.class[k]) / f.train.total
		}
		blocks(f.nTurns, func(lo, hi int) { f.turnGrad(psi, grad[f.V*f.K+f.K:], lo, hi) })
	}
	return (loss - f.train.base) / f.train.total
}

// turnGrad sets the gradient with respect to a range of ψ.
func (f *penalised) turnGrad(psi, grad []float64, lo, hi int) {
	for i := lo; i < hi; i++ {
		d := f.cfg.Ridge*psi[i] - f.train.turns[i]
		for _, s := range f.sweeps {
			d += s.turns[i]
		}
		grad[i] = d / f.train.total
	}
}

// columns sets the prior of a sweep's classes and the gradient with respect to their φ.
func (f *penalised) columns(s *sweep, x, grad []float64) {
	K, rho, tau := f.K, f.cfg.Ridge, f.cfg.Smooth
	if grad != nil {
		for v := range f.V {
			clear(grad[v*K+s.lane:][:s.n])
		}
		s.forward(f, f.parts[0].class[s.lane:][:s.n])
	}
	s.prior = 0
	for v, next := range f.next {
		for i := range s.n {
			at := v*K + s.lane + i
			y, d := x[at], 0.0
			s.prior += rho * y * y / 2
			if next >= 0 {
				d = tau * (y - x[next*K+s.lane+i])
				s.prior += d * (y - x[next*K+s.lane+i]) / 2
			}
			if grad == nil {
				continue
			}
			if v > 0 { // v¹ is on every path: its potential says nothing
				d += s.reach[v*4+i]
				for _, p := range f.parts {
					d -= p.visits[v*f.width+s.lane+i]
				}
			}
			grad[at] += (rho*y + d) / f.train.total
			if next >= 0 {
				grad[next*K+s.lane+i] -= tau * (y - x[next*K+s.lane+i]) / f.train.total
			}
		}
	}
}

// mixture returns the mixture of parameters x, which lie within range.
func (f *penalised) mixture(x []float64) *Mixture {
	m := &Mixture{Product: f.base.Product, Weight: make([]float64, f.K), P: make([]float64, len(f.base.P)*f.K)}
	f.messages(x)
	copy(m.Weight, f.omega)
	split(len(f.sweeps), func(i int) { f.sweeps[i].rows(f, m.P) })
	return m
}
