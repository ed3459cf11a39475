package stack

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// lookahead is a tractable distribution q given a condition, step by step: along edge k of its product graph
//
//	ratio_k = q(k | s, condition)/q(k | s) = w_k ψ(head)/ψ(tail),
//
// ψ(s) being the expectation under q of the weights still to come.
type lookahead struct {
	chain *chain.Distribution
	ratio []float64
	log   float64 // log ψ(v¹)
}

// newLookahead makes the lookahead of a distribution given a condition, own being the edges' probabilities before.
func newLookahead(given *chain.Distribution, own []float64, log float64) *lookahead {
	a := &lookahead{chain: given, ratio: make([]float64, len(own)), log: log}
	for k, p := range own {
		if p > 0 {
			a.ratio[k] = given.P[k] / p
		}
	}
	return a
}

// run takes n particles of d through the layers. An edge is drawn in proportion to p_d(e | walk)·ratio, and a
// particle's weight gains the factor Σ_e p_d(e | walk)·ratio; weights fall to their mean where fewer than half of the
// particles are effective. The mean weight estimates P_d(condition)/ψ(v¹) without bias. The error
// is ctx's.
func (a *lookahead) run(ctx context.Context, d Stepper, n int, rng *rand.Rand) (*pool, error) {
	g, over := d.Graph(), a.chain.Product
	D := g.MaxDegree()
	p := &pool{paths: make([]ddps.Path, n), logw: make([]float64, n)}
	states, logp, at := d.Start(n), make([]float64, n*D), make([]int, n) // at: vertices of the product
	vertices, row, from, least := make([]int, n), make([]float64, over.Graph.MaxDegree()), make([]int, n), 1.0
	for i := range p.paths {
		p.paths[i] = make(ddps.Path, 1, g.NumLayers())
	}
	kept := 0.0 // log of the mean weights at which particles were resampled
	for range g.NumLayers() - 1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		states.Step(vertices, logp)
		for i, v := range vertices {
			lo, hi := over.Graph.Edges(at[i])
			first, _ := g.Edges(v)
			sum := 0.0
			for k := lo; k < hi; k++ {
				row[k-lo] = math.Exp(logp[i*D+over.Edge[k]-first]) * a.ratio[k]
				sum += row[k-lo]
			}
			k := lo
			if p.logw[i] += real.Log(sum); sum > 0 && hi-lo > 1 {
				k += chain.Pick(row[:hi-lo], sum*rng.Float64())
			}
			at[i] = over.Graph.Head(k)
			vertices[i] = over.Vertex[at[i]]
			p.paths[i] = append(p.paths[i], vertices[i])
		}
		p.normalise()
		least = min(least, p.ess)
		if p.ess < .5 && !math.IsInf(p.log, -1) && len(p.paths[0]) < g.NumLayers() {
			kept += p.log
			systematic(p.logw, from, rng.Float64())
			states.Select(from)
			p.choose(from, at, vertices)
		}
	}
	p.normalise()
	p.log, p.ess = p.log+kept, least
	return p, nil
}

// choose makes particle i what from[i] was, of weight 1.
func (p *pool) choose(from, at, vertices []int) {
	paths, where, v := make([]ddps.Path, len(from)), make([]int, len(from)), make([]int, len(from))
	for i, r := range from {
		paths[i] = append(make(ddps.Path, 0, cap(p.paths[r])), p.paths[r]...)
		where[i], v[i] = at[r], vertices[r]
		p.logw[i] = 0
	}
	p.paths = paths
	copy(at, where)
	copy(vertices, v)
}
