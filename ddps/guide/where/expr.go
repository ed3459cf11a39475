package where

import (
	"fmt"
	"strconv"
	"strings"
)

// Expr is a condition as it was read: all of its terms are to be met.
type Expr struct {
	Terms []Term
	text  string
}

// Term is one of Max, Boltzmann, Compare, Stops, Motif, Avoid and End.
type Term interface{ String() string }

// Total is the name of numbers by edge, and where it stands.
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
}

// Compare is total op value, op one of >=, <= and =.
type Compare struct {
	Total   Total
	Op      string
	Value   float64
	Percent bool // of all letters: of gc alone
}

// Stops are visits and edges, each later than the one before.
type Stops []Stop

// Stop is a visit to any of the places, or the edge, in a layer from 1, 0 for any.
type Stop struct {
	Places []Place
	Edge   *[2]Place
	Layer  int
	At     int // where an edge stands
}

// Avoid is no such visit or edge, or no such motif where that is not nil.
type Avoid struct {
	Stop  Stop
	Motif *Motif
}

// End is a last vertex among the places.
type End struct{ Places []Place }

// The ways to name vertices.
const (
	ByName   = iota // all of that name
	ByPlace         // all copies of a place of the world
	ByVertex        // the one of that number in the graph as it was given
)

// Place names vertices, and where it stands.
type Place struct {
	Kind   int
	Name   string
	Number int
	At     int
}

// Split returns each term as a condition of its own.
func (x *Expr) Split() []*Expr {
	list := make([]*Expr, len(x.Terms))
	for i := range list {
		list[i] = &Expr{x.Terms[i : i+1], x.text}
	}
	return list
}

func (x *Expr) String() string {
	terms := make([]string, len(x.Terms))
	for i, t := range x.Terms {
		terms[i] = t.String()
	}
	return strings.Join(terms, " and ")
}

func (t Max) String() string { return "max(" + t.Total.Name + ")" }

func (t Boltzmann) String() string {
	if t.Total.Name == "reward" {
		return fmt.Sprintf("boltzmann(%v)", t.Beta)
	}
	return fmt.Sprintf("boltzmann(%v, %s)", t.Beta, t.Total.Name)
}

func (t Compare) String() string {
	out := fmt.Sprintf("%s %s %v", t.Total.Name, t.Op, t.Value)
	if t.Percent {
		out += " %"
	}
	return out
}

func (t Stops) String() string {
	words := make([]string, len(t))
	for i, s := range t {
		words[i] = s.String()
	}
	return strings.Join(words, " then ")
}

func (s Stop) String() string {
	if s.Edge != nil {
		return "edge(" + s.inside() + ")"
	}
	return "visit(" + s.inside() + ")"
}

// inside is what stands in the brackets.
func (s Stop) inside() string {
	out := ""
	if s.Edge != nil {
		out = s.Edge[0].String() + ", " + s.Edge[1].String()
	} else {
		out = placesString(s.Places, len(s.Places) > 1)
	}
	if s.Layer > 0 {
		out += ", layer " + strconv.Itoa(s.Layer)
	}
	return out
}

func (t Avoid) String() string {
	if t.Motif != nil {
		return "avoid(" + t.Motif.String() + ")"
	}
	if t.Stop.Edge != nil {
		return "avoid(" + t.Stop.String() + ")"
	}
	return "avoid(" + t.Stop.inside() + ")"
}

func (t End) String() string { return "end in " + placesString(t.Places, true) }

func placesString(places []Place, braces bool) string {
	words := make([]string, len(places))
	for i, p := range places {
		words[i] = p.String()
	}
	if braces {
		return "{" + strings.Join(words, ", ") + "}"
	}
	return strings.Join(words, ", ")
}

func (p Place) String() string {
	switch p.Kind {
	case ByPlace:
		return "place " + strconv.Itoa(p.Number)
	case ByVertex:
		return "vertex " + strconv.Itoa(p.Number)
	}
	return strconv.Quote(p.Name)
}
