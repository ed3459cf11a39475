package guide

import "github.com/ddps-go/ddps/ddps"

// Pattern is a regular expression over vertices.
type Pattern struct {
	Op       PatternOp
	Vertices []int     // of One: the vertices that fit
	Of       []Pattern // of Concat and Alt: the parts; of Repeat: one
	Min, Max int       // of Repeat; Max −1: no limit
}

// PatternOp is a kind of Pattern.
type PatternOp int

// The kinds of Pattern.
const (
	One    PatternOp = iota // one vertex
	Concat                  // one part after the other; none: the empty pattern
	Alt                     // any of the parts
	Repeat                  // the part Min to Max times
)

// maxPositions is the most vertices that a Pattern may name once its repeats are written out.
const maxPositions = 1 << 12

// Where says which part of a path a Pattern is to fit.
type Where struct {
	Whole bool   // all vertices of the path, but for Skip
	Layer int    // else vertices that follow each other, the first in this layer, 0…L−1; −1: in any
	Skip  []bool // by vertex: those that are read as if they were not there; nil for none
}

// Match reads a path for p. A state is a set of places in the pattern, made as it is met (Glushkov's automaton and the
// subset construction).
func Match(g *ddps.LayeredGraph, p Pattern, at Where) (Automaton, error) {
	m := &matcher{g: g, at: at}
	if err := m.build(p); err != nil {
		return Automaton{}, err
	}
	return Automaton{Start: m.step(m.intern(m.empty()), 0), Next: func(q, e int) (int, float64) {
		return m.step(q, g.Head(e)), alive
	}, Accept: func(q int) float64 { return met(m.accepts(q)) }}, nil
}

// matcher is the automaton of a Pattern. State 0 is that in which nothing has been read.
type matcher struct {
	g      *ddps.LayeredGraph
	at     Where
	fits   []places       // by vertex: the places that it fits; nil for none
	follow []places       // by place: those that may come next
	first  places         // those that may come first
	last   places         // those that may end it
	blank  bool           // nothing at all fits
	words  int            // of a set
	sets   []places       // by state
	number map[string]int // state by set
}

// found is the state in which a pattern that need not fit the whole path has been met.
const found = -1

// intern returns the state of a set.
func (m *matcher) intern(s places) int {
	key := make([]byte, 0, 8*len(s))
	for _, w := range s {
		for k := range 8 {
			key = append(key, byte(w>>(8*k)))
		}
	}
	n, known := m.number[string(key)]
	if !known {
		n = len(m.sets)
		m.sets = append(m.sets, s)
		m.number[string(key)] = n
	}
	return n
}

// step returns the state after vertex v in state q. States of a whole path are doubled: odd ones have read something.
func (m *matcher) step(q, v int) int {
	if q == found || m.at.Skip != nil && m.at.Skip[v] {
		return q
	}
	next := m.empty()
	if m.at.Whole {
		if q == 0 {
			next.add(m.first)
		}
	} else if m.at.Layer < 0 || m.g.LayerOf(v) == m.at.Layer {
		next.add(m.first)
	}
	m.sets[m.set(q)].each(func(i int) { next.add(m.follow[i]) })
	next.keep(m.fits[v])
	if !m.at.Whole {
		if next.meets(m.last) {
			return found
		}
		return m.intern(next)
	}
	return 2*m.intern(next) + 1
}

// set returns the number of the set of places that state q is.
func (m *matcher) set(q int) int {
	if m.at.Whole {
		return q / 2
	}
	return q
}

// accepts reports whether a path that ends in state q fits.
func (m *matcher) accepts(q int) bool {
	switch {
	case m.at.Whole && q == 0:
		return m.blank
	case m.at.Whole:
		return m.sets[q/2].meets(m.last)
	}
	return q == found || m.blank
}
