package ddps

import "fmt"

// Condition names what a layered graph must satisfy; the numbered ones are the paper's Definition 1.
type Condition string

// The conditions that New checks.
const (
	TooFewLayers Condition = "condition 1 (more than one layer)"
	EmptyLayer   Condition = "condition 1 (no empty layer)"
	EdgeLayers   Condition = "condition 2 (edges go from a layer to the next)"
	FirstLayer   Condition = "condition 3 (one vertex in the first layer)"
	DeadEnd      Condition = "condition 4 (a vertex without out-edges has no in-edges)"
	ParallelEdge Condition = "no parallel edges"
	NoPath       Condition = "some path exists"
	WrongLength  Condition = "one successor list a vertex"
)

// GraphError says why something is no layered graph. Layer and Vertex count from 0; −1 means none in
// particular. In messages layers count from 1, as in the paper.
type GraphError struct {
	Condition     Condition
	Layer, Vertex int
	Detail        string
}

func (e *GraphError) Error() string {
	where := ""
	if e.Layer >= 0 {
		where += fmt.Sprintf(" layer %d,", e.Layer+1)
	}
	if e.Vertex >= 0 {
		where += fmt.Sprintf(" vertex %d,", e.Vertex)
	}
	if where != "" {
		where = "," + where[:len(where)-1]
	}
	return fmt.Sprintf("ddps: not a layered graph: %s broken%s: %s", e.Condition, where, e.Detail)
}

// PathError says why a sequence of vertices is no path of the graph. Position counts from 0.
type PathError struct {
	Position int
	Detail   string
}

func (e *PathError) Error() string {
	return fmt.Sprintf("ddps: not a path: position %d: %s", e.Position+1, e.Detail)
}
