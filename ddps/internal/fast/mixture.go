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
	b       []vec.Lane         // [E] factors
	m, tops [][]vec.Lane       // [K] [state], [L]
	class   []vec.Lane         // [K] P(class | x_t)
	prior   []vec.Lane         // [E] rows of vertices that no path visits
	reach   []vec.Lane         // [state]
	row     []float64          // [D]
	one     *mixture.Paths     // for samples out of a float64's range
	x       ddps.PALM          // one sample's x_t, class logarithms and factors
	logs, c []float64          // [K], [E]
	top     []float64          // [L, lane]
	totals  []vec.Lane         // [K] logarithms of the classes' totals
	mean    [2][]vec.Lane      // b, and messages, of LogMean
	meanTop [][]vec.Lane       // [K] [L]
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
	l.top, l.totals = make([]float64, g.NumLayers()*vec.Width), make([]vec.Lane, len(s.Weight))
	l.one.Weigh(nil, 0, nil)
	for k, p := range l.one.Class {
		l.m, l.tops = append(l.m, nil), append(l.tops, nil)
		if p > 0 {
			l.live = append(l.live, k)
			l.m[k], l.tops[k] = make([]vec.Lane, g.NumVertices()), make([]vec.Lane, g.NumLayers())
		}
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
	for i := 0; i+1 < len(l.live); i += 2 {
		j, k := l.live[i], l.live[i+1]
		bad |= vec.WeighTwo(l.graph, l.P[j], l.P[k], l.b, l.m[j], l.m[k], l.tops[j], l.tops[k])
	}
	if n := len(l.live); n%2 == 1 {
		k := l.live[n-1]
		bad |= vec.Weigh(l.graph, l.P[k], l.b, l.m[k], l.tops[k])
	}
	for _, k := range l.live {
		l.totals[k] = l.logTops(l.tops[k])
	}
	for i := range n {
		if bad>>i&1 != 0 {
			l.single(x, ratio, c, i)
			continue
		}
		for k := range l.logs {
			l.logs[k] = math.Inf(-1)
		}
		for _, k := range l.live {
			l.logs[k] = l.totals[k][i]
		}
		l.LogZ[i] = l.Shift + mixture.Classes(l.Weight, l.logs)
		for k, p := range l.logs {
			l.class[k][i] = p
		}
	}
}

// logTops returns the logarithms of what messages were divided by, as Paths takes them.
func (l *Mixture) logTops(tops []vec.Lane) (log vec.Lane) {
	last := len(tops) - 1
	for j, top := range tops[:last] {
		copy(l.top[j*vec.Width:], top[:])
	}
	vec.Logs(l.top[:last*vec.Width])
	for j := last - 1; j >= 0; j-- {
		for i, x := range l.top[j*vec.Width:][:vec.Width] {
			log[i] += x
		}
	}
	return log
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
	for _, k := range l.live {
		for s, y := range l.one.M[k] {
			l.m[k][s][i] = y
		}
		for j, y := range l.one.Tops[k] {
			l.tops[k][j][i] = y
		}
		l.totals[k][i] = l.one.Total(k)
	}
}

// Rows sets pi, by edge of the graph, to the rows of the paths: as Denoiser.Posterior does where there is no
// condition and no factor.
func (l *Mixture) Rows(pi []vec.Lane) {
	clear(pi)
	for _, k := range l.live {
		vec.Occupy(l.graph, l.P[k], l.b, l.m[k], l.tops[k], l.reach, pi, l.class[k])
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
	p, m := l.P[k], l.m[k]
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
				row[j] = float64(p[q]*l.b[l.graph.Edge[q]][i]) * m[l.graph.Head[q]][i]
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
	if l.mean[0] == nil {
		l.mean[0], l.mean[1] = make([]vec.Lane, len(l.b)), make([]vec.Lane, len(l.reach))
		for _, tops := range l.tops {
			l.meanTop = append(l.meanTop, make([]vec.Lane, len(tops)))
		}
	}
	for e := range r {
		for i := range r[e] {
			l.mean[0][e][i] = l.b[e][i] * r[e][i]
		}
	}
	bad, means := uint8(0), make([]vec.Lane, len(l.class))
	for _, k := range l.live {
		bad |= vec.Weigh(l.graph, l.P[k], l.mean[0], l.mean[1], l.meanTop[k])
		means[k] = l.logTops(l.meanTop[k])
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
		for _, k := range l.live {
			if l.logs[k] = means[k][i]; class[k] > 0 {
				l.logs[k] -= l.totals[k][i]
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
		for j := range l.tops[k] {
			l.one.Tops[k][j] = l.tops[k][j][i]
		}
	}
	for e := range l.c {
		l.c[e] = r[e][i]
	}
	return l.one.LogMean(l.c)
}
