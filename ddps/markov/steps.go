package markov

import "github.com/ddps-go/ddps/ddps"

// step is a step of a walk with what its row is made of, the walk's own counts left out of the tables.
type step struct {
	share  float64   // of the steps' weight
	target int       // the out-edge taken
	x      []float32 // [out-edge, view]
	weight []int32   // [view]
	rel    []int32   // [out-edge, perEdge]
}

// maxNumbers bounds the numbers of the steps that weights are fitted to.
const maxNumbers = 32 << 20

// sample returns the numbers of some of the paths, in an order of chance: as many as have steps of about limit numbers.
func (m *Model) sample(paths []ddps.Path, limit int) []int {
	order, numbers := ddps.Rand(0, 0).Perm(len(paths)), 0
	for n, i := range order {
		for _, v := range paths[i] {
			if !m.over[v] {
				numbers += m.g.Degree(v) * (len(m.views) + m.perEdge())
			}
		}
		if numbers > limit && n > 0 {
			return order[:n]
		}
	}
	return order
}

// steps returns the steps of the paths of these numbers, and their weight.
func (m *Model) steps(paths []ddps.Path, weights []float64, numbers []int) (all []step, sum float64) {
	lists := make([][]step, len(numbers))
	each(len(numbers), m.threads, func(next func() (int, bool)) {
		s := m.scorer()
		for n, ok := next(); ok; n, ok = next() {
			lists[n] = s.steps(paths[numbers[n]], weights[numbers[n]])
		}
	})
	for _, list := range lists {
		for _, s := range list {
			sum += s.share
		}
		all = append(all, list...)
	}
	for i := range all {
		all[i].share /= sum
	}
	return all, sum
}

// steps returns the steps of one path of a weight, of which 1, or all if it is less, is left out.
func (s *scorer) steps(p ddps.Path, weight float64) (list []step) {
	m, out := s.m, left{}
	if weight == 0 {
		return nil
	}
	m.contextsOf(p, func(r *counts, x int32) {
		own := out[r]
		if own == nil {
			own = &counts{}
			out[r] = own
		}
		own.add(x, min(1, weight))
	})
	st := m.begin(out)
	for l := 0; l+1 < len(p) && !m.over[p[l]]; l++ {
		v := p[l]
		e, _ := m.g.EdgeBetween(v, p[l+1])
		if D := m.g.Degree(v); D > 1 {
			lo, _ := m.g.Edges(v)
			s.features(v, &st, out)
			one := step{share: weight, target: e - lo, weight: append([]int32(nil), s.weight...),
				rel: append([]int32(nil), s.rel...), x: make([]float32, 0, D*len(m.views))}
			for d := range D {
				for j, w := range s.weight {
					if w < 0 {
						one.x = append(one.x, 0)
					} else {
						one.x = append(one.x, float32(s.x[j][d]))
					}
				}
			}
			list = append(list, one)
		}
		st = m.after(st, e, out)
	}
	return list
}
