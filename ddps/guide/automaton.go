package guide

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps/internal/real"
)

// Automaton is a condition as a machine that reads a path edge by edge and weighs it: deterministic, its states
// numbers of the author's choice. The weight of a path is the product of those of its edges and of the state in
// which it ends; 0 means that the path does not meet the condition. The functions give the same answer for
// the same arguments; they are called from one goroutine, while the condition is made.
type Automaton struct {
	Start int // the state at v¹
	// Next returns the state after edge e, taken in state q, and the edge's weight, finite and ≥ 0; 0 is a dead end.
	Next func(q, e int) (next int, w float64)
	// Accept returns the weight, finite and ≥ 0, of ending in state q. nil: 1 for all.
	Accept func(q int) float64
}

// dead is the weight of an edge that leads nowhere, alive of any other, for automata that do not weigh.
const (
	dead  = 0.0
	alive = 1.0
)

// met is the weight of a path that meets a condition or not.
func met(yes bool) float64 {
	if yes {
		return alive
	}
	return dead
}

// accept returns the weight of ending in state q.
func (a Automaton) accept(q int) float64 {
	if a.Accept == nil {
		return 1
	}
	return a.Accept(q)
}

// Read returns the paths that a weighs above 0, with their weights. Only pairs of a vertex and a state that some walk
// from v¹ leads to are met. It is an error if there are too many, or if a weight is out of range. O(edges met).
func (d *Diagrams) Read(a Automaton) (Set, error) { return d.ReadWithin(a, Every) }

// ReadWithin is Read along the paths of s alone, whose weights do not count: the paths of s that a weighs above 0, with
// a's weights. Where few paths are in s, few pairs of a vertex and a state are met.
func (d *Diagrams) ReadWithin(a Automaton, s Set) (Set, error) {
	d.begin()
	r := &reader{d: d, a: a, memo: map[reading]Set{}}
	r.last, _ = d.g.Layer(d.g.NumLayers() - 1)
	s, err := d.result(r.at(reading{0, a.Start, s}))
	if r.bad != nil {
		return None, r.bad
	}
	return s, err
}

// reader turns an automaton into a diagram.
type reader struct {
	d    *Diagrams
	a    Automaton
	last int
	memo map[reading]Set
	bad  error
}

// reading is a vertex that is not in the last layer, the automaton's state there, and the ways on that may be taken.
type reading struct {
	v, q   int
	within Set
}

// at returns the ways on.
func (r *reader) at(x reading) Set {
	if s, ok := r.memo[x]; ok || x.within == None {
		return s
	}
	v, q := x.v, x.q
	if r.bad != nil || !r.d.spend(v) {
		return None
	}
	g := r.d.g
	lo, hi := g.Edges(v)
	kids, logw := make([]Set, hi-lo), []float64(nil)
	for e := lo; e < hi; e++ {
		within := x.within
		if within != Every {
			if within = r.d.kids(x.within)[e-lo]; within == None {
				continue
			}
		}
		next, w := r.a.Next(q, e)
		if kids[e-lo] = Every; g.Head(e) >= r.last && w > 0 {
			w *= r.a.accept(next)
		} else if w > 0 && w <= math.MaxFloat64 {
			kids[e-lo] = r.at(reading{g.Head(e), next, within})
		}
		switch {
		case !(w >= 0) || math.IsInf(w, 1):
			if r.bad == nil {
				r.bad = fmt.Errorf("the weight of edge %s → %s is %v", g.Name(v), g.Name(g.Head(e)), w)
			}
			return None
		case w == 0:
			kids[e-lo] = None
		case w != 1:
			if logw == nil {
				logw = make([]float64, hi-lo)
			}
			logw[e-lo] = real.Log(w)
		}
	}
	s := r.d.node(v, kids, logw)
	r.memo[x] = s
	return s
}

// weigh returns all paths, each with the product of exp(logw) over its edges, by edge of the graph; −Inf forbids an
// edge.
func (d *Diagrams) weigh(logw []float64) Set {
	g := d.g
	last, end := g.Layer(g.NumLayers() - 1)
	at := make([]Set, end)
	for v := end - 1; v >= 0; v-- {
		if at[v] = Every; v >= last {
			continue
		}
		lo, hi := g.Edges(v)
		kids := make([]Set, hi-lo)
		for e := lo; e < hi; e++ {
			if kids[e-lo] = at[g.Head(e)]; math.IsInf(logw[e], -1) {
				kids[e-lo] = None
			}
		}
		at[v] = d.node(v, kids, logw[lo:hi])
	}
	return at[0]
}
