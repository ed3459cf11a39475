// Package octet works on eight samples at a time, a lane each: the sweeps over a layered graph that a reverse step is made
// of. An array by edge or by vertex has eight numbers in each place, one a sample.
//
// Every function gives each lane the bits that the code for one sample gives, which is the reference: package chain's
// and d3pm's. The arithmetic is the same in the same order, and no product is fused into a sum. Each has a twin in plain
// Go; builds with GOEXPERIMENT=simd on amd64 have vector kernels too, for AVX-512 and, the same text with other types,
// for AVX2 with FMA. They choose by what the processor has.
//
// The functions do not check their arguments: arrays have the lengths that their comments say.
package octet

import "github.com/ddps-go/ddps/ddps"

// Width is the number of lanes.
const Width = 8

type (
	Lane   = [Width]float64 // a number of each sample
	Choice = [Width]int64   // a choice of each sample: the position of an edge among its tail's
	Single = [Width]float32 // a network's output for each sample
)

// Graph is a layered graph as the sweeps walk it.
type Graph struct {
	Layer []int32 // [L+1] each layer's first vertex
	First []int32 // [V+1] each vertex's first edge
	Head  []int32 // [E]
	Rows  []int32 // vertices that a path visits and that have a choice
}

// ends sets the messages of the last layer to 1 and returns its number.
func (g *Graph) ends(m []Lane) (layer int) {
	layer = len(g.Layer) - 2
	for v := g.Layer[layer]; v < g.Layer[layer+1]; v++ {
		m[v] = Spread(1)
	}
	return layer
}

// NewGraph makes the Graph of g, its rows as given.
func NewGraph(g *ddps.LayeredGraph, rows []int32) *Graph {
	s := &Graph{Rows: rows}
	for l := range g.NumLayers() {
		lo, _ := g.Layer(l)
		s.Layer = append(s.Layer, int32(lo))
	}
	s.Layer = append(s.Layer, int32(g.NumVertices()))
	for v := range g.NumVertices() {
		lo, _ := g.Edges(v)
		s.First = append(s.First, int32(lo))
		for _, w := range g.From(v) {
			s.Head = append(s.Head, int32(w))
		}
	}
	s.First = append(s.First, int32(g.NumEdges()))
	return s
}

// Rates are the likelihoods q(x_t = j | x_s = i) by the number of a row's choices: Move for j ≠ i, Keep for j = i.
type Rates struct{ Move, Keep []Lane }

// NewRates makes room for rows of up to that many choices.
func NewRates(choices int) Rates { return Rates{make([]Lane, choices+1), make([]Lane, choices+1)} }

// Set sets those of rows of D choices.
func (r *Rates) Set(D int, move, keep float64) { r.Move[D], r.Keep[D] = Spread(move), Spread(keep) }

// Spread returns x in every lane.
func Spread(x float64) (y Lane) {
	for k := range y {
		y[k] = x
	}
	return y
}

// Step holds what the kernels know of the step t → s.
type Step struct {
	At, As Lane     // ᾱ_t and ᾱ_s
	Rest   Lane     // 1 − ᾱ_t
	Like   Rates    // q(x_t | x_s)
	From   Rates    // q(x_t | x_0)
	To     Rates    // q(x_s | x_0)
	Path   [2]Rates // q(x_s | x_0)/q(x_t | x_0), x_t ≠ x_0 and x_t = x_0
}

// NewStep makes room for rows of up to that many choices.
func NewStep(choices int) *Step {
	r := func() Rates { return NewRates(choices) }
	return &Step{Like: r(), From: r(), To: r(), Path: [2]Rates{r(), r()}}
}
