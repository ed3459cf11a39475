package markov

import (
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// States are those of a number of paths that are made side by side, all in the same layer.
type States struct {
	m      *Model
	at     []state
	vertex []int // [path] the last vertex; nil before the first
	s      *scorer
}

// Start returns the states of count paths before their first vertex. States belong to one goroutine.
func (m *Model) Start(count int) *States {
	return &States{m: m, at: make([]state, count), s: m.scorer()}
}

// Step takes each path i to vertices[i], all of the next layer (at first the first), and writes the logarithms of the
// probabilities of that vertex' edges, in their order, to logp[i·D:], with D the graph's greatest out-degree. It panics
// where no edge leads from a path's vertex to the next, or there is not a vertex and room for a row for each path.
func (s *States) Step(vertices []int, logp []float64) {
	m, D := s.m, s.m.g.MaxDegree()
	if len(vertices) != len(s.at) || len(logp) < len(s.at)*D {
		panic("markov: Step: not a vertex and room for a row for each path")
	}
	for i, v := range vertices {
		if s.vertex == nil {
			s.at[i] = m.begin(nil)
		} else {
			e, ok := m.g.EdgeBetween(s.vertex[i], v)
			if !ok {
				panic("markov: Step: no edge leads to the vertex")
			}
			s.at[i] = m.after(s.at[i], e, nil)
		}
		for d, p := range s.s.row(v, s.at[i]) {
			logp[i*D+d] = real.Log(p)
		}
	}
	s.vertex = append(s.vertex[:0], vertices...)
}

// Select makes path i what path from[i] was: resampling. It panics if from has no entry for each path or one that is
// out of range.
func (s *States) Select(from []int) {
	if len(from) != len(s.at) {
		panic("markov: Select: not an index for each path")
	}
	at, vertex := make([]state, len(from)), make([]int, len(from))
	for i, r := range from {
		at[i], vertex[i] = s.at[r], s.vertex[r]
	}
	s.at, s.vertex = at, vertex
}
