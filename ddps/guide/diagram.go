package guide

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// MaxEdges is the most edges that the product of a graph with a condition's states may have: 2²⁴, which takes
// about a gigabyte, and a quarter more for each thread that samples.
const MaxEdges = 1 << 24

// Set is a set of paths, or a weight for each path, as the root of a decision diagram in a Diagrams.
type Set int32

// None holds no path and Every holds all, each with weight 1.
const (
	None  Set = 0
	Every Set = 1
)

// Diagrams holds decision diagrams on the paths of one graph (Bryant 1986, with one branch an out-edge in place of
// two). A node is at a vertex and has a child for each out-edge: the Set of the ways on from its head. Nodes with
// the same vertex, children and weights are one node, so that equal sets are equal numbers, the states of a condition
// are as few as can be at each vertex, and conditions that say the same have the same product to the last bit. Because
// the graph has layers, this is the minimal automaton of the condition on it, and needs no partition refinement.
//
// Not for concurrent use.
type Diagrams struct {
	g      *ddps.LayeredGraph
	limit  int // most children of all nodes, and most edges met by one construction
	vertex []int32
	first  []int          // [node] its children are child[first[n]:first[n]+degree]
	child  []Set          // by node and out-edge
	logw   []float64      // by child, logarithms of weights; shorter than child where all that follow are 0
	plain  []bool         // [node] every path has weight 0 or 1
	table  map[uint64]Set // the newest node of a hash
	older  []Set          // [node] the next of the same hash
	met    int            // edges met by the construction under way
	ctx    context.Context
	ended  error // ctx's, once a construction has met it
	until  int   // edges that may be met before ctx is looked at
}

// ErrTooLarge says that a construction met more edges than the limit.
var ErrTooLarge = errors.New("too many states")

// errNoPath says that no path of the graph meets a condition.
const errNoPath = chain.ImpossibleError("no path meets it")

// NewDiagrams makes an empty store for the paths of g.
func NewDiagrams(g *ddps.LayeredGraph) *Diagrams { return newDiagrams(g, MaxEdges) }

func newDiagrams(g *ddps.LayeredGraph, limit int) *Diagrams {
	return &Diagrams{g: g, limit: limit, vertex: make([]int32, 2), first: make([]int, 2), plain: []bool{true, true},
		table: map[uint64]Set{}, older: make([]Set, 2)}
}

// Limit sets the most edges of a product, MaxEdges before: constructions that need more are refused, and totals that
// need about an eighth of it are counted in steps (Band).
func (d *Diagrams) Limit(edges int) { d.limit = edges }

// Until makes all constructions end with ctx's error once it has ended.
func (d *Diagrams) Until(ctx context.Context) { d.ctx = ctx }

// begin starts a construction.
func (d *Diagrams) begin() { d.met = 0 }

// goOn reports whether the context has not ended, where n more edges are met.
func (d *Diagrams) goOn(n int) bool {
	if d.until -= n; d.until < 0 && d.ctx != nil && d.ended == nil {
		d.until, d.ended = lookedAt, d.ctx.Err()
	}
	return d.ended == nil
}

// like returns an empty store for the same graph, with the same limit and context.
func (d *Diagrams) like() *Diagrams {
	own := newDiagrams(d.g, d.limit)
	own.ctx = d.ctx
	return own
}

// lookedAt is how many edges are met until it is seen that a context has ended.
const lookedAt = 1 << 12

// spend counts the out-edges of v against the limit, and reports whether the construction may go on.
func (d *Diagrams) spend(v int) bool {
	d.met += d.g.Degree(v)
	return d.goOn(d.g.Degree(v)) && d.met <= d.limit && len(d.child) <= 2*d.limit
}

// result returns s, or an error where the construction went over the limit, or was to end.
func (d *Diagrams) result(s Set) (Set, error) {
	if d.ended != nil {
		return None, d.ended
	}
	if d.met > d.limit || len(d.child) > 2*d.limit {
		return None, fmt.Errorf("%w, more than %d edges of graph and states together", ErrTooLarge, d.limit)
	}
	return s, nil
}

