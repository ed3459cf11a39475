package guide

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

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

// places is a set of places in a pattern, as bits.
type places []uint64

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

// build numbers the places of p and finds which follow which.
func (m *matcher) build(p Pattern) error {
	var list [][]int
	n, err := countPlaces(p)
	if err != nil {
		return err
	}
	m.words = (n + 63) / 64
	m.follow, m.number = make([]places, 0, n), map[string]int{}
	part, err := m.part(p, &list)
	if err != nil {
		return err
	}
	m.first, m.last, m.blank = part.first, part.last, part.blank
	m.fits = make([]places, m.g.NumVertices())
	for i, vertices := range list {
		for _, v := range vertices {
			if v < 0 || v >= len(m.fits) {
				return fmt.Errorf("guide: a pattern: there is no vertex %d, only 0…%d", v, len(m.fits)-1)
			}
			if m.fits[v] == nil {
				m.fits[v] = m.empty()
			}
			m.fits[v][i/64] |= 1 << (i % 64)
		}
	}
	return nil
}

// countPlaces returns how many places p has with its repeats written out.
func countPlaces(p Pattern) (n int, err error) {
	for _, q := range p.Of {
		k, err := countPlaces(q)
		if err != nil {
			return 0, err
		}
		n += k
	}
	switch {
	case p.Op == One:
		n = 1
	case p.Op == Repeat && (len(p.Of) != 1 || p.Min < 0 || p.Max >= 0 && p.Max < p.Min):
		return 0, fmt.Errorf("guide: a pattern repeated %d to %d times", p.Min, p.Max)
	case p.Op == Repeat:
		if n > 0 && max(p.Min, p.Max) > maxPositions/n {
			n = maxPositions + 1
		} else {
			n *= max(p.Min, p.Max, 1)
		}
	}
	if n > maxPositions {
		return 0, fmt.Errorf("guide: a pattern of more than %d vertices", maxPositions)
	}
	return n, nil
}

// fragment is what Glushkov's construction needs to know of a part of a pattern.
type fragment struct {
	first, last places
	blank       bool
}

func (m *matcher) empty() places { return make(places, m.words) }

// join has every place of last be followed by those of first.
func (m *matcher) join(last, first places) {
	last.each(func(i int) { m.follow[i].add(first) })
}

// part builds a part; list collects the vertices by place.
func (m *matcher) part(p Pattern, list *[][]int) (f fragment, err error) {
	switch p.Op {
	case One:
		i := len(*list)
		*list, m.follow = append(*list, p.Vertices), append(m.follow, m.empty())
		f = fragment{m.empty(), m.empty(), false}
		f.first[i/64] |= 1 << (i % 64)
		f.last[i/64] |= 1 << (i % 64)
		return f, nil
	case Concat:
		f = fragment{m.empty(), m.empty(), true}
		for _, q := range p.Of {
			next, err := m.part(q, list)
			if err != nil {
				return f, err
			}
			f = m.concat(f, next)
		}
		return f, nil
	case Alt:
		f = fragment{m.empty(), m.empty(), false}
		for _, q := range p.Of {
			next, err := m.part(q, list)
			if err != nil {
				return f, err
			}
			f.first.add(next.first)
			f.last.add(next.last)
			f.blank = f.blank || next.blank
		}
		return f, nil
	case Repeat:
		return m.repeat(p, list)
	}
	return f, errors.New("guide: a pattern of no kind")
}

// concat is a and then b.
func (m *matcher) concat(a, b fragment) fragment {
	m.join(a.last, b.first)
	out := fragment{slices.Clone(a.first), slices.Clone(b.last), a.blank && b.blank}
	if a.blank {
		out.first.add(b.first)
	}
	if b.blank {
		out.last.add(a.last)
	}
	return out
}

// repeat writes out p.Of[0] Min times, and then the copies that may be left out, or one that comes round.
func (m *matcher) repeat(p Pattern, list *[][]int) (fragment, error) {
	f := fragment{m.empty(), m.empty(), true}
	for i := range max(p.Min, p.Max, 1) {
		if p.Max == 0 {
			break
		}
		next, err := m.part(p.Of[0], list)
		if err != nil {
			return f, err
		}
		if p.Max < 0 && i == max(p.Min, 1)-1 {
			m.join(next.last, next.first)
		}
		next.blank = next.blank || i >= p.Min
		f = m.concat(f, next)
	}
	return f, nil
}

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

func (s places) add(t places) {
	for i, w := range t {
		s[i] |= w
	}
}

func (s places) keep(t places) {
	if t == nil {
		clear(s)
	}
	for i, w := range t {
		s[i] &= w
	}
}

func (s places) meets(t places) bool {
	for i, w := range t {
		if s[i]&w != 0 {
			return true
		}
	}
	return false
}

func (s places) each(f func(i int)) {
	for k, w := range s {
		for ; w != 0; w &= w - 1 {
			f(64*k + bits.TrailingZeros64(w))
		}
	}
}

// Motif conditions on the path visiting, one step after the other, a vertex of places[0], one of places[1] and so on, from
// a layer on, 0…L−1, or anywhere where layer is −1. The vertices of a place may be of many layers. There are at most as
// many states at a vertex as ways to have begun the motif, few for a word. It is an error if no path meets it, or if
// the places do not fit into the layers.
func Motif(g *ddps.LayeredGraph, list [][]int, layer int) (Condition, error) {
	a, name, err := motif(g, list, layer)
	if err != nil {
		return nil, err
	}
	return New(g, "a "+name, a)
}

// NoMotif conditions on the path not meeting a motif; see Motif.
func NoMotif(g *ddps.LayeredGraph, list [][]int, layer int) (Condition, error) {
	a, name, err := motif(g, list, layer)
	if err != nil {
		return nil, err
	}
	d := NewDiagrams(g)
	s, err := d.Read(a)
	if err == nil {
		s, err = d.Not(s)
	}
	return d.condition("no "+name, s, err)
}

func motif(g *ddps.LayeredGraph, list [][]int, layer int) (a Automaton, name string, err error) {
	p := Pattern{Op: Concat}
	for _, vertices := range list {
		p.Of = append(p.Of, Pattern{Op: One, Vertices: vertices})
	}
	if len(list) == 0 {
		return a, "", errors.New("guide: a motif of 0 places")
	}
	if layer >= 0 && layer+len(list) > g.NumLayers() || layer < -1 {
		return a, "", fmt.Errorf("guide: a motif of %d places from layer %d on: there are %d layers", len(list), layer+1, g.NumLayers())
	}
	name = fmt.Sprintf("motif of %d places", len(list))
	if layer >= 0 {
		name += fmt.Sprintf(" from layer %d on", layer+1)
	}
	a, err = Match(g, p, Where{Layer: layer})
	return a, name, err
}
