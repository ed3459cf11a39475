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
	g       *ddps.LayeredGraph
	w       *Walks
	vertex  []map[int32]int // [l] token → vertex
	end     []int           // [l] END, −1 for none
	first   int             // layer of the first place
	known   []bool          // [token] some vertex is called so
	heading ddps.Headings
	buffer  ddps.Path
}

func newMapper(g *ddps.LayeredGraph, w *Walks) *mapper {
	m := &mapper{g: g, w: w, known: make([]bool, len(w.Tokens)), heading: g.Headings(),
		buffer: make(ddps.Path, g.NumLayers())}
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
	for _, name := range m.heading {
		if t, ok := number[name]; ok {
			m.known[t] = true
		}
	}
	m.first = g.FirstPlace()
	return m
}

// path returns the path of a walk, which is m's own until the next call, or why there is none. What is on the way
// between two places need not be in the walk; one that ends on the way has the place that it leads to last.
func (m *mapper) path(list []int32) (ddps.Path, Reason, func() string) {
	L := m.g.NumLayers()
	p := m.buffer[:m.first] // a source is vertex 0
	for k, t := range list {
		name, l := m.w.Tokens[t], len(p)
		switch {
		case !m.known[t]:
			return nil, Unknown, func() string { return fmt.Sprintf("%q, at place %d", name, k+1) }
		case l >= L:
			return nil, NotSoLong, func() string { return m.tooLong(len(list), k) }
		}
		v, ok := m.vertex[l][t]
		if ok && l > 0 {
			_, ok = m.g.EdgeBetween(p[l-1], v)
		}
		if ok {
			p = append(p, v)
			continue
		}
		if k == 0 {
			return nil, NoStart, func() string { return fmt.Sprintf("%q", name) }
		}
		if p, ok = m.heading.Along(m.g, p, name); !ok {
			return nil, NoMove, func() string {
				return fmt.Sprintf("from %q to %q, at place %d", m.w.Tokens[list[k-1]], name, k)
			}
		}
	}
	return m.ended(p, list)
}

// tooLong says how a walk of n places, of which k fit, is too long.
func (m *mapper) tooLong(n, k int) string {
	if m.heading != nil {
		return fmt.Sprintf("%d places, the layers end after %d of them", n, k)
	}
	return fmt.Sprintf("%d places, the longest path has %d", n, m.g.NumLayers()-m.first)
}

// ended fills a path up with END.
func (m *mapper) ended(p ddps.Path, list []int32) (ddps.Path, Reason, func() string) {
	L, n := m.g.NumLayers(), len(list)
	for l := len(p); l < L; l++ {
		if m.end[L-1] < 0 {
			return nil, NotLong, func() string { return m.tooShort(n, l) }
		}
		v := m.end[l]
		if _, ok := m.g.EdgeBetween(p[l-1], max(v, 0)); v < 0 || !ok {
			return nil, NoEnd, func() string { return fmt.Sprintf("%q, after %d places", m.w.Tokens[list[n-1]], n) }
		}
		p = append(p, v)
	}
	return p, "", nil
}

// tooShort says how a walk of n places, which end before layer l, is too short.
func (m *mapper) tooShort(n, l int) string {
	if m.heading != nil {
		return fmt.Sprintf("%d places in %d layers, the paths have %d", n, l-m.first, m.g.NumLayers()-m.first)
	}
	return fmt.Sprintf("%d places, the paths have %d", n, m.g.NumLayers()-m.first)
}