// kids returns the children of node s at a vertex.
func (d *Diagrams) kids(s Set) []Set {
	lo := d.first[s]
	return d.child[lo : lo+d.g.Degree(int(d.vertex[s]))]
}

// weight returns the logarithm of the weight of out-edge i of node s.
func (d *Diagrams) weight(s Set, i int) float64 {
	if k := d.first[s] + i; k < len(d.logw) {
		return d.logw[k]
	}
	return 0
}

// node returns the node at v with these children and logarithms of weights, nil for all 0. Both are copied.
func (d *Diagrams) node(v int, kids []Set, logw []float64) Set {
	none, every, plain, h := true, true, true, uint64(v)*0x9e3779b97f4a7c15
	for i, k := range kids {
		x := 0.0
		if logw != nil && k != None {
			x = logw[i] + 0 // not −0
		}
		none, every, plain = none && k == None, every && k == Every && x == 0, plain && x == 0 && d.plain[k]
		h = (h ^ uint64(k)) * 0xff51afd7ed558ccd
		h = (h ^ h>>32 ^ math.Float64bits(x)) * 0xc4ceb9fe1a85ec53
	}
	switch {
	case none:
		return None
	case every:
		return Every
	}
	for n := d.table[h]; n != None; n = d.older[n] {
		if d.same(n, v, kids, logw) {
			return n
		}
	}
	return d.add(h, v, kids, logw, plain)
}

// same reports whether node n is the one that node is called with.
func (d *Diagrams) same(n Set, v int, kids []Set, logw []float64) bool {
	if int(d.vertex[n]) != v {
		return false
	}
	for i, k := range d.kids(n) {
		if k != kids[i] || k != None && logw != nil && d.weight(n,
			i) != logw[i] || k != None && logw == nil && d.weight(n, i) != 0 {
			return false
		}
	}
	return true
}

// add makes a new node.
func (d *Diagrams) add(h uint64, v int, kids []Set, logw []float64, plain bool) Set {
	n := Set(len(d.vertex))
	d.vertex, d.first, d.plain = append(d.vertex, int32(v)), append(d.first, len(d.child)), append(d.plain, plain)
	lo := len(d.child)
	d.child = append(d.child, kids...)
	for i, k := range kids {
		if logw == nil || k == None || logw[i] == 0 {
			continue
		}
		for len(d.logw) <= lo+i {
			d.logw = append(d.logw, 0)
		}
		d.logw[lo+i] = logw[i]
	}
	d.older = append(d.older, d.table[h])
	d.table[h] = n
	return n
}

// Size returns the number of nodes and of their out-edges below s that lie on some path of it, Every and None left out:
// the states and edges of the product with the graph that the condition adds.
func (d *Diagrams) Size(s Set) (states, edges int) {
	seen := map[Set]bool{None: true, Every: true}
	var walk func(Set)
	walk = func(n Set) {
		if seen[n] {
			return
		}
		seen[n] = true
		states++
		for _, k := range d.kids(n) {
			if k != None {
				edges++
			}
			walk(k)
		}
	}
	walk(s)
	return states, edges
}

// meets reports whether some path of s has positive probability under pi, by edge; nil: any path at all.
func (d *Diagrams) meets(s Set, pi []float64) bool {
	if pi == nil {
		return s != None
	}
	type at struct {
		v int
		s Set
	}
	seen := map[at]bool{}
	last, _ := d.g.Layer(d.g.NumLayers() - 1)
	var walk func(v int, s Set) bool
	walk = func(v int, s Set) bool {
		if s == None || v >= last {
			return s != None
		}
		yes, known := seen[at{v, s}]
		if known {
			return yes
		}
		lo, hi := d.g.Edges(v)
		for e := lo; e < hi && !yes; e++ {
			k := s
			if s != Every {
				k = d.kids(s)[e-lo]
			}
			yes = pi[e] > 0 && walk(d.g.Head(e), k)
		}
		seen[at{v, s}] = yes
		return yes
	}
	return walk(0, s)
}
