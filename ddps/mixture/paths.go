package mixture

import (
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// Paths is the distribution of the whole path given x_t under a mixture of chains, reweighted by factors of edges
// and, where the Weighted has one, by a condition:
//
//	P(path | x_t) ∝ Σ_k ω_k ∏_{e on path} P_k(e) b(e) w(e),
//
// with b(e) = c(e)·(1 + ᾱ_t/(1−ᾱ_t)·D_v·1[x_t^v = e]), the likelihood of x_t up to a constant. With the messages
//
//	m_k(s) = Σ_{s→r} P_k(s→r) w b m_k(r), 1 on the last layer, each layer divided by its greatest,
//
// class k has the weight ω_k m_k(v¹) times what its layers were divided by. Rows alone lose what ties the ends of a
// path together; this keeps it. It holds scratch space: one for each goroutine.
type Paths struct {
	*Weighted
	B     []float64   // [E] factors
	M     [][]float64 // [K, state] messages
	Tops  [][]float64 // [K, L] what they were divided by
	Class []float64   // [K] P(class | x_t)
	reach []float64   // [state]
	row   []float64

	mean struct{ B, M, Tops, Class []float64 } // of LogMean
}

// Paths returns the distribution before any x_t, once Weigh is called.
func (s *Weighted) Paths() *Paths {
	g, K := s.Product.Graph, len(s.Weight)
	p := &Paths{Weighted: s, B: make([]float64, s.Graph().NumEdges()), Class: make([]float64, K),
		reach: make([]float64, g.NumVertices()), row: make([]float64, max(K, g.MaxDegree()))}
	for range K {
		p.M, p.Tops = append(p.M, make([]float64, g.NumVertices())), append(p.Tops, make([]float64, g.NumLayers()))
	}
	return p
}

// Weigh sets the distribution to that given x_t (nil: of no x_t), ratio being ᾱ_t/(1−ᾱ_t), with factors c ≥ 0 by edge
// of the graph (nil: all 1). It returns the logarithm of the sum that normalises it, up to a constant that depends on
// t alone; −Inf if no path has weight: there is no distribution then. O(edges·K).
func (s *Paths) Weigh(xt ddps.PALM, ratio float64, c []float64) float64 {
	Evidence(s.Graph(), s.B, c, xt, ratio)
	for k := range s.M {
		s.Class[k] = s.messages(k, s.B, s.M[k], s.Tops[k])
	}
	return s.Shift + Classes(s.Weight, s.Class)
}

// Fork returns the same distribution, for another goroutine, once Weigh has been called: for Draw and LogProb alone.
func (s *Paths) Fork() *Paths {
	own := *s
	own.row = make([]float64, len(s.row))
	return &own
}

// Share is Fork, as chain.PathDistribution has it.
func (s *Paths) Share() chain.PathDistribution { return s.Fork() }

// Evidence sets b, by edge, to 1 + ratio·D_v·1[x_t^v = e], times c where that is not nil.
func Evidence(g *ddps.LayeredGraph, b, c []float64, xt ddps.PALM, ratio float64) {
	if c != nil {
		copy(b, c)
	} else {
		for e := range b {
			b[e] = 1
		}
	}
	for v, choice := range xt {
		if lo, hi := g.Edges(v); hi > lo {
			b[lo+int(choice)] *= 1 + ratio*float64(hi-lo)
		}
	}
}

// messages sets m to the messages of class k, and returns the logarithm of the class' total.
func (s *Paths) messages(k int, b, m, tops []float64) (log float64) {
	g, p, edge := s.Product.Graph, s.P[k], s.Product.Edge
	L := g.NumLayers()
	last, end := g.Layer(L - 1)
	for v := last; v < end; v++ {
		m[v] = 1
	}
	for l := L - 2; l >= 0; l-- {
		lo, hi := g.Layer(l)
		top := 0.0
		for v := lo; v < hi; v++ {
			sum := 0.0
			first, _ := g.Edges(v)
			for i, r := range g.From(v) {
				sum += float64(float64(p[first+i]*b[edge[first+i]]) * m[r])
			}
			m[v] = sum
			top = max(top, sum)
		}
		tops[l] = top
		if !(top > 0) {
			return math.Inf(-1)
		}
		for v := lo; v < hi; v++ {
			m[v] /= top
		}
		log += vec.Log(top)
	}
	return log
}

// Classes turns the logarithms of the classes' totals into the probabilities of the classes, weight being ω, and
// returns the logarithm of the total; −Inf where all are 0.
func Classes(weight, class []float64) (log float64) {
	top := math.Inf(-1)
	for k, w := range weight {
		class[k] += vec.Log(w)
		top = max(top, class[k])
	}
	if math.IsInf(top, -1) {
		clear(class)
		return top
	}
	sum := 0.0
	for k, x := range class {
		class[k] = vec.ExpDown(x - top)
		sum += class[k]
	}
	for k := range class {
		class[k] /= sum
	}
	return top + vec.Log(sum)
}

// Rows adds to pi, by edge of the graph, the probabilities that the path takes each edge.
func (s *Paths) Rows(pi []float64) {
	g, edge := s.Product.Graph, s.Product.Edge
	for k, class := range s.Class {
		if !(class > 0) {
			continue
		}
		p, m, tops := s.P[k], s.M[k], s.Tops[k]
		clear(s.reach)
		s.reach[0] = class
		for l := range g.NumLayers() - 1 {
			lo, hi := g.Layer(l)
			for v := lo; v < hi; v++ {
				own := float64(m[v] * tops[l])
				if !(s.reach[v] > 0) || !(own > 0) {
					continue
				}
				rate := s.reach[v] / own
				first, _ := g.Edges(v)
				for i, r := range g.From(v) {
					x := rate * float64(float64(p[first+i]*s.B[edge[first+i]])*m[r])
					s.reach[r] += x
					pi[edge[first+i]] += x
				}
			}
		}
	}
}

// Draw draws a path, of length L, into p: one random number for the class, where there are several, and one for each
// state with a choice.
func (s *Paths) Draw(rng *rand.Rand, p ddps.Path) {
	k := 0
	if len(s.Class) > 1 {
		k = chain.Pick(s.Class, rng.Float64())
	}
	g, edge, prob, m := s.Product.Graph, s.Product.Edge, s.P[k], s.M[k]
	p[0] = 0
	for l, v := 1, 0; l < len(p); l++ {
		first, _ := g.Edges(v)
		heads := g.From(v)
		i := 0
		if len(heads) > 1 {
			row := s.row[:len(heads)]
			for i, r := range heads {
				row[i] = float64(prob[first+i]*s.B[edge[first+i]]) * m[r]
			}
			i = PickWeight(row, rng)
		}
		v = heads[i]
		p[l] = s.Product.Vertex[v]
	}
}

// PickWeight picks an index by weights that need not sum to 1, some of them above 0; row is overwritten.
func PickWeight(row []float64, rng *rand.Rand) int {
	sum := 0.0
	for _, x := range row {
		sum += x
	}
	for i := range row {
		row[i] /= sum
	}
	return chain.Pick(row, rng.Float64())
}
