package chain

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
)

// MixturePaths is the law of the whole path given x_t that a MixtureDenoiser's row laws are taken from, reweighted by
// factors of edges and, where it has one, by a condition:
//
//	P(path | x_t) ∝ Σ_k ω_k ∏_{e on path} P_k(e) b(e) c(e) w(e).
//
// Rows alone lose what ties the ends of a path together; this keeps it. It holds scratch space: one a goroutine.
type MixturePaths struct {
	d    *MixtureDenoiser
	over *Lift     // of the states of messages: the denoiser's, or its product with the condition's
	at   []int     // by edge of over: the edge of the denoiser's lift; nil: the same
	w    []float64 // by edge of over, ≥ 0; nil: all 1
	f    []float64 // by edge of the graph: b·c
	m, r []lane    // [state of over, n] messages, and those of LogMean
	logZ float64
	row  []float64
}

// Paths returns room for the laws of paths given x_t under the condition that l and w are: weights w ≥ 0 by edge of l,
// or of the graph where l is nil; nil: all 1. It panics if l is a lift of another graph.
func (d *MixtureDenoiser) Paths(l *Lift, w []float64) *MixturePaths {
	s := &MixturePaths{d: d, over: d.lift, f: make([]float64, d.graph.NumEdges())}
	below := d.lift.Edge // where w is looked up
	if l != nil {
		over, mine, theirs, err := product(d.lift, l, func(int, int) bool { return true })
		if err != nil || over == nil {
			panic(fmt.Sprintf("chain: paths: a condition on another graph: %v", err))
		}
		s.over, s.at, below = over, mine, theirs
	}
	if w != nil {
		s.w = make([]float64, len(below))
		for k, e := range below {
			s.w[k] = w[e]
		}
	}
	g := s.over.Graph
	s.m, s.row = make([]lane, g.NumVertices()*d.n), make([]float64, max(4*d.n, g.MaxDegree()))
	return s
}

// Weigh sets the law to that given x_t at time t in 1…T, with factors c ≥ 0 by edge of the graph (nil: all 1). It returns
// the logarithm of the sum that normalises it, up to a number that depends on t alone; −Inf if no path has weight: there
// is no law then. O(edges·K).
func (s *MixturePaths) Weigh(xt ddps.PALM, t int, c []float64) float64 {
	s.d.evidence(s.f, c, xt, s.d.abar[t]/(1-s.d.abar[t]))
	s.logZ = s.messages(s.m, nil)
	return s.logZ
}

// messages sets m to the backward messages with the factors of Weigh and r, by edge of the graph (nil: all
// 1), each layer up to a number, and returns the logarithm of what they sum to at v¹.
func (s *MixturePaths) messages(m []lane, r []float64) float64 {
	g, n := s.over.Graph, s.d.n
	last, end := g.Layer(g.NumLayers() - 1)
	for i := last * n; i < end*n; i++ {
		m[i] = lane{1, 1, 1, 1}
	}
	logScale := 0.0
	for l := g.NumLayers() - 2; l >= 0; l-- {
		lo, hi := g.Layer(l)
		for v := lo; v < hi; v++ {
			s.back(m, r, v)
		}
		logScale += rescale(m[lo*n : hi*n])
	}
	sum := 0.0
	for c, o := range s.d.omega {
		sum += o[0]*m[c][0] + o[1]*m[c][1] + o[2]*m[c][2] + o[3]*m[c][3]
	}
	return logScale + math.Log(sum)
}

// factor returns the classes' probabilities of edge k, and its factor.
func (s *MixturePaths) factor(k int, r []float64) (p []lane, x float64) {
	n, e := s.d.n, s.over.Edge[k]
	x = s.f[e]
	if s.w != nil {
		x *= s.w[k]
	}
	if r != nil {
		x *= r[e]
	}
	if s.at != nil {
		k = s.at[k]
	}
	return s.d.p[k*n:][:n], x
}

// back sets the message of state v.
func (s *MixturePaths) back(m []lane, r []float64, v int) {
	n := s.d.n
	lo, _ := s.over.Graph.Edges(v)
	to := m[v*n:][:n]
	clear(to)
	for i, h := range s.over.Graph.From(v) {
		p, x := s.factor(lo+i, r)
		if x == 0 {
			continue
		}
		next := m[h*n:][:n]
		for c := range to {
			to, p, next := &to[c], &p[c], &next[c]
			to[0] += x * p[0] * next[0]
			to[1] += x * p[1] * next[1]
			to[2] += x * p[2] * next[2]
			to[3] += x * p[3] * next[3]
		}
	}
}

// Draw draws a path, of length L, into p: one random number for the class, and one for each vertex with a choice.
func (s *MixturePaths) Draw(rng *rand.Rand, p ddps.Path) {
	n, row := s.d.n, s.row[:0]
	for c, o := range s.d.omega {
		for k := range o {
			row = append(row, o[k]*s.m[c][k])
		}
	}
	k := pickOf(row, rng)
	c, k := k/4, k%4
	p[0] = 0
	for l, v := 1, 0; l < len(p); l++ {
		lo, _ := s.over.Graph.Edges(v)
		heads := s.over.Graph.From(v)
		i := 0
		if len(heads) > 1 {
			row = s.row[:0]
			for i, h := range heads {
				p, x := s.factor(lo+i, nil)
				row = append(row, x*p[c][k]*s.m[h*n+c][k])
			}
			i = pickOf(row, rng)
		}
		v = heads[i]
		p[l] = s.over.Vertex[v]
	}
}

// pickOf picks an index by weights that need not sum to 1, some of them above 0.
func pickOf(row []float64, rng *rand.Rand) int {
	sum := 0.0
	for _, x := range row {
		sum += x
	}
	for i := range row {
		row[i] /= sum
	}
	return Pick(row, rng.Float64())
}

// LogProb returns the logarithm of the probability of a path, −Inf where the law has none such.
func (s *MixturePaths) LogProb(p ddps.Path) float64 {
	row := s.row[:0]
	for _, o := range s.d.omega {
		row = append(row, o[:]...)
	}
	logScale := 0.0
	for l, v := 1, 0; l < len(p); l++ {
		k, head := s.step(v, p[l])
		if k < 0 {
			return math.Inf(-1)
		}
		q, x := s.factor(k, nil)
		top := 0.0
		for i := range row {
			row[i] *= x * q[i/4][i%4]
			top = max(top, row[i])
		}
		if top == 0 {
			return math.Inf(-1)
		}
		for i := range row {
			row[i] /= top
		}
		logScale += math.Log(top)
		v = head
	}
	sum := 0.0
	for _, x := range row {
		sum += x
	}
	return logScale + math.Log(sum) - s.logZ
}

// step returns the edge from state v to one over vertex w of the graph, −1 where there is none.
func (s *MixturePaths) step(v, w int) (k, head int) {
	lo, _ := s.over.Graph.Edges(v)
	for i, h := range s.over.Graph.From(v) {
		if s.over.Vertex[h] == w {
			return lo + i, h
		}
	}
	return -1, 0
}

// LogMean returns the logarithm of the expectation under the law of the product of r ≥ 0, by edge of the denoiser's
// graph, over the path's edges. O(edges·K).
func (s *MixturePaths) LogMean(r []float64) float64 {
	if s.r == nil {
		s.r = make([]lane, len(s.m))
	}
	return s.messages(s.r, r) - s.logZ
}
