package gru

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ddps-go/ddps/ddps"
)

// GRU is a distribution over the paths of a layered graph. Its methods may be called by several goroutines at a time.
type GRU struct {
	*layout
	shape      Shape
	nets       []*tables
	neverTwice bool
	tilt       Tilt
	threads    int // 0: all
	pool       *sync.Pool
	begin      func() []float64 // the probabilities of the first vertex' edges, before neverTwice and tilt
}

func newGRU(y *layout, s Shape, nets []*tables) *GRU {
	m := &GRU{layout: y, shape: s, nets: nets}
	m.pool = &sync.Pool{New: func() any { return newLanes(m) }}
	m.begin = sync.OnceValue(func() []float64 {
		l := newLanes(m)
		l.begins = false
		for k := range l.at {
			l.at[k].item = -1
		}
		l.at[0] = place{}
		l.clear(0)
		l.step()
		return l.plain(0)
	})
	return m
}

// Graph returns the graph of the paths.
func (m *GRU) Graph() *ddps.LayeredGraph { return m.g }

// Weights returns the number of weights of all its networks.
func (m *GRU) Weights() (sum int) {
	for _, n := range m.nets {
		sum += n.weights()
	}
	return sum
}

// NeverTwice returns the distribution of the same networks in which a step to a place that the path has visited has
// probability 0, and the others of its row are divided by what is left; a row of which nothing is left stays as it is.
// On a graph in which paths wait or return, such paths have probability 0.
func (m *GRU) NeverTwice() *GRU {
	return m.with(true)
}

// never takes the places that lane k has visited out of p, unless nothing would be left.
func (l *lanes) never(k int, heads []int32, p []float64) {
	seen, left := &l.trail[k], 0.0
	for d, q := range heads {
		if !seen.has(q) {
			left += p[d]
		}
	}
	if left == 0 {
		return
	}
	for d, q := range heads {
		if p[d] /= left; seen.has(q) {
			p[d] = 0
		}
	}
}

// chunk is how many paths a thread takes at a time.
const chunk = 512

// LogProb writes log p of each path to out, of the same length. The error names the first path that is none of the
// graph. A path's number depends on it alone. O(L·(3H² + P·H)) per path.
func (m *GRU) LogProb(paths []ddps.Path, out []float64) error {
	if len(out) != len(paths) {
		return fmt.Errorf("gru: %d paths, but room for %d log-probabilities", len(paths), len(out))
	}
	list, err := m.walks(paths)
	if err != nil {
		return fmt.Errorf("gru: %w", err)
	}
	m.logProb(list, out)
	return nil
}

func (m *GRU) logProb(list []walk, out []float64) {
	each((len(list)+chunk-1)/chunk, m.threads, func(next func() (int, bool)) {
		l := m.pool.Get().(*lanes)
		defer m.pool.Put(l)
		at := func(i, t int) (int, bool) {
			if t == len(list[i].vertices) {
				return 0, false
			}
			return int(list[i].vertices[t]), true
		}
		row := func(i, t int, p []float64) { out[i] += math.Log(p[list[i].slots[t]]) }
		for c, ok := next(); ok; c, ok = next() {
			lo, hi := c*chunk, min((c+1)*chunk, len(list))
			clear(out[lo:hi])
			if m.nets[0].wide && m.g.MaxDegree() >= scoredDegree && !m.neverTwice && m.tilt.zero() {
				for some := max(1, scoredAtOnce/m.steps()); lo < hi; lo += some {
					l.wide(lo, min(lo+some, hi), at, row)
				}
			} else {
				l.travel(lo, hi, at, func(i, t, k int) { row(i, t, l.row(k)) })
			}
		}
	})
}

// Sample draws len(paths) paths: paths[i] depends on the seed and on first + i alone. When ctx ends it returns ctx's
// error, and paths holds no whole sample.
func (m *GRU) Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error {
	L := m.g.NumLayers()
	each((len(paths)+chunk-1)/chunk, m.threads, func(next func() (int, bool)) {
		l := m.pool.Get().(*lanes)
		defer m.pool.Put(l)
		for c, ok := next(); ok && ctx.Err() == nil; c, ok = next() {
			lo, hi := c*chunk, min((c+1)*chunk, len(paths))
			streams := make([]*rand.Rand, hi-lo)
			for i := lo; i < hi; i++ {
				paths[i] = make(ddps.Path, 1, L)
				streams[i-lo] = ddps.Rand(seed, uint64(first+i))
			}
			l.travel(lo, hi, func(i, t int) (int, bool) {
				p := paths[i]
				if !m.single[p[t]] {
					return p[t], true
				}
				for len(p) < L {
					p = append(p, m.g.From(p[len(p)-1])[0])
				}
				paths[i] = p
				return 0, false
			}, func(i, t, k int) {
				d, p := 0, l.row(k)
				if len(p) > 1 {
					d = pick(p, streams[i-lo].Float64())
				}
				paths[i] = append(paths[i], m.g.From(paths[i][t])[d])
			})
		}
	})
	return ctx.Err()
}

// pick returns the first entry of p at which its running sum passes u of the whole; never one that is 0.
func pick(p []float64, u float64) int {
	total := 0.0
	for _, x := range p {
		total += x
	}
	u *= total
	last := 0
	for d, x := range p {
		if x == 0 {
			continue
		}
		if last = d; u < x {
			return d
		}
		u -= x
	}
	return last
}

// each runs work on the threads, all for 0; next hands out 0…n−1.
func each(n, threads int, work func(next func() (int, bool))) {
	var count atomic.Int64
	next := func() (int, bool) {
		i := int(count.Add(1)) - 1
		return i, i < n
	}
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	if threads = min(threads, n); threads < 2 {
		work(next)
		return
	}
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() { work(next) })
	}
	wg.Wait()
}
