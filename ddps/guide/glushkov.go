package guide

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

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

// places is a set of places in a pattern, as bits.
type places []uint64

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
