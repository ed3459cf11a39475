package markov

import (
	"math"

	"github.com/ddps-go/ddps/ddps/internal/vec"
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
	views  []estimates
	weight []int32 // [view] the number of its weight; −1 where the context is not known or new
	rel    []int32 // [out-edge, perEdge]
	out    []float64
	memo   map[at][]float64
	held   int   // numbers in memo
	own    *left // of the walk at hand, for steps
	walk   *walk

	vertex int     // whose out-edges edge and next hold; −1 at first
	edge   []int32 // [place] 1 + an out-edge that leads there; 0: none
	next   []int32 // [out-edge] 1 + the next one that leads to the same place; 0: none
}

// estimates are those of a view over the out-edges of a vertex. Only places that followed its context have a logarithm
// of their own: log(p/p_parent) is the same for all others, and what is the same for all edges changes no row.
type estimates struct {
	p []float64 // [out-edge]
	d []int32   // out-edges to places that followed
	x []float64 // log(p/p_parent) of these, less that of the others
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
	s := &scorer{m: m, weight: make([]int32, len(m.views)), out: make([]float64, D), memo: map[at][]float64{},
		vertex: -1, edge: make([]int32, m.n), next: make([]int32, D), views: make([]estimates, len(m.views))}
	for j := range s.views {
		s.views[j].p = make([]float64, D)
	}
	return s
}

// turn makes edge and next those of v.
func (s *scorer) turn(v int) {
	if s.vertex == v {
		return
	}
	if s.vertex >= 0 {
		for _, w := range s.m.g.From(s.vertex) {
			s.edge[s.m.place[w]] = 0
		}
	}
	s.vertex = v
	for d, w := range s.m.g.From(v) {
		x := s.m.place[w]
		s.next[d], s.edge[x] = s.edge[x], int32(d+1)
	}
}

// features sets what the row of v in state st is made of. What is in out does not count.
func (s *scorer) features(v int, st *state, out *left) {
	m := s.m
	m.look(&s.know, v, st)
	s.turn(v)
	for j := range m.views {
		s.weight[j] = s.estimate(j, m.g.Degree(v), m.context(j, &s.know, v, st), out)
	}
	s.rel = m.relate(s.rel, &s.know, v, st)
}

// estimate sets the estimates of view j over D edges from what followed context n, without what is in out.
func (s *scorer) estimate(j, D int, n int32, out *left) (weight int32) {
	e, up := &s.views[j], []float64(nil)
	e.d, e.x, e.p = e.d[:0], e.x[:0], e.p[:D]
	if parent := s.m.views[j].parent; parent >= 0 {
		up = s.views[parent].p
	}
	var row counts
	total, mass, own := 0.0, 0.0, int32(-1)
	if n >= 0 {
		row, own = s.m.tables.row(n), out.first(n)
		total = out.sum(row.total, own)
	}
	for i, x := range row.place {
		w := row.weight[i]
		if own >= 0 {
			w = out.rest(w, own, x)
		}
		less := 0.0
		if up != nil {
			less = s.m.disc[j].of(w)
		}
		mass += less
		if w > 0 {
			for d := s.edge[x]; d > 0; d = s.next[d-1] {
				e.d, e.x = append(e.d, d-1), append(e.x, w-less)
			}
		}
	}
	if up == nil {
		return s.first(j, total)
	}
	if total == 0 || mass == 0 {
		copy(e.p, up)
		e.d, e.x = e.d[:0], e.x[:0]
		return -1
	}
	share := mass / total
	for d := range e.p {
		e.p[d] = share * up[d]
	}
	for i, d := range e.d {
		own := e.x[i] / total
		e.x[i] = 1 + own/e.p[d]
		e.p[d] += own
	}
	vec.Logs(e.x)
	return int32(j*buckets + bucket(total))
}

// first makes the estimates of a view without a parent, of a context of weight total: half of one is added to each
// weight.
func (s *scorer) first(j int, total float64) int32 {
	e, all := &s.views[j], total+.5*float64(s.m.n)
	for d := range e.p {
		e.p[d] = .5 / all
	}
	for i, d := range e.d {
		w := e.x[i]
		e.x[i] = 1 + 2*w
		e.p[d] = (w + .5) / all
	}
	vec.Logs(e.x)
	return int32(j * buckets)
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
			for k, d := range s.views[j].d {
				z[d] += float64(s.m.theta[i] * s.views[j].x[k])
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
		z[d] -= top
	}
	vec.ExpsDown(z)
	for _, x := range z {
		sum += x
	}
	for d := range z {
		z[d] /= sum
	}
	return top + vec.Log(sum)
}
