package fast

import (
	"math"
	"math/rand/v2"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/internal/vec"
	"github.com/ddps-go/ddps/ddps/mixture"
)

// Mixture is Paths for eight samples at a time: each lane has the bits that Paths gives its sample. It
// holds scratch space: one for each goroutine.
type Mixture struct {
	*mixture.Weighted
	graph   *vec.Graph         // of states
	base    *vec.Graph         // whose paths are meant
	live    []int              // classes in which some path has weight
	at      []int              // [K] each one's place in live
	b       []vec.Lane         // [E] factors
	blocks  []classBlock       // of live
	groups  *vec.Groups        // for Rows; nil: not needed yet
	order   [][]float64        // [live] P as groups has it
	class   []vec.Lane         // [K] P(class | x_t)
	prior   []vec.Lane         // [E] rows of vertices that no path visits
	reach   []vec.Lane         // [state]
	row     []float64          // [D]
	one     *mixture.Paths     // for samples out of a float64's range
	x       ddps.PALM          // one sample's x_t, class logarithms and factors
	logs, c []float64          // [K], [E]
	top     []float64          // [L, class of a block, lane]
	totals  []vec.Lane         // [live] logarithms of the classes' totals
	mean    []vec.Lane         // [E] factors of LogMean
	means   classBlock         // its messages
	LogZ    [vec.Width]float64 // Weigh's result of each sample
}

// NewMixture makes a Mixture; base is the graph whose paths are meant, rows its rows (by edge) of vertices that no path
// visits.
func NewMixture(s *mixture.Weighted, base *vec.Graph, rows []float64) *Mixture {
	g := s.Product.Graph
	l := &Mixture{Weighted: s, graph: vec.NewGraph(g, nil, s.Product.Edge), base: base, one: s.Paths(),
		b: make([]vec.Lane, len(rows)), class: make([]vec.Lane, len(s.Weight)), prior: make([]vec.Lane, len(rows)),
		reach: make([]vec.Lane, g.NumVertices()), row: make([]float64, max(g.MaxDegree(), len(s.Weight))),
		x: make(ddps.PALM, base.NumVertices()), logs: make([]float64, len(s.Weight)), c: make([]float64, len(rows))}
	for e, p := range rows {
		l.prior[e] = vec.Spread(p)
	}
	l.top = make([]float64, g.NumLayers()*vec.Classes*vec.Width)
	l.at = make([]int, len(s.Weight))
	l.one.Weigh(nil, 0, nil)
	for k, p := range l.one.Class {
		l.at[k] = -1
		if p > 0 {
			l.at[k], l.live = len(l.live), append(l.live, k)
		}
	}
	l.totals = make([]vec.Lane, len(l.live))
	for lo := 0; lo < len(l.live); lo += vec.Classes {
		b := newClassBlock(g)
		b.p = make([]float64, g.NumEdges()*vec.Classes)
		for c := range vec.Classes {
			for e, p := range l.P[l.live[min(lo+c, len(l.live)-1)]] {
				b.p[e*vec.Classes+c] = p
			}
		}
		l.blocks = append(l.blocks, b)
	}
	return l
}

// Weigh does what Paths.Weigh does for the first n samples: x, by vertex, is x_t, ratio is of its time, and c, by
// edge, are factors (nil: all 1).
func (l *Mixture) Weigh(x []vec.Choice, ratio float64, c []vec.Lane, n int) {
	if c != nil {
		copy(l.b, c)
	} else {
		one := vec.Spread(1)
		for e := range l.b {
			l.b[e] = one
		}
	}
	for v := range x {
		if lo, hi := l.base.First[v], l.base.First[v+1]; hi > lo {
			by := 1 + ratio*float64(hi-lo)
			for k, choice := range x[v] {
				l.b[int64(lo)+choice][k] *= by
			}
		}
	}
	bad := uint8(0)
	for i := range l.blocks {
		bad |= l.weigh(i, l.b, &l.blocks[i], l.totals)
	}
	for i := range n {
		if bad>>i&1 != 0 {
			l.single(x, ratio, c, i)
			continue
		}
		for k := range l.logs {
			l.logs[k] = math.Inf(-1)
		}
		for j, k := range l.live {
			l.logs[k] = l.totals[j][i]
		}
		l.LogZ[i] = l.Shift + mixture.Classes(l.Weight, l.logs)
		for k, p := range l.logs {
			l.class[k][i] = p
		}
	}
}

