package sequences

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// heads calls do for each place that may follow a, ascending.
func (m *maker) heads(a int32, do func(b int32)) {
	if m.o.Edges == All {
		for b := range int32(len(m.names)) {
			do(b)
		}
		return
	}
	for _, b := range m.next[a] {
		do(b)
	}
}

// stops reports whether END may follow a place at position l.
func (m *maker) stops(a int32, l int) bool { return l >= m.min && l < m.max && m.end[a] }

// alive returns by position and place whether some path has it there: reached from a start, and with an end ahead.
func (m *maker) alive() [][]bool {
	A := len(m.names)
	on := make([][]bool, m.max+1)
	for l := range on {
		on[l] = make([]bool, A)
	}
	used := make([]bool, A) // places of some walk that is kept, or of a given edge
	for _, list := range m.next {
		for _, b := range list {
			used[b] = true
		}
	}
	m.each(func(s, _ int, list []int32) {
		for _, t := range list {
			used[m.rank[s][t]] = true
		}
	})
	for a := range used {
		on[1][a] = m.start[a] && (used[a] || m.next != nil && len(m.next[a]) > 0)
	}
	for l := 1; l < m.max; l++ {
		for a := range int32(A) {
			if on[l][a] {
				m.heads(a, func(b int32) { on[l+1][b] = used[b] })
			}
		}
	}
	for a := range A {
		on[m.max][a] = on[m.max][a] && m.end[a]
	}
	for l := m.max - 1; l >= 1; l-- {
		for a := range int32(A) {
			ahead := m.stops(a, l)
			if on[l][a] && !ahead {
				m.heads(a, func(b int32) { ahead = ahead || on[l+1][b] })
			}
			on[l][a] = on[l][a] && ahead
		}
	}
	return on
}

// unroll numbers the vertices and makes the graph.
func (m *maker) unroll() error {
	A := len(m.names)
	if m.o.Edges == All && float64(A)*float64(A)*float64(m.max-1) > maxEdges {
		return m.tooMany()
	}
	on := m.alive()
	sizes, V := []int{1}, 1
	meta := ddps.Meta{Names: []string{ddps.Source}, Place: []int{-1}}
	end := ddps.EndName(m.names)
	m.vertex = make([][]int32, m.max+1)
	for l := 1; l <= m.max; l++ {
		m.vertex[l] = make([]int32, A+1)
		first := V
		for a := range A + 1 {
			m.vertex[l][a] = -1
			name := end
			if a < A {
				name = m.names[a]
			}
			if a < A && on[l][a] || a == A && l > m.min && m.ended(on, l) {
				m.vertex[l][a] = int32(V)
				meta.Names, meta.Place = append(meta.Names, name), append(meta.Place, a)
				V++
			}
		}
		sizes = append(sizes, V-first)
	}
	heads, err := m.edges(V)
	if err != nil {
		return err
	}
	meta.Attr = map[string]string{ddps.AttrEdges: m.o.Edges.String(), "lengths": fmt.Sprintf("%d..%d", m.min, m.max)}
	if end != ddps.End {
		meta.Attr[ddps.AttrEnd] = end
		m.note("a place is called %s: the end of walks is %s", ddps.End, end)
	}
	g, err := ddps.New(sizes, heads)
	if err == nil {
		m.result.Graph, err = g.WithMeta(meta)
	}
	return err
}

// ended reports whether a walk may have ended before position l.
func (m *maker) ended(on [][]bool, l int) bool {
	for k := m.min; k < l; k++ {
		for a := range on[k] {
			if on[k][a] && m.stops(int32(a), k) {
				return true
			}
		}
	}
	return false
}

// edges lists the successors of each of V vertices.
func (m *maker) edges(V int) ([][]int, error) {
	A, E := len(m.names), 0
	heads := make([][]int, V)
	add := func(v int32, w int32) {
		if v >= 0 && w >= 0 {
			heads[v] = append(heads[v], int(w))
			E++
		}
	}
	for _, v := range m.vertex[1] {
		add(0, v)
	}
	for l := 1; l < m.max; l++ {
		for a := range int32(A) {
			v := m.vertex[l][a]
			if v < 0 {
				continue
			}
			m.heads(a, func(b int32) { add(v, m.vertex[l+1][b]) })
			if m.stops(a, l) {
				add(v, m.vertex[l+1][A])
			}
			if E > maxEdges {
				return nil, m.tooMany()
			}
		}
		add(m.vertex[l][A], m.vertex[l+1][A])
	}
	return heads, nil
}

// tooMany is the error of a graph of more than maxEdges edges.
func (m *maker) tooMany() error {
	return fmt.Errorf("%d places at %d positions make more than %d edges: take --edges seen, --prefix or --max-length",
		len(m.names), m.max, maxEdges)
}
