package chain

import (
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// Scored is a path and log P of it.
type Scored struct {
	Path    ddps.Path
	LogProb float64
}

// KBest returns the k most likely paths, or all of positive probability if they are fewer, most likely first. Paths
// whose log P agree within 1e-10·max(1, |log P| of the most likely) count as equally likely and are in lexicographic
// order of out-edges, which is that of ddps.Index. It is the recursive enumeration of Jiménez and Marzal (1999) on the
// product graph: O(E + k·L·D).
func (l *Distribution) KBest(k int) []Scored {
	g := l.Product.Graph
	s := &kbest{g: g, logs: make([]float64, len(l.P)), nodes: make([]*suffixes, g.NumVertices())}
	for i, p := range l.P {
		s.logs[i] = real.Log(p)
	}
	s.best = g.BestFrom(s.logs)
	s.tie = 1e-10 * max(1, math.Abs(s.best[0]))
	var out []Scored
	for n := 0; n < k; n++ {
		if _, ok := s.score(0, n); !ok {
			break
		}
		out = append(out, s.path(l.Product, n))
	}
	return out
}

// MostLikely returns a path of the greatest probability, and its logarithm: KBest(1).
func (l *Distribution) MostLikely() (ddps.Path, float64) {
	best := l.KBest(1)[0]
	return best.Path, best.LogProb
}

// kbest enumerates the suffixes of each state, on demand, best first.
type kbest struct {
	g     *ddps.LayeredGraph
	logs  []float64   // by edge
	best  []float64   // by state: the best suffix
	nodes []*suffixes // by state; nil until asked for
	tie   float64
}

// suffixes are the paths from one state on.
type suffixes struct {
	found []suffix  // best first
	rank  []int     // by out-edge: which suffix of its head comes next
	next  []float64 // by out-edge: log P of the path by it, −Inf where there is none left
}

// suffix is out-edge d, then suffix number rank of its head.
type suffix struct {
	d, rank int
	logp    float64
}

// score returns log P of suffix n of state s, and whether there is one.
func (b *kbest) score(s, n int) (float64, bool) {
	lo, hi := b.g.Edges(s)
	if lo == hi { // the last layer: the empty suffix; elsewhere −Inf
		return b.best[s], n == 0
	}
	x := b.nodes[s]
	if x == nil {
		x = &suffixes{rank: make([]int, hi-lo), next: make([]float64, hi-lo)}
		for d := range x.next {
			x.next[d] = b.logs[lo+d] + b.best[b.g.Head(lo+d)]
		}
		b.nodes[s] = x
	}
	for len(x.found) <= n {
		d, ok := b.pick(x)
		if !ok {
			return 0, false
		}
		x.found = append(x.found, suffix{d, x.rank[d], x.next[d]})
		x.rank[d]++
		if y, ok := b.score(b.g.Head(lo+d), x.rank[d]); ok {
			x.next[d] = b.logs[lo+d] + y
		} else {
			x.next[d] = math.Inf(-1)
		}
	}
	return x.found[n].logp, true
}

// pick returns the first out-edge whose next path is as likely as any.
func (b *kbest) pick(x *suffixes) (int, bool) {
	top := math.Inf(-1)
	for _, y := range x.next {
		top = max(top, y)
	}
	for d, y := range x.next {
		if y >= top-b.tie {
			return d, !math.IsInf(top, -1)
		}
	}
	return 0, false
}

// path returns suffix n of the first state as a path of the base.
func (b *kbest) path(l *Product, n int) Scored {
	out := Scored{Path: ddps.Path{0}}
	for s := 0; b.g.Degree(s) > 0; {
		b.score(s, n) // found already, but for a best one that nobody asked for
		x := b.nodes[s].found[n]
		lo, _ := b.g.Edges(s)
		out.LogProb += b.logs[lo+x.d]
		n, s = x.rank, b.g.Head(lo+x.d)
		out.Path = append(out.Path, l.Vertex[s])
	}
	return out
}
