package fast

import (
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// Chain is a Denoiser of eight samples at a time: it gives the bits of Posterior for each. It holds scratch space:
// one for each goroutine.
type Chain struct {
	d     *chain.Denoiser
	graph *vec.Graph
	t     int        // of boost
	boost []vec.Lane // by a row's choices
	m     []vec.Lane // [V] messages
	tops  []vec.Lane // [L]
	one   struct {   // scratch of a sample
		x  ddps.PALM
		pi []float64
	}
}

// NewChain makes a Chain; graph is made from d's.
func NewChain(d *chain.Denoiser, graph *vec.Graph) *Chain {
	g := d.Graph()
	l := &Chain{d: d, graph: graph, t: -1, boost: make([]vec.Lane, g.MaxDegree()+1), m: make([]vec.Lane, g.NumVertices()),
		tops: make([]vec.Lane, g.NumLayers())}
	l.one.x, l.one.pi = make(ddps.PALM, g.NumVertices()), make([]float64, g.NumEdges())
	return l
}

// Posterior sets the first n lanes of pi, by edge, to the distribution of the path given x, by vertex, at time t in
// 1…T.
func (l *Chain) Posterior(pi []vec.Lane, x []vec.Choice, t, n int) {
	ratio := l.d.Ratio(t)
	if l.t != t {
		l.t = t
		for D := range l.boost {
			l.boost[D] = vec.Spread(1 + ratio*float64(D))
		}
	}
	bad := uint8(math.MaxUint8)
	if ratio < math.MaxFloat64/float64(len(l.boost)) {
		bad = vec.Posterior(l.graph, pi, l.m, l.tops, l.d.Chain().P, x, l.boost)
	}
	for k := range n {
		if bad>>k&1 != 0 {
			l.single(pi, x, t, k)
		}
	}
}

// single sets lane k as Denoiser.Posterior does.
func (l *Chain) single(pi []vec.Lane, x []vec.Choice, t, k int) {
	for v := range x {
		l.one.x[v] = int32(x[v][k])
	}
	if err := l.d.Posterior(l.one.pi, []ddps.PALM{l.one.x}, t); err != nil {
		panic(err) // t and the lengths are right
	}
	for e, p := range l.one.pi {
		pi[e][k] = p
	}
}
