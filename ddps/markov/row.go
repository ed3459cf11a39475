package markov

import (
	"math"

	"github.com/ddps-go/ddps/ddps/internal/real"
)

// buckets is the number of classes of a context's weight.
const buckets = 6

func bucket(total float64) int {
	switch {
	case total < 1.5:
		return 0
	case total < 3.5:
		return 1
	case total < 8:
		return 2
	case total < 32:
		return 3
	case total < 256:
		return 4
	}
	return 5
}

// scorer computes rows. It holds scratch: one for each goroutine.
type scorer struct {
	m      *Model
	know   known
	p, x   [][]float64 // [view][out-edge] estimates, and their logarithms over those of the parent
	weight []int32     // [view] the number of its weight; −1 where the context is not known or new
	rel    []int32     // [out-edge, perEdge]
	out    []float64
	memo   map[at][]float64
	held   int // numbers in memo
}

// at is a vertex and a state: a vertex of the product graph.
type at struct {
	v int
	s state
}

// maxHeld bounds the numbers that a scorer keeps.
const maxHeld = 1 << 21

func (m *Model) scorer() *scorer {
	D := m.g.MaxDegree()
	s := &scorer{m: m, weight: make([]int32, len(m.views)), out: make([]float64, D), memo: map[at][]float64{}}
	for range m.views {
		s.p, s.x = append(s.p, make([]float64, D)), append(s.x, make([]float64, D))
	}
	return s
}

// features sets what the row of v in state st is made of. What is in out does not count.
func (s *scorer) features(v int, st *state, out left) {
	m := s.m
	m.look(&s.know, v, st)
	for j := range m.views {
		row := m.row(j, &s.know, v, st)
		s.weight[j] = s.estimate(j, v, row, out[row])
	}
	s.rel = m.relate(s.rel, &s.know, v, st)
}

// estimate sets the estimates of view j from what followed its context, without what is in own.
func (s *scorer) estimate(j, v int, row, own *counts) (weight int32) {
	m, p, x := s.m, s.p[j], s.x[j]
	heads, n := m.g.From(v), 0.0
	if row != nil {
		n = row.sum(own)
	}
	if m.views[j].parent < 0 {
		for d, w := range heads {
			p[d] = (row.of(m.place[w], own) + .5) / (n + .5*float64(m.n))
			x[d] = real.Log(p[d])
		}
		return int32(j * buckets)
	}
	up := s.p[m.views[j].parent]
	if n == 0 {
		copy(p[:len(heads)], up)
		return -1
	}
	disc := &m.disc[j]
	mass := disc.mass(row, own)
	for d, w := range heads {
		c := row.of(m.place[w], own)
		p[d] = (c - disc.of(c) + mass*up[d]) / n
		x[d] = real.Log(p[d] / up[d])
	}
	return int32(j*buckets + bucket(n))
}

// row returns the distribution over the out-edges of v in state st. The slice is the scorer's own.
func (s *scorer) row(v int, st state) []float64 {
	D := s.m.g.Degree(v)
	if D == 1 {
		s.out[0] = 1
		return s.out[:1]
	}
	if p, ok := s.memo[at{v, st}]; ok {
		return p
	}
	s.features(v, &st, nil)
	z := make([]float64, D)
	for j, i := range s.weight {
		if i >= 0 {
			for d, x := range s.x[j][:D] {
				z[d] += float64(s.m.theta[i] * x)
			}
		}
	}
	R := s.m.perEdge()
	for d := range z {
		for _, i := range s.rel[d*R : d*R+R] {
			z[d] += s.m.theta[i]
		}
	}
	softmax(z)
	if s.held += D; s.held > maxHeld {
		clear(s.memo)
		s.held = D
	}
	s.memo[at{v, st}] = z
	return z
}

// softmax turns z into a distribution and returns log Σ exp z.
func softmax(z []float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for _, x := range z {
		top = max(top, x)
	}
	for d := range z {
		z[d] = math.Exp(z[d] - top)
		sum += z[d]
	}
	for d := range z {
		z[d] /= sum
	}
	return top + real.Log(sum)
}
