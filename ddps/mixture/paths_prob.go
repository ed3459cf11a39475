package mixture

import (
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/real"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// LogProb returns the logarithm of the probability of a path, −Inf where the distribution has none such.
func (s *Paths) LogProb(p ddps.Path) float64 {
	sum := 0.0
	for k, class := range s.Class {
		if class > 0 {
			sum += class * math.Exp(s.logProb(k, p))
		}
	}
	if sum >= 0x1p-1000 {
		return real.Log(sum)
	}
	logs := make([]float64, len(s.Class)) // of a path of hundreds of places
	for k, class := range s.Class {
		if logs[k] = real.Log(class); class > 0 {
			logs[k] += s.logProb(k, p)
		}
	}
	return LogSum(logs)
}

// LogSum returns log Σ exp(logs), also where no exp(logs_k) is a float64.
func LogSum(logs []float64) float64 {
	top, sum := slices.Max(logs), 0.0
	if math.IsInf(top, -1) {
		return top
	}
	for _, x := range logs {
		sum += math.Exp(x - top)
	}
	return top + real.Log(sum)
}

// logProb returns the logarithm of the probability of a path in class k.
func (s *Paths) logProb(k int, p ddps.Path) (log float64) {
	g := s.Product.Graph
	for l, v := 1, 0; l < len(p); l++ {
		first, _ := g.Edges(v)
		to := -1
		for i, r := range g.From(v) {
			if s.Product.Vertex[r] == p[l] {
				to = r
				log += real.Log(s.P[k][first+i] * s.B[s.Product.Edge[first+i]] * s.M[k][r])
			}
		}
		if to < 0 {
			return math.Inf(-1)
		}
		log -= real.Log(s.M[k][v] * s.Tops[k][l-1])
		v = to
	}
	return log
}

// LogMean returns the logarithm of the expectation under the distribution of the product of r ≥ 0, by edge of the
// graph, over the path's edges. O(edges·K).
func (s *Paths) LogMean(r []float64) float64 {
	if s.mean.M == nil {
		s.mean.B, s.mean.M = make([]float64, len(s.B)), make([]float64, len(s.reach))
		s.mean.Tops, s.mean.Class = make([]float64, s.Graph().NumLayers()), make([]float64, len(s.Class))
	}
	for e, b := range s.B {
		s.mean.B[e] = b * r[e]
	}
	for k := range s.M {
		s.mean.Class[k] = s.messages(k, s.mean.B, s.mean.M, s.mean.Tops) - s.Total(k)
	}
	return Classes(s.Class, s.mean.Class)
}

// Total returns the logarithm of the total of class k, 0 where it has none.
func (s *Paths) Total(k int) (log float64) {
	if !(s.Class[k] > 0) {
		return 0
	}
	for l := len(s.Tops[k]) - 2; l >= 0; l-- {
		log += vec.Log(s.Tops[k][l])
	}
	return log
}
