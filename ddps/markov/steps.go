package markov

import (
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// step is a step of a walk with what its row is made of, the walk's own counts left out of the tables.
type step struct {
	share  float64 // of the steps' weight
	target int32   // the out-edge taken
	degree int32
	weight []int32   // of the views whose contexts are known
	end    []int32   // of each of them in edge and x
	edge   []int32   // out-edges
	x      []float32 // their features
	rel    []int32   // [out-edge, perEdge]
}

// maxNumbers bounds the numbers of the steps that weights are fitted to.
const maxNumbers = 32 << 20

// draw is how often a path is among the walks that weights are fitted to.
type draw struct {
	path  int
	share float64
}

// sample returns the paths with their weights or, where their steps are of more than about limit numbers, as many walks
// as have so many, drawn by weight at even distances.
func (m *Model) sample(paths []ddps.Path, weights []float64, limit int) (list []draw) {
	size, total := make([]float64, len(paths)), 0.0
	for i, p := range paths {
		for _, v := range p {
			if !m.over[v] {
				size[i] += float64(m.g.Degree(v) * (len(m.views) + m.perEdge()))
			}
		}
		total += weights[i]
	}
	shares := weights
	if numbers(size, weights, math.Inf(1)) > float64(limit) {
		draws, step := 0.0, 1.0 // by weight 1, as many as limit allows
		for numbers(size, weights, step) < float64(limit) {
			step *= 2
		}
		for ; step > 1e-3*draws; step /= 2 {
			if numbers(size, weights, draws+step) <= float64(limit) {
				draws += step
			}
		}
		shares = even(weights, max(draws, 1/total), ddps.Rand(0, 0).Float64())
	}
	for i, n := range shares {
		if n > 0 {
			list = append(list, draw{i, n})
		}
	}
	return list
}

// even draws so many by weight 1, at even distances from the start in [0, 1), and returns how often each is drawn.
func even(weights []float64, draws, start float64) []float64 {
	n, at := make([]float64, len(weights)), start
	for i, w := range weights {
		before := math.Floor(at)
		at += float64(w * draws)
		n[i] = math.Floor(at) - before
	}
	return n
}

// numbers returns about how many numbers the steps of walks are of, if so many are drawn by weight 1.
func numbers(size, weights []float64, draws float64) (sum float64) {
	for i, n := range size {
		if weights[i] > 0 {
			sum += n * min(1, weights[i]*draws)
		}
	}
	return sum
}

// steps returns the steps of these paths, and the sum of their shares before they are divided by it.
func (m *Model) steps(paths []ddps.Path, weights []float64, list []draw) (all []step, sum float64) {
	lists := make([][]step, (len(list)+chunk-1)/chunk)
	each(len(lists), m.threads, func(next func() (int, bool)) {
		s := m.scorer()
		for c, ok := next(); ok; c, ok = next() {
			for _, d := range list[c*chunk : min((c+1)*chunk, len(list))] {
				lists[c] = s.steps(lists[c], paths[d.path], weights[d.path], d.share)
			}
		}
	})
	for _, list := range lists {
		for i := range list {
			sum += list[i].share
		}
		all = append(all, list...)
	}
	for i := range all {
		all[i].share /= sum
	}
	return all, sum
}

// steps appends the steps of one path of a weight, of which 1, or all if it is less, is left out.
func (s *scorer) steps(list []step, p ddps.Path, weight, share float64) []step {
	m := s.m
	if s.own == nil {
		s.own, s.walk = &left{}, m.walk(false)
	}
	out := s.own
	out.reset(len(p) * len(m.views))
	s.walk.read(p, func(context, x int32) { out.add(context, x, min(1, weight)) })
	st := m.begin(out)
	for l := 0; l+1 < len(p) && !m.over[p[l]]; l++ {
		v := p[l]
		e, _ := m.g.EdgeBetween(v, p[l+1])
		if D := m.g.Degree(v); D > 1 {
			lo, _ := m.g.Edges(v)
			s.features(v, &st, out)
			list = append(list, s.step(share, int32(e-lo), int32(D)))
		}
		st = m.after(st, e, out)
	}
	return list
}

// step returns a step of the features at hand.
func (s *scorer) step(share float64, target, degree int32) step {
	views, edges := 0, 0
	for j, w := range s.weight {
		if w >= 0 {
			views, edges = views+1, edges+len(s.views[j].d)
		}
	}
	ints := make([]int32, 2*views+edges+len(s.rel))
	one := step{share: share, target: target, degree: degree, weight: ints[:0:views], end: ints[views : views : 2*views],
		edge: ints[2*views : 2*views : 2*views+edges], rel: ints[2*views+edges:], x: make([]float32, 0, edges)}
	copy(one.rel, s.rel)
	for j, w := range s.weight {
		if w < 0 {
			continue
		}
		one.edge = append(one.edge, s.views[j].d...)
		for _, x := range s.views[j].x {
			one.x = append(one.x, float32(x))
		}
		one.weight, one.end = append(one.weight, w), append(one.end, int32(len(one.edge)))
	}
	return one
}
