package d3pm

import (
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// Step is one reverse step t → s of one sample, as a Kernel sees it: π, the row softmax of the logits z of
// p̃_θ(x̃_0 | x_t), and scratch for the answer. π and Dist are by edge.
type Step struct {
	Graph *ddps.LayeredGraph
	T, S  int     // from t to s < t
	At    float64 // ᾱ_t
	As    float64 // ᾱ_s
	A     float64 // ᾱ_t/ᾱ_s
	Xt    ddps.PALM
	Pi    []float64
	Dist  []float64 // what the kernel fills: the distribution of x_s row by row, or its logarithm up to a constant
	Log   bool      // set by a kernel whose Dist holds logarithms
	Rand  *rand.Rand

	From Transition // q(x_t | x_0)
	To   Transition // q(x_s | x_0)
	Like Transition // q(x_t | x_s)
	// set by Joint: Dist is conditional on the x̃_0 drawn; p(x_s | x_t) is its average over x̃_0
	Drawn bool
	Whole bool                   // the distribution of the path is that of Paths, not the chain of its rows
	Paths chain.PathDistribution // of a denoiser that has one; else nil
	// of a condition with a memory: the path's distribution is its chain, and Pi the rows of that
	Product *chain.ProductTilter

	reach []float64 // [V]
	path  ddps.Path // [L] the x̃_0 drawn
	moves bool      // path is the x̃_0 of the step before, of the same sample
	rows  []int32   // vertices with a choice
}

// NewStep makes scratch for steps on g.
func NewStep(g *ddps.LayeredGraph) Step {
	choices := g.MaxDegree() + 1
	moves := make([]float64, 3*choices)
	return Step{Graph: g, Dist: make([]float64, g.NumEdges()),
		From: Transition{Move: moves[:choices]}, To: Transition{Move: moves[choices : 2*choices]},
		Like:  Transition{Move: moves[2*choices:]},
		reach: make([]float64, g.NumVertices()), path: make(ddps.Path, g.NumLayers()), rows: ddps.Rows(g)}
}

// Begin sets the step to go from t to s, from x.
func (st *Step) Begin(sched *Schedule, t, s int, x ddps.PALM) {
	st.Xt, st.Log, st.Drawn = x, false, false
	if st.T == t && st.S == s {
		return
	}
	st.T, st.S = t, s
	st.At, st.As = sched.Abar[t], sched.Abar[s]
	st.A = st.At / st.As
	st.From.set(st.At)
	st.To.set(st.As)
	st.Like.set(st.A)
}

// draw draws x̃_0 into st.path, a path of the chain π, or of the distribution that is more than its rows.
func (st *Step) draw() {
	if m, ok := st.Paths.(mover); st.Whole && ok && st.moves {
		m.Move(st.Rand, st.path)
		return
	}
	if st.Whole {
		st.Paths.Draw(st.Rand, st.path)
		return
	}
	if st.Product != nil {
		st.Product.Draw(st.Rand, st.path)
		return
	}
	chain.Draw(st.Graph, st.Pi, st.Rand, st.path)
}

// like returns q(x_t = x_t^v | x_s = e) for edge e of the row lo…hi−1.
func (st *Step) like(v, lo, e, D int) float64 { return st.Like.Of(int(st.Xt[v]) == e-lo, D) }

// guide is line 8 of Algorithm 2: it multiplies each row's distribution by exp(λ g) and normalises it.
func (st *Step) guide(g []float64, lambda float64) {
	for _, v := range st.rows {
		lo, hi := st.Graph.Edges(int(v))
		for e := lo; e < hi; e++ {
			if !st.Log {
				st.Dist[e] = vec.Log(st.Dist[e])
			}
			if g != nil {
				st.Dist[e] += clamped(lambda * g[e])
			}
		}
		vec.SoftmaxRow(st.Dist[lo:hi], st.Dist[lo:hi])
	}
	st.Log = false
}

// clamped keeps −Inf + λ g from being NaN.
func clamped(x float64) float64 {
	const limit = 1e300
	return min(max(x, -limit), limit)
}
