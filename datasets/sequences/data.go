package sequences

import (
	"encoding/binary"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// data returns the paths of a set's walks that are kept, nil if there are none.
func (m *maker) data(s int) *datasets.Data {
	w, p := m.sets[s], newPaths(m.result.Graph)
	for i := range w.Len() {
		if !m.keep[s][i] {
			continue
		}
		list := m.walk(s, i)
		if k, known := p.find(list); known {
			p.data.Counts[k] += w.Count(i)
			continue
		}
		path := p.add(w.Count(i))
		for l := 1; l < len(path); l++ {
			a := int32(len(m.names)) // END
			if l <= len(list) {
				a = m.rank[s][list[l-1]]
			}
			path[l] = int(m.vertex[l][a])
		}
	}
	if len(p.data.Paths) == 0 {
		return nil
	}
	return p.data
}

// paths gathers distinct paths with counts.
type paths struct {
	data *datasets.Data
	at   map[string]int // the tokens of a walk → the number of its path
	key  []byte
	slab []int // not yet used
	L    int
}

func newPaths(g *ddps.LayeredGraph) *paths {
	return &paths{data: &datasets.Data{Graph: g}, at: map[string]int{}, L: g.NumLayers()}
}

// find returns the number of the path of a walk, whose key add then takes.
func (p *paths) find(walk []int32) (k int, known bool) {
	p.key = p.key[:0]
	for _, t := range walk {
		p.key = binary.AppendUvarint(p.key, uint64(t))
	}
	k, known = p.at[string(p.key)]
	return k, known
}

// add appends the path of the walk that was looked for last; it is to be filled, with vertex 0 everywhere.
func (p *paths) add(count int) ddps.Path {
	p.at[string(p.key)] = len(p.data.Paths)
	if len(p.slab) < p.L {
		const rows = 1024
		p.slab = make([]int, rows*p.L)
	}
	path := ddps.Path(p.slab[:p.L:p.L])
	p.slab = p.slab[p.L:]
	p.data.Paths, p.data.Counts = append(p.data.Paths, path), append(p.data.Counts, count)
	return path
}
