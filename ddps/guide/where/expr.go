package where

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Expr is a condition as it was read.
type Expr struct {
	Root Node
	text string
}

// Node is And, Or, Not, or a term: Max, Boltzmann, Compare, Stops, Visits, Before, Near, Stay, Motif, Avoid, Start,
// End, Returns, Length and Regex.
type Node interface{ String() string }

// And is all of the nodes.
type And []Node

// Or is any of the nodes.
type Or []Node

// Not is what does not meet the node.
type Not struct{ Node Node }

// Total is the name of numbers by edge, and where it is.
type Total struct {
	Name string
	At   int
}

// Max is max(total).
type Max struct{ Total Total }

// Boltzmann is boltzmann(β, total).
type Boltzmann struct {
	Beta  float64
	Total Total
	At    int
}

// Compare is total op value, op one of >=, <=, =, > and <.
type Compare struct {
	Total   Total
	Op      string
	Value   float64
	Percent bool // of all letters: of gc alone
}

// Stops are visits and edges, each later than the one before.
type Stops []Stop

// Stop is a visit to any of the places, or the edge.
type Stop struct {
	Places []Place
	Edge   *[2]Place
	Window Window
	At     int // where an edge is
}

// Visits is how many steps meet the stop, compared with a number.
type Visits struct {
	Stop  Stop
	Op    string
	Count int
}

// Before is a first visit to A that is earlier than the first one to B.
type Before struct{ A, B []Place }

// Near is two stops at most K steps apart.
type Near struct {
	A, B Stop
	K    int
}

// Stay is the longest run of layers at the places, compared with a number of layers, or of seconds where Clock.
type Stay struct {
	Places []Place
	Op     string
	Count  int
	Clock  bool
	At     int
}

// Avoid is no such visit or edge, or no such motif where that is not nil.
type Avoid struct {
	Stop  Stop
	Motif *Motif
}

// Start is a first vertex among the places, End a last one.
type (
	Start struct{ Places []Place }
	End   struct{ Places []Place }
)

// Returns is a last place that is the first.
type Returns struct{}

// Length is the number of vertices of a path, Lo to Hi.
type Length struct{ Lo, Hi int }

// The ways to name vertices.
const (
	ByName   = iota // all of that name, or that the name is an alias of
	ByPlace         // all copies of a place of the world
	ByVertex        // the one of that number in the graph as it was given
	ByFile          // all that a file of names lists
)

// Place names vertices, and where it is.
type Place struct {
	Kind   int
	Name   string // of a file too
	Number int
	At     int
}

// each calls f for every term of n.
func each(n Node, f func(Node)) {
	switch n := n.(type) {
	case And:
		for _, x := range n {
			each(x, f)
		}
	case Or:
		for _, x := range n {
			each(x, f)
		}
	case Not:
		each(n.Node, f)
	default:
		f(n)
	}
}

// Weighs reports whether the condition weighs paths (boltzmann), and is not just met or not.
func (x *Expr) Weighs() (yes bool) {
	each(x.Root, func(n Node) {
		_, is := n.(Boltzmann)
		yes = yes || is
	})
	return yes
}

// Totals returns the names of the totals that the condition uses, in order.
func (x *Expr) Totals() []string {
	var names []string
	each(x.Root, func(n Node) {
		switch n := n.(type) {
		case Max:
			names = append(names, n.Total.Name)
		case Boltzmann:
			names = append(names, n.Total.Name)
		case Compare:
			names = append(names, n.Total.Name)
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}

func (x *Expr) String() string { return x.Root.String() }

func (n And) String() string {
	return join(n, " and ", func(n Node) bool { _, or := n.(Or); return or })
}

func (n Or) String() string { return join(n, " or ", func(Node) bool { return false }) }

func (n Not) String() string {
	switch n.Node.(type) {
	case And, Or:
		return "not (" + n.Node.String() + ")"
	}
	return "not " + n.Node.String()
}

func join(list []Node, word string, bracket func(Node) bool) string {
	words := make([]string, len(list))
	for i, n := range list {
		if words[i] = n.String(); bracket(n) {
			words[i] = "(" + words[i] + ")"
		}
	}
	return strings.Join(words, word)
}

func (p Place) String() string {
	switch p.Kind {
	case ByPlace:
		return "place " + strconv.Itoa(p.Number)
	case ByVertex:
		return "vertex " + strconv.Itoa(p.Number)
	case ByFile:
		return fmt.Sprintf("file(%q)", p.Name)
	}
	return strconv.Quote(p.Name)
}
