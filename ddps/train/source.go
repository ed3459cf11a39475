package train

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/net"
)

// Source draws training batches from weighted paths: a path by weight, its PALM with fresh off-path rows, a
// time, noise, and the targets on the path's rows. Safe for concurrent use.
type Source struct {
	g        *ddps.LayeredGraph
	sched    *d3pm.Schedule
	exact    model.Base
	residual bool
	paths    []ddps.Path
	weights  []float64 // of paths; nil: all 1
	choice   *ddps.Choice
	rows     []int32
}

// NewSource makes a source of model m's graph, chain and schedule. weights may be nil: all 1. The error names
// the path, from 1, that is none or whose weight is negative or not finite; no weight at all is an error.
func NewSource(m *model.Model, paths []ddps.Path, weights []float64) (*Source, error) {
	for i, p := range paths {
		if err := m.Graph.Check(p); err != nil {
			return nil, fmt.Errorf("train: path %d: %w", i+1, err)
		}
	}
	choice, err := ddps.NewChoice(len(paths), weights)
	if err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	return &Source{g: m.Graph, sched: m.Schedule, exact: m.Exact(), residual: m.Config.Residual(), paths: paths,
		weights: weights, choice: choice, rows: ddps.Rows(m.Graph)}, nil
}

// Fill sets b to batch number k of n examples. It depends on seed, k and n alone. Times are stratified: example
// j's is uniform in the j-th of n equal parts of 1…T.
func (s *Source) Fill(b *net.Batch, n int, seed uint64, k int) { s.fillPart(b, n, 0, n, seed, k) }

// fillPart sets b to examples first…end−1 of what Fill makes.
func (s *Source) fillPart(b *net.Batch, of, first, end int, seed uint64, k int) {
	n := end - first
	b.Resize(n, s.g.NumLayers()-1, s.g.MaxDegree(), len(s.rows), s.sched.T())
	chunk := (n + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += chunk {
		wg.Go(func() {
			xt, pi := make(ddps.PALM, s.g.NumVertices()), make([]float64, s.g.NumEdges())
			for j := lo; j < min(lo+chunk, n); j++ {
				s.example(b, j, first+j, of, ddps.Rand(seed, uint64(k)*uint64(of)+uint64(first+j)), xt, pi)
			}
		})
	}
	wg.Wait()
}

// Draw returns n paths, drawn by weight.
func (s *Source) Draw(n int, seed uint64) []ddps.Path {
	paths := make([]ddps.Path, n)
	for i := range paths {
		paths[i] = s.paths[s.choice.Draw(ddps.Rand(seed, uint64(i)))]
	}
	return paths
}

// example sets example j of the batch, with a time in part number part of so many; xt and pi are scratch.
func (s *Source) example(b *net.Batch, j, part, parts int, rng *rand.Rand, xt ddps.PALM, pi []float64) {
	p := s.paths[s.choice.Draw(rng)]
	t := 1 + min(int(float64(s.sched.T())*(float64(part)+rng.Float64())/float64(parts)), s.sched.T()-1)
	s.g.Uniform(xt, rng)
	for l := range len(p) - 1 {
		e, _ := s.g.EdgeBetween(p[l], p[l+1])
		lo, _ := s.g.Edges(p[l])
		xt[p[l]] = int32(e - lo)
		b.Target[j*b.L+l] = xt[p[l]]
	}
	d3pm.Noise(s.g, xt, xt, s.sched.Abar[t], rng)
	b.T[j], b.AbarS[j] = int32(t), float32(s.sched.Abar[t-1])
	for i, v := range s.rows {
		lo, _ := s.g.Edges(int(v))
		b.Xt[j*len(s.rows)+i] = int32(lo) + xt[v]
	}
	if err := s.exact.Posterior(pi, []ddps.PALM{xt}, t); err != nil {
		panic(err) // t and the lengths are right
	}
	b.BaseCE[j] = 0
	for l := range b.L {
		s.row(b, j*b.L+l, p[l], t, xt, pi)
		lo, _ := s.g.Edges(p[l])
		b.BaseCE[j] -= math.Log(pi[lo+int(b.Target[j*b.L+l])])
	}
}

// row sets on-path row r of the batch, that of vertex v.
func (s *Source) row(b *net.Batch, r, v, t int, xt ddps.PALM, pi []float64) {
	lo, hi := s.g.Edges(v)
	D := hi - lo
	as, at := s.sched.Abar[t-1], s.sched.Abar[t]
	x0, x := int(b.Target[r]), int(xt[v])
	evidence := d3pm.Likelihood(at, x == x0, D)
	b.InvD[r] = 1 / float32(D)
	for d := range b.D {
		k := r*b.D + d
		b.Edge[k], b.Mask[k], b.Base[k], b.Post[k], b.Like[k] = int32(lo), 0, 0, 0, 0
		if d >= D {
			continue
		}
		like := d3pm.Likelihood(at/as, d == x, D)
		b.Edge[k], b.Mask[k], b.Like[k] = int32(lo+d), 1, float32(like)
		b.Post[k] = float32(like * d3pm.Likelihood(as, d == x0, D) / evidence)
		if s.residual {
			b.Base[k] = float32(math.Log(pi[lo+d]))
		}
	}
}