// single does for sample i what Paths does.
func (l *Mixture) single(x []vec.Choice, ratio float64, c []vec.Lane, i int) {
	for v := range x {
		l.x[v] = int32(x[v][i])
	}
	var factors []float64
	if c != nil {
		factors = l.c
		for e := range c {
			factors[e] = c[e][i]
		}
	}
	l.LogZ[i] = l.one.Weigh(l.x, ratio, factors)
	for k, p := range l.one.Class {
		l.class[k][i] = p
	}
	for j, k := range l.live {
		b, c := &l.blocks[j/vec.Classes], j%vec.Classes
		for s, y := range l.one.M[k] {
			b.m[s*vec.Classes+c][i] = y
		}
		for j, y := range l.one.Tops[k] {
			b.tops[j*vec.Classes+c][i] = y
		}
		l.totals[j][i] = l.one.Total(k)
	}
}

// Rows sets pi, by edge of the graph, to the rows of the paths: as Denoiser.Posterior does where there is no
// condition and no factor.
func (l *Mixture) Rows(pi []vec.Lane) {
	if l.groups == nil {
		l.groups = vec.NewGroups(l.graph, l.base)
		for _, k := range l.live {
			l.order = append(l.order, l.groups.Order(l.P[k]))
		}
	}
	clear(pi)
	for j, k := range l.live {
		b := &l.blocks[j/vec.Classes]
		vec.Occupy(l.groups, l.order[j], l.b, b.m, b.tops, j%vec.Classes, l.reach, pi, l.class[k])
	}
	vec.Normalise(l.base, pi, l.prior)
}

// Draw draws a path of sample i, whose LogZ is not −Inf, and calls visit with each of its vertices but the last and
// the edge it takes there.
func (l *Mixture) Draw(rng *rand.Rand, i int, visit func(v, e int32)) {
	k := 0
	if len(l.class) > 1 {
		row := l.row[:len(l.class)]
		for c := range row {
			row[c] = l.class[c][i]
		}
		k = chain.Pick(row, rng.Float64())
	}
	p, m, c := l.P[k], l.blocks[l.at[k]/vec.Classes].m, l.at[k]%vec.Classes
	for s := int32(0); int(s) < len(l.graph.First)-1; {
		lo, hi := l.graph.First[s], l.graph.First[s+1]
		if lo == hi {
			return
		}
		at := lo
		if hi-lo > 1 {
			row := l.row[:hi-lo]
			for j := range row {
				q := lo + int32(j)
				row[j] = float64(p[q]*l.b[l.graph.Edge[q]][i]) * m[int(l.graph.Head[q])*vec.Classes+c][i]
			}
			at += int32(mixture.PickWeight(row, rng))
		}
		e := l.graph.Edge[at]
		visit(int32(l.Graph().Tail(int(e))), e)
		s = l.graph.Head[at]
	}
}

// LogMean is Paths.LogMean of the first n samples.
func (l *Mixture) LogMean(r []vec.Lane, n int) (log vec.Lane) {
	if l.mean == nil {
		l.mean = make([]vec.Lane, len(l.b))
		l.means = newClassBlock(l.Product.Graph)
	}
	for e := range r {
		for i := range r[e] {
			l.mean[e][i] = l.b[e][i] * r[e][i]
		}
	}
	bad, means := uint8(0), make([]vec.Lane, len(l.live))
	for i := range l.blocks {
		bad |= l.weigh(i, l.mean, &l.means, means)
	}
	class := make([]float64, len(l.class))
	for i := range n {
		if bad>>i&1 != 0 {
			log[i] = l.meanOf(r, i)
			continue
		}
		for k := range class {
			class[k], l.logs[k] = l.class[k][i], math.Inf(-1)
		}
		for j, k := range l.live {
			if l.logs[k] = means[j][i]; class[k] > 0 {
				l.logs[k] -= l.totals[j][i]
			}
		}
		log[i] = mixture.Classes(class, l.logs)
	}
	return log
}

// meanOf is LogMean of sample i alone.
func (l *Mixture) meanOf(r []vec.Lane, i int) float64 {
	for e := range l.c {
		l.one.B[e] = l.b[e][i]
	}
	for k := range l.one.Class {
		l.one.Class[k] = l.class[k][i]
	}
	for j, k := range l.live {
		tops := l.blocks[j/vec.Classes].tops[j%vec.Classes:]
		for j := range l.one.Tops[k] {
			l.one.Tops[k][j] = tops[j*vec.Classes][i]
		}
	}
	for e := range l.c {
		l.c[e] = r[e][i]
	}
	return l.one.LogMean(l.c)
}
