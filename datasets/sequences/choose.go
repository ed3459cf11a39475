package sequences

import (
	"errors"
	"fmt"
	"slices"
)

// choose says which walks are kept, and finds their lengths.
func (m *maker) choose() error {
	cut := 0
	for _, w := range m.sets {
		keep := make([]bool, w.Len())
		for i := range keep {
			keep[i] = true
			if n := len(w.At(i)); m.o.Prefix > 0 && n > m.o.Prefix {
				cut += w.Count(i)
			}
		}
		m.keep = append(m.keep, keep)
	}
	if cut > 0 {
		m.note("cut %s to %s", plural(cut, "walk", "walks"), plural(m.o.Prefix, "place", "places"))
	}
	m.each(func(s, i int, list []int32) {
		rank := m.rank[s]
		name := func(t int32) func() string { return func() string { return fmt.Sprintf("%q", m.names[rank[t]]) } }
		switch first, last := list[0], list[len(list)-1]; {
		case m.o.MaxLength > 0 && len(list) > m.o.MaxLength:
			m.leave(s, i, TooLong, func() string { return fmt.Sprintf("%d places", len(list)) })
		case !m.start[rank[first]]:
			m.leave(s, i, NotStart, name(first))
		case !m.end[rank[last]]:
			m.leave(s, i, NotEnd, name(last))
		}
	})
	m.rare()
	m.strange()
	m.min, m.max = 0, 0
	m.each(func(_, _ int, list []int32) {
		if m.min == 0 || len(list) < m.min {
			m.min = len(list)
		}
		m.max = max(m.max, len(list))
	})
	if m.max == 0 {
		if list := m.result.Report.List(); len(list) > 0 {
			return fmt.Errorf("no walk is left: %s", list[0])
		}
		return errors.New("no walk")
	}
	return nil
}

// rare leaves out walks through places that too few of the walks pass.
func (m *maker) rare() {
	if m.o.MinCount <= 1 {
		return
	}
	passed, last, number := make([]int, len(m.names)), make([]int, len(m.names)), 0
	m.each(func(s, i int, list []int32) {
		number++
		for _, t := range list {
			if k := m.rank[s][t]; last[k] != number {
				passed[k], last[k] = passed[k]+m.sets[s].Count(i), number
			}
		}
	})
	m.each(func(s, i int, list []int32) {
		for _, t := range list {
			if k := m.rank[s][t]; passed[k] < m.o.MinCount {
				m.leave(s, i, Rare, func() string { return fmt.Sprintf("%q, which %d pass", m.names[k], passed[k]) })
				return
			}
		}
	})
}

// strange leaves out walks with a move that the given edges lack.
func (m *maker) strange() {
	if m.o.Edges != Given {
		return
	}
	m.given()
	m.each(func(s, i int, list []int32) {
		for k := 1; k < len(list); k++ {
			a, b := m.rank[s][list[k-1]], m.rank[s][list[k]]
			if _, ok := slices.BinarySearch(m.next[a], b); !ok {
				m.leave(
					s,
					i,
					NoMove,
					func() string { return fmt.Sprintf("from %q to %q, at place %d", m.names[a], m.names[b], k) },
				)
				return
			}
		}
	})
}

// given fills the moves from the options.
func (m *maker) given() {
	number := make(map[string]int32, len(m.names))
	for k, name := range m.names {
		number[name] = int32(k)
	}
	m.next = make([][]int32, len(m.names))
	for _, pair := range m.o.Moves {
		a := number[pair[0]]
		m.next[a] = append(m.next[a], number[pair[1]])
	}
	for a, list := range m.next {
		slices.Sort(list)
		m.next[a] = slices.Compact(list)
	}
}

// moves fills the moves that are seen.
func (m *maker) moves() error {
	if m.o.Edges != Seen {
		return nil
	}
	seen := make([]map[int32]bool, len(m.names))
	m.each(func(s, _ int, list []int32) {
		rank := m.rank[s]
		for k := 1; k < len(list); k++ {
			a, b := rank[list[k-1]], rank[list[k]]
			if seen[a] == nil {
				seen[a] = map[int32]bool{}
			}
			if !seen[a][b] {
				seen[a][b] = true
			}
		}
	})
	m.next = make([][]int32, len(m.names))
	for a, heads := range seen {
		for b := range heads {
			m.next[a] = append(m.next[a], b)
		}
		slices.Sort(m.next[a])
	}
	return nil
}

// note adds to the result's notes.
func (m *maker) note(format string, args ...any) {
	m.result.Notes = append(m.result.Notes, fmt.Sprintf(format, args...))
}
