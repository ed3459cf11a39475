package vec

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/vec/abi"
)

// Width is the number of samples in a group: the lanes of a vector. Classes is the number of classes of a mixture that
// Weigh takes together.
const Width, Classes = 8, abi.Classes

type (
	Lane   = abi.Lane   // a number of each sample
	Choice = abi.Choice // a choice of each sample: the position of an edge among its tail's
	Single = abi.Single // an output of a network for each sample
	Args   = abi.Args   // of a kernel
)

// Graph is a layered graph as the kernels read it, or a product graph: the states of a condition or of a chain of
// second order times the vertices of a layered graph.
type Graph struct {
	Layer []int32 // [L+1] each layer's first vertex
	First []int32 // [V+1] each vertex's first edge
	Head  []int32 // [E]
	Edge  []int32 // [E] the edge that it projects to; of a graph that is no product, itself
	Rows  []int32 // vertices that a path visits and that have a choice; empty of a product
}

// NewGraph returns g for the kernels, with its rows. edge is by edge of g, a product graph, the edge that it projects
// to; nil of a graph that is none.
func NewGraph(g *ddps.LayeredGraph, rows []int32, edge []int) *Graph {
	s := &Graph{Rows: rows, Edge: make([]int32, g.NumEdges())}
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
	for e := range s.Edge {
		s.Edge[e] = int32(e)
		if edge != nil {
			s.Edge[e] = int32(edge[e])
		}
	}
	return s
}

// NumVertices returns the number of vertices or states.
func (g *Graph) NumVertices() int { return len(g.First) - 1 }

// args returns the arguments that describe g.
func (g *Graph) args() Args {
	return Args{Layer: first(g.Layer), First: first(g.First), Head: first(g.Head), Edge: first(g.Edge),
		Rows:   first(g.Rows),
		Layers: len(g.Layer) - 1, Vertices: g.NumVertices(), NumRows: len(g.Rows)}
}

// inner returns the number of vertices before the last layer.
func (g *Graph) inner() int { return int(g.Layer[len(g.Layer)-2]) }

// ends sets the messages of the last layer to 1.
func (g *Graph) ends(m []Lane) { g.end(m, 1) }

// end is ends for messages of that many classes.
func (g *Graph) end(m []Lane, classes int) {
	last := m[g.inner()*classes:]
	last[0] = Spread(1)
	for n := 1; n < len(last); n *= 2 {
		copy(last[n:], last[:n])
	}
}

// Spread returns x in every lane.
func Spread(x float64) (y Lane) {
	for k := range y {
		y[k] = x
	}
	return y
}
