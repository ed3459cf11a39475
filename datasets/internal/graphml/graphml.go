// Package graphml reads and writes GraphML (graphml.graphdrawing.org, the
// structural layer with attributes): keys, nodes, edges and their data, as OSMnx,
// NetworkX and igraph write it. Hyperedges, ports and nested graphs are refused.
//
// The standard library's XML decoder does the parsing; no kept Go library for
// GraphML covers data of any key type and both directions.
package graphml

// Graph is the one graph of a file. Values are text: what a key's type makes of
// them is the caller's affair, since OSMnx types every key as a string.
type Graph struct {
	Directed bool // edgedefault
	Data     map[string]string
	Nodes    []Node
	Edges    []Edge
}

// Node is a node; Data is by attribute name, defaults of the keys included.
type Node struct {
	ID   string
	Data map[string]string
}

// Edge is an edge between two node ids, which need not be in the file.
type Edge struct {
	Source, Target string
	Directed       bool // the edge's own attribute, or else the graph's default
	Data           map[string]string
}
