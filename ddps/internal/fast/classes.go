package fast

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// classBlock is vec.Classes live classes, the last of them more than once where there are fewer.
type classBlock struct {
	p       []float64  // [edge, class]
	m, tops []vec.Lane // [state, class], [L, class]
}

// newClassBlock makes messages of states of g.
func newClassBlock(g *ddps.LayeredGraph) classBlock {
	return classBlock{m: make([]vec.Lane, g.NumVertices()*vec.Classes), tops: make([]vec.Lane,
		g.NumLayers()*vec.Classes)}
}

// weigh sets m and tops of block i, or of to, to those of the factors, and totals to the logarithms of the classes'.
func (l *Mixture) weigh(i int, factors []vec.Lane, to *classBlock, totals []vec.Lane) (bad uint8) {
	bad = vec.Weigh(l.graph, l.blocks[i].p, factors, to.m, to.tops)
	lo := i * vec.Classes
	l.logTops(to.tops, totals[lo:min(lo+vec.Classes, len(totals))])
	return bad
}

// logTops sets to to the logarithms of what the classes' messages were divided by, as Paths takes them.
func (l *Mixture) logTops(tops, to []vec.Lane) {
	logs := l.top[:len(tops)*vec.Width-vec.Classes*vec.Width]
	for j := range len(tops) - vec.Classes {
		copy(logs[j*vec.Width:], tops[j][:])
	}
	vec.Logs(logs)
	for c := range to {
		to[c] = vec.Lane{}
		for j := len(tops) - 2*vec.Classes + c; j >= 0; j -= vec.Classes {
			for i, x := range logs[j*vec.Width:][:vec.Width] {
				to[c][i] += x
			}
		}
	}
}
