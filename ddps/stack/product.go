package stack

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Chain returns the distribution of a chain on a product graph: of first order, second order, or a condition's.
func Chain(l *chain.Distribution) Tractable { return product{l} }

// product is a chain on a product graph.
type product struct{ d *chain.Distribution }

func (l product) Graph() *ddps.LayeredGraph { return l.d.Base() }

func (l product) LogProb(paths []ddps.Path, out []float64) error { return logProbs(l.d, paths, out) }

// single is a distribution that takes a path at a time.
type single interface {
	LogProb(ddps.Path) (float64, error)
}

// logProbs writes log p of each path to out.
func logProbs(d single, paths []ddps.Path, out []float64) error {
	if len(out) != len(paths) {
		return fmt.Errorf("stack: %d paths, but room for %d log-probabilities", len(paths), len(out))
	}
	for i, p := range paths {
		x, err := d.LogProb(p)
		if err != nil {
			return fmt.Errorf("stack: path %d: %w", i+1, err)
		}
		out[i] = x
	}
	return nil
}

func (l product) Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error {
	each((len(paths)+chunk-1)/chunk, func(c int) {
		for i := c * chunk; i < min((c+1)*chunk, len(paths)) && ctx.Err() == nil; i++ {
			paths[i] = l.draw(seed, uint64(first+i))
		}
	})
	return ctx.Err()
}

func (l product) draw(seed, i uint64) ddps.Path { return l.d.Sample(ddps.Rand(seed, i)) }

func (l product) Given(ctx context.Context, c Condition) (Tractable, float64, error) {
	if err := c.check(l.Graph()); err != nil {
		return nil, math.NaN(), err
	}
	if err := ctx.Err(); err != nil {
		return nil, math.NaN(), err
	}
	given, log, err := l.d.Given(c.Product, c.LogW)
	if err != nil {
		return nil, log, err
	}
	return product{given}, log, nil
}

func (l product) look(_ context.Context, c Condition) (*lookahead, error) {
	given, log, err := l.d.Given(c.Product, c.LogW)
	if err != nil {
		return nil, err
	}
	g := given.Product.Graph
	own, at := make([]float64, len(given.P)), make([]int, g.NumVertices()) // the state of l in each of the product's
	for s := range at {
		lo, hi := g.Edges(s)
		first, last := l.d.Product.Graph.Edges(at[s])
		for k := lo; k < hi; k++ {
			j, _ := slices.BinarySearch(l.d.Product.Edge[first:last], given.Product.Edge[k])
			own[k] = l.d.P[first+j]
			at[g.Head(k)] = l.d.Product.Graph.Head(first + j)
		}
	}
	return newLookahead(given, own, log), nil
}
