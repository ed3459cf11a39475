package sequences

import (
	"fmt"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// On maps walks onto a graph made earlier, whose source and END they need not name: a walk begins behind the source, if
// the graph has one, and END fills it up where it may end there. Walks that are no paths of g are left out and counted,
// with a reason: they are impossible under any distribution over its paths. The data are nil if none is left.
// O(tokens·D).
func On(g *ddps.LayeredGraph, w *Walks) (*datasets.Data, *Report) {
	m := newMapper(g, w)
	p, report := newPaths(g), &Report{}
	for i := range w.Len() {
		list := w.At(i)
		k, known := p.find(list)
		if known {
			p.data.Counts[k] += w.Count(i)
			continue
		}
		path, reason, detail := m.path(list)
		if reason != "" {
			file, line := w.Where(i)
			report.add(reason, w.Count(i), file, line, detail)
			continue
		}
		copy(p.add(w.Count(i)), path)
	}
	if len(p.data.Paths) == 0 {
		return nil, report
	}
	return p.data, report
}

// mapper finds the paths of walks.
type mapper struct {
	g      *ddps.LayeredGraph
	w      *Walks
	vertex []map[int32]int // [l] token → vertex
	end    []int           // [l] END, −1 for none
	first  int             // layer of the first place
	known  []bool          // [token] some vertex is called so
	buffer ddps.Path
}

func newMapper(g *ddps.LayeredGraph, w *Walks) *mapper {
	m := &mapper{g: g, w: w, known: make([]bool, len(w.Tokens)), buffer: make(ddps.Path, g.NumLayers())}
	number := make(map[string]int32, len(w.Tokens))
	for t, name := range w.Tokens {
		number[name] = int32(t)
	}
	pads, on := g.Pads(), g.Reachable()
	for l := range g.NumLayers() {
		at, end := map[int32]int{}, -1
		lo, hi := g.Layer(l)
		for v := lo; v < hi; v++ {
			switch t, ok := number[g.Name(v)]; {
			case !on[v]:
			case pads != nil && pads[v] && v > 0:
				end = v
			case ok && (pads == nil || !pads[v]):
				at[t], m.known[t] = v, true
			}
		}
		m.vertex, m.end = append(m.vertex, at), append(m.end, end)
	}
	if pads != nil && pads[0] {
		m.first = 1
	}
	return m
}

// path returns the path of a walk, which is m's own until the next call, or why there is none.
func (m *mapper) path(list []int32) (ddps.Path, Reason, func() string) {
	L := m.g.NumLayers()
	p := m.buffer[:m.first] // a source is vertex 0
	for k, t := range list {
		name, l := m.w.Tokens[t], m.first+k
		switch {
		case !m.known[t]:
			return nil, Unknown, func() string { return fmt.Sprintf("%q, at place %d", name, k+1) }
		case l >= L:
			return nil, NotSoLong, func() string {
				return fmt.Sprintf("%d places, the longest path has %d", len(list), L-m.first)
			}
		}
		v, ok := m.vertex[l][t]
		if ok && l > 0 {
			_, ok = m.g.EdgeBetween(p[l-1], v)
		}
		switch {
		case !ok && k == 0:
			return nil, NoStart, func() string { return fmt.Sprintf("%q", name) }
		case !ok:
			return nil, NoMove, func() string {
				return fmt.Sprintf("from %q to %q, at place %d", m.w.Tokens[list[k-1]], name, k)
			}
		}
		p = append(p, v)
	}
	for n, l := len(list), len(p); l < L; l++ {
		if m.end[L-1] < 0 {
			return nil, NotLong, func() string { return fmt.Sprintf("%d places, the paths have %d", n, L-m.first) }
		}
		v := m.end[l]
		if _, ok := m.g.EdgeBetween(p[l-1], max(v, 0)); v < 0 || !ok {
			return nil, NoEnd, func() string { return fmt.Sprintf("%q, after %d places", m.w.Tokens[list[n-1]], n) }
		}
		p = append(p, v)
	}
	return p, "", nil
}
