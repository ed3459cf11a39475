package markov

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps/chain"
)

// MaxEdges is the most edges of a product graph where no limit is given: 2²³, which takes about half a gigabyte.
const MaxEdges = 1 << 23

// ErrTooLarge says that a product graph would have more edges than the limit.
var ErrTooLarge = errors.New("too large")

// Chain returns the model as a chain on its product graph: pairs of a vertex and what is remembered there, in each
// layer only those that some walk leads to. Every path has the probability that LogProb gives it. It is an error if
// the product has more than limit edges (0: MaxEdges).
func (m *Model) Chain(limit int) (*chain.Distribution, error) {
	if limit == 0 {
		limit = MaxEdges
	}
	l, states, err := chain.Unfold(m.g, m.begin(nil),
		func(q state, e int) (state, bool) { return m.after(q, e, nil), true }, limit)
	if err != nil {
		return nil, m.tooLarge(err)
	}
	p := make([]float64, len(l.Edge))
	m.fill(l, p, func(s int) state { return states[s] })
	return chain.NewDistribution(l, p)
}

// fill sets p, by edge of l, to the model's probabilities; state returns the model's state in each of l's.
func (m *Model) fill(l *chain.Product, p []float64, state func(s int) state) {
	V := l.Graph.NumVertices()
	each((V+chunk-1)/chunk, m.threads, func(next func() (int, bool)) {
		sc := m.scorer()
		for c, ok := next(); ok; c, ok = next() {
			for s := c * chunk; s < min((c+1)*chunk, V); s++ {
				if lo, hi := l.Graph.Edges(s); lo < hi {
					row := sc.row(l.Vertex[s], state(s))
					first, _ := m.g.Edges(l.Vertex[s])
					for k := lo; k < hi; k++ {
						p[k] = row[l.Edge[k]-first]
					}
				}
			}
		}
	})
}

// tooLarge says what makes a product smaller.
func (m *Model) tooLarge(err error) error {
	remedy := "a lower order or a greater min_count makes it smaller"
	if m.cfg.Visited {
		remedy += ", most of all visited = false"
	}
	return fmt.Errorf("markov: the product graph of the model (%s) is %w: %w; %s", m.cfg, ErrTooLarge, err, remedy)
}

// pair is a state of the model and one of a condition's product.
type pair struct {
	s state
	q int
}

// Given is the model conditioned: a chain on the product of the states of model and condition that lie on a path which
// meets it, made without the product graph of the model alone.
type Given struct {
	Chain   *chain.Distribution // given the condition
	P       []float64           // by edge of Chain.Lift: the model's own probability of the edge at its state
	LogProb float64             // of the condition, or of the expectation of its weight
}

// givenAtOnce is how many edges Given meets until it looks whether the context has ended.
const givenAtOnce = 1 << 10

// Given conditions the model exactly: c is the product of the graph with the states of a condition, logw, by edge of c,
// the logarithms of its weights (nil: all 0). The error is chain.ErrImpossible if no path meets it, or says that the
// product has more than limit edges (0: MaxEdges), or is ctx's.
func (m *Model) Given(ctx context.Context, c *chain.Product, logw []float64, limit int) (*Given, error) {
	if !c.Base.Equal(m.g) {
		return nil, fmt.Errorf("markov: the condition is on another graph than the model")
	}
	if limit == 0 {
		limit = MaxEdges
	}
	edge := func(q, e int) (int, bool) { // of c out of state q, over edge e
		lo, hi := c.Graph.Edges(q)
		i, ok := slices.BinarySearch(c.Edge[lo:hi], e)
		return lo + i, ok
	}
	met, ended := 0, false
	l, at, err := chain.Unfold(m.g, pair{m.begin(nil), 0}, func(x pair, e int) (pair, bool) {
		k, ok := edge(x.q, e)
		if met++; met%givenAtOnce == 0 {
			ended = ctx.Err() != nil
		}
		if !ok || ended { // no state leads on then
			return x, false
		}
		return pair{m.after(x.s, e, nil), c.Graph.Head(k)}, true
	}, limit)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, m.tooLarge(err)
	}
	if l == nil {
		return nil, fmt.Errorf("markov: %w", chain.ErrImpossible)
	}
	g := &Given{P: make([]float64, len(l.Edge))}
	m.fill(l, g.P, func(s int) state { return at[s].s })
	w := []float64(nil)
	if logw != nil {
		w = make([]float64, len(l.Edge))
		for k, e := range l.Edge {
			j, _ := edge(at[l.Graph.Tail(k)].q, e)
			w[k] = logw[j]
		}
	}
	p := make([]float64, len(l.Edge))
	if g.LogProb = chain.NewTilter(l.Graph).TiltLog(g.P, w, p); math.IsInf(g.LogProb, -1) {
		return nil, fmt.Errorf("markov: %w", chain.ErrImpossible)
	}
	g.Chain = &chain.Distribution{Product: l, P: p}
	return g, nil
}
