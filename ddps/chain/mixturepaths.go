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
	over *Lift // of the states of messages: the denoiser's, or its product with the condition's
	lanes
	flat []float64 // by edge of the graph: weights of a condition without a memory, nil for none
	f    []float64 // by edge of the graph: b·c, times flat
	m    []lane    // [state of over, n] messages
	logZ float64
	row  []float64 // [4n, or edge of a state]

	mean struct { // of LogMean
		f []float64
		m []lane
	}
}

// Paths returns room for the laws of paths given x_t under the condition that l and w are: weights w ≥ 0 by edge of l,
// or of the graph where l is nil; nil: all 1. It panics if l is a lift of another graph.
func (d *MixtureDenoiser) Paths(l *Lift, w []float64) *MixturePaths {
	s := &MixturePaths{d: d, over: d.lift, lanes: d.lanes, f: make([]float64, d.graph.NumEdges())}
	if l == nil {
		s.flat = w
	} else {
		over, mine, theirs, err := product(d.lift, l, func(int, int) bool { return true })
		if err != nil || over == nil {
			panic(fmt.Sprintf("chain: paths: a condition on another graph: %v", err))
		}
		s.over, s.g, s.into = over, over.Graph, entries(over)
		s.at = make([]int32, len(mine))
		for k, e := range mine {
			s.at[k] = int32(e)
		}
		if w != nil {
			s.w = make([]float64, len(theirs))
			for k, e := range theirs {
				s.w[k] = w[e]
			}
		}
	}
	s.m, s.row = make([]lane, s.g.NumVertices()*d.n), make([]float64, max(4*d.n, s.g.MaxDegree()))
	return s
}

// Weigh sets the law to that given x_t at time t in 1…T, with factors c ≥ 0 by edge of the graph (nil: all 1). It returns
// the logarithm of the sum that normalises it, up to a number that depends on t alone; −Inf if no path has weight: there
// is no law then. O(edges·K).
func (s *MixturePaths) Weigh(xt ddps.PALM, t int, c []float64) float64 {
	s.d.evidence(s.f, c, xt, s.d.abar[t]/(1-s.d.abar[t]))
	for e, w := range s.flat {
		s.f[e] *= w
	}
	s.logZ = s.sum(s.m, s.f)
	return s.logZ
}

// sum sets m to the messages with factors f, and returns the logarithm of what they sum to at v¹.
func (s *MixturePaths) sum(m []lane, f []float64) float64 {
	logScale, sum := s.messages(m, f), 0.0
	for c, o := range s.d.omega {
		sum += o[0]*m[c][0] + o[1]*m[c][1] + o[2]*m[c][2] + o[3]*m[c][3]
	}
	return logScale + math.Log(sum)
}

// class returns the weight of edge k in class i, but for the factor of the edge under it.
func (s *MixturePaths) class(k, i int) float64 {
	x := s.p[s.of(k)*s.n+i/4][i%4]
	if s.w != nil {
		x *= s.w[k]
	}
	return x
}

// Draw draws a path, of length L, into p: one random number for the class, and one for each vertex with a choice.
func (s *MixturePaths) Draw(rng *rand.Rand, p ddps.Path) {
	row := s.row[:0]
	for c, o := range s.d.omega {
		for k := range o {
			row = append(row, o[k]*s.m[c][k])
		}
	}
	class := pickOf(row, rng)
	p[0] = 0
	for l, v := 1, 0; l < len(p); l++ {
		lo, _ := s.g.Edges(v)
		heads := s.g.From(v)
		i := 0
		if len(heads) > 1 {
			row = s.row[:0]
			for i, h := range heads {
				row = append(row, s.class(lo+i, class)*s.m[h*s.n+class/4][class%4])
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
		x, top := s.f[s.over.Edge[k]], 0.0
		for i := range row {
			row[i] *= x * s.class(k, i)
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
	lo, _ := s.g.Edges(v)
	for i, h := range s.g.From(v) {
		if s.over.Vertex[h] == w {
			return lo + i, h
		}
	}
	return -1, 0
}

// LogMean returns the logarithm of the expectation under the law of the product of r ≥ 0, by edge of the denoiser's
// graph, over the path's edges. O(edges·K).
func (s *MixturePaths) LogMean(r []float64) float64 {
	if s.mean.m == nil {
		s.mean.f, s.mean.m = make([]float64, len(s.f)), make([]lane, len(s.m))
	}
	for e, f := range s.f {
		s.mean.f[e] = f * r[e]
	}
	return s.sum(s.mean.m, s.mean.f) - s.logZ
}
