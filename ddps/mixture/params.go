package mixture

import (
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// following returns of each vertex the vertex of the same place a layer on, −1 where there is none.
func following(g *ddps.LayeredGraph) []int {
	next, at := make([]int, g.NumVertices()), map[int]int{}
	for l := g.NumLayers() - 1; l >= 0; l-- {
		here := map[int]int{}
		lo, hi := g.Layer(l)
		for v := lo; v < hi; v++ {
			next[v] = -1
			if g.Meta().Place == nil || g.Meta().Place[v] < 0 {
				continue
			}
			place := g.Meta().Place[v]
			if w, ok := at[place]; ok {
				next[v] = w
			}
			here[place] = v
		}
		at = here
	}
	return next
}

// size returns the number of parameters.
func (f *penalised) size() int { return f.V*f.K + f.K + f.nTurns }

// start draws the first potentials, the same for all of a place's vertices: classes that are alike stay so.
func (f *penalised) start(seed, stream uint64) []float64 {
	const spread = 0.5
	x, rng := make([]float64, f.size()), ddps.Rand(seed, stream)
	drawn := make([]bool, f.V)
	for v := range f.V {
		if drawn[v] {
			continue
		}
		for k := range f.K {
			x[v*f.K+k] = spread * rng.NormFloat64()
		}
		for w := f.next[v]; w >= 0; w = f.next[w] {
			copy(x[w*f.K:][:f.K], x[v*f.K:][:f.K])
			drawn[w] = true
		}
	}
	return x
}

// unitShare is the share of the variance of a class's visits, or of a turn's, that units counts: less than all of it,
// as with all of it fits took fewer rounds but ended in poorer minima.
const unitShare = 0.05

// units returns a scale for each parameter, the inverse square root of the second derivative of the priors and of a
// share of the variance of the paths' visits (of ψ, of their turns): it evens out the curvature between vertices that
// are visited often and seldom, and a fit takes about a third of the rounds.
func (f *penalised) units() []float64 {
	u, visits, links := make([]float64, f.size()), make([]float64, f.V), make([]float64, f.V)
	for i, w := range f.train.weight {
		for _, v := range f.train.visits[i*f.train.L : (i+1)*f.train.L] {
			visits[v] += w
		}
	}
	for v, w := range f.next {
		if w >= 0 {
			links[v]++
			links[w]++
		}
	}
	n, rho, tau := f.train.total, f.cfg.Ridge, f.cfg.Smooth
	for v := range f.V {
		variance := visits[v] * (1 - visits[v]/n) / float64(f.K)
		unit := math.Sqrt(n / (rho + tau*links[v] + unitShare*max(variance, 0)))
		for k := range f.K {
			u[v*f.K+k] = unit
		}
	}
	for k := range f.K {
		u[f.V*f.K+k] = math.Sqrt(float64(f.K))
	}
	for i := range f.nTurns {
		variance := f.train.turns[i] * max(0.1, 1-f.train.turns[i]/n)
		u[f.V*f.K+f.K+i] = math.Sqrt(n / (rho + unitShare*variance))
	}
	return u
}
