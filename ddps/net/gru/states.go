package gru

import "github.com/ddps-go/ddps/ddps/internal/vec"

// States are those of a number of paths that are made side by side, all in the same layer: what a particle method
// holds.
type States struct {
	m     *GRU
	count int
	layer int
	h     [][]float32 // by network, [count, H]
	start []int32     // [count]
	trail []trail     // [count]
	l     *lanes
}

// Start returns the states of count paths before their first vertex. States belong to one goroutine.
func (m *GRU) Start(count int) *States {
	s := &States{m: m, count: count, start: make([]int32, count), l: newLanes(m)}
	for range m.nets {
		s.h = append(s.h, make([]float32, count*m.shape.Hidden))
	}
	s.trail = make([]trail, count)
	for i := range s.trail {
		s.trail[i].begin(m.words())
	}
	return s
}

// Len returns the number of paths.
func (s *States) Len() int { return s.count }

// Step takes each path i to vertices[i], all of the next layer (at first the first), and writes the logarithms of the
// probabilities of that vertex' edges, in their order, to logp[i·D:], with D the graph's greatest out-degree; what lies
// behind them stays. It panics if there is not a vertex for each path or too little room, or at the last layer, from
// which no edges lead. O(3H² + P·H) per path.
func (s *States) Step(vertices []int, logp []float64) {
	g, D := s.m.g, s.m.g.MaxDegree()
	if len(vertices) != s.count || len(logp) < s.count*D {
		panic("gru: Step: not a vertex and room for a row for each path")
	}
	if s.layer >= g.NumLayers()-1 {
		panic("gru: Step: no edges lead on from the last layer")
	}
	lo, hi := g.Layer(s.layer)
	for _, v := range vertices {
		if v < lo || v >= hi {
			panic("gru: Step: a vertex is not in the paths' layer")
		}
	}
	for first := 0; first < s.count; first += vec.Lanes {
		s.step(first, min(vec.Lanes, s.count-first), vertices[first:], logp[first*D:], D)
	}
	s.layer++
}

// step takes the paths first…first+n−1 a step on.
func (s *States) step(first, n int, vertices []int, logp []float64, D int) {
	l, H := s.l, s.m.shape.Hidden
	for k := range l.at {
		if l.at[k].item = -1; k < n {
			l.at[k] = place{item: k, t: s.layer, vertex: int32(vertices[k]), start: s.start[first+k]}
		}
	}
	rows := l.sums[:vec.Lanes*H]
	for i, h := range l.h {
		copy(rows, s.h[i][first*H:(first+n)*H])
		vec.Transpose(vec.Flat(h), rows, vec.Lanes, H)
	}
	copy(l.trail[:n], s.trail[first:first+n])
	l.step()
	copy(s.trail[first:first+n], l.trail[:n])
	for i, h := range l.h {
		vec.Transpose(rows, vec.Flat(h), H, vec.Lanes)
		copy(s.h[i][first*H:(first+n)*H], rows)
	}
	for k := range n {
		s.start[first+k] = l.at[k].start
		row := logp[k*D:][:copy(logp[k*D:(k+1)*D], l.row(k))]
		vec.Logs(row)
	}
}

// Select makes path i what path from[i] was: resampling. It panics if from has no entry for each path or one that is
// out of range.
func (s *States) Select(from []int) {
	if len(from) != s.count {
		panic("gru: Select: not an index for each path")
	}
	for i, h := range s.h {
		s.h[i] = choose(h, from, s.m.shape.Hidden)
	}
	s.start = choose(s.start, from, 1)
	trail := make([]trail, len(from))
	for i, r := range from {
		trail[i] = s.trail[r].clone()
	}
	s.trail = trail
}

// choose returns the rows of x, of w entries, whose numbers are in from.
func choose[T any](x []T, from []int, w int) []T {
	y := make([]T, 0, len(x))
	for _, r := range from {
		y = append(y, x[r*w:(r+1)*w]...)
	}
	return y
}
