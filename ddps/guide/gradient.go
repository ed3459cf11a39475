package guide

import (
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// Gradient sets g to an additive guidance signal for one sample whose chain is pi, both by edge of the graph that it is
// made for. Safe for concurrent use.
type Gradient func(pi, g []float64)

// Gradient calls f: a Gradient is a d3pm.Guide.
func (f Gradient) Gradient(pi, grad []float64) { f(pi, grad) }

// messages is scratch space for reach and value-to-go.
type messages struct{ p, w []float64 }

func messagePool(g *ddps.LayeredGraph) *sync.Pool {
	return &sync.Pool{New: func() any {
		return &messages{p: make([]float64, g.NumVertices()), w: make([]float64, g.NumVertices())}
	}}
}

// NewGradient returns the paper's guidance signal ∇_z R̄ (§4.2, Eq. 6) in closed form, as a function; RewardGradient is
// what a sampler takes. R̄ is the expected total reward of u, by edge:
//
//	∂R̄/∂z_v(e) = p_v π_v(e)(u_v(e) + W_{head(e)} − W_v).
//
// The error is CheckReward's. O(E) a call.
func NewGradient(g *ddps.LayeredGraph, u []float64) (Gradient, error) {
	if err := g.CheckReward(u); err != nil {
		return nil, err
	}
	pool := messagePool(g)
	return func(pi, grad []float64) {
		m := pool.Get().(*messages)
		defer pool.Put(m)
		chain.Reach(g, pi, m.p)
		ValueToGo(g, pi, u, m.w)
		for v, p := range m.p {
			lo, hi := g.Edges(v)
			for e := lo; e < hi; e++ {
				grad[e] = p * pi[e] * (u[e] + m.w[g.Head(e)] - m.w[v])
			}
		}
	}, nil
}

// Gradients is a Gradient for eight samples at a time, [edge][sample], with the same results. Safe for concurrent use.
type Gradients func(pi, g [][8]float64)

// NewGradients returns NewGradient for eight samples at a time.
func NewGradients(g *ddps.LayeredGraph, u []float64) (Gradients, error) {
	if err := g.CheckReward(u); err != nil {
		return nil, err
	}
	graph := vec.NewGraph(g, nil, nil)
	pool := sync.Pool{New: func() any {
		return &[2][]vec.Lane{make([]vec.Lane, g.NumVertices()), make([]vec.Lane, g.NumVertices())}
	}}
	return func(pi, grad [][8]float64) {
		m := pool.Get().(*[2][]vec.Lane)
		defer pool.Put(m)
		vec.Gradient(graph, u, pi, grad, m[0], m[1])
	}, nil
}

// NewGradientPrinted returns the gradient of Algorithm 1 as printed (ExpectedPrinted), for teaching: with
// c_v = 1ᵀu_v and W′_v = c_v + Σ_e π_v(e) W′_{head(e)} it is p_v π_v(e)(W′_{head(e)} − Σ_e′ π_v(e′) W′_{head(e′)}).
// Rewards stall below the maximum under it, since it does not matter to a vertex's reward which edge is taken.
func NewGradientPrinted(g *ddps.LayeredGraph, u []float64) (Gradient, error) {
	if err := g.CheckReward(u); err != nil {
		return nil, err
	}
	pool := messagePool(g)
	return func(pi, grad []float64) {
		m := pool.Get().(*messages)
		defer pool.Put(m)
		chain.Reach(g, pi, m.p)
		for v := g.NumVertices() - 1; v >= 0; v-- {
			lo, hi := g.Edges(v)
			all, next := 0.0, 0.0
			for e := lo; e < hi; e++ {
				all += u[e]
				next += pi[e] * m.w[g.Head(e)]
			}
			m.w[v] = all + next
			for e := lo; e < hi; e++ {
				grad[e] = m.p[v] * pi[e] * (m.w[g.Head(e)] - next)
			}
		}
	}, nil
}

// RewardGuide is the gradient of an expected reward as a d3pm.Guide. See RewardGradient.
type RewardGuide struct {
	g     *ddps.LayeredGraph
	u     []float64
	one   Gradient
	eight Gradients
}

// RewardGradient returns the guide ∇_z R̄ of NewGradient for reward u, by edge of g: what d3pm.Sampler.Guide takes, and
// follows by its Scale. It tells its graph, which the sampler compares with its own, and takes eight samples at a time,
// as a Gradient does not. The error is CheckReward's.
func RewardGradient(g *ddps.LayeredGraph, u []float64) (*RewardGuide, error) {
	one, err := NewGradient(g, u)
	if err != nil {
		return nil, err
	}
	eight, err := NewGradients(g, u)
	return &RewardGuide{g, u, one, eight}, err
}

// Gradient sets grad to ∇_z R̄ at the chain pi, both by edge.
func (r *RewardGuide) Gradient(pi, grad []float64) { r.one(pi, grad) }

// Gradients is Gradient for eight samples at a time, [edge][sample], with the same results.
func (r *RewardGuide) Gradients(pi, grad [][8]float64) { r.eight(pi, grad) }

// Reward returns the reward by edge, to be read only.
func (r *RewardGuide) Reward() []float64 { return r.u }

// Graph returns the graph of the reward.
func (r *RewardGuide) Graph() *ddps.LayeredGraph { return r.g }
