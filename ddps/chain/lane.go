package chain

import "github.com/ddps-go/ddps/ddps"

// lane holds the numbers of four classes.
type lane [4]float64

// lanes are what the messages of a mixture go along: the lift's graph, and n pieces of four classes a state or an edge.
type lanes struct {
	g    *ddps.LayeredGraph
	into []int32 // by state: the edge of the base by which a path comes to it, which is one alone; −1 for state 0
	n    int
	p    []lane    // [edge, n] probabilities
	at   []int32   // by edge: the one of p; nil: the same
	w    []float64 // by edge: weights; nil: all 1
}

// backPlain sets m of the states lo…hi−1, all of one layer, to f_into ⊙ Σ_k w_k·p_k ⊙ m_head over their edges k, and
// returns its greatest piece. f is by edge of the base. The vector kernel gives the same bits: float64(…)
// keeps a product from being fused into the sum.
func (l *lanes) backPlain(m []lane, f []float64, lo, hi int) (top lane) {
	n := l.n
	for s := lo; s < hi; s++ {
		a, _ := l.g.Edges(s)
		heads := l.g.From(s)
		b := factor(f, l.into[s])
		for c := range n {
			var x lane
			for i, h := range heads {
				y, p := &m[h*n+c], &l.p[l.of(a+i)*n+c]
				if l.w == nil {
					x = lane{x[0] + float64(p[0]*y[0]), x[1] + float64(p[1]*y[1]), x[2] + float64(p[2]*y[2]), x[3] + float64(p[3]*y[3])}
					continue
				}
				w := l.w[a+i]
				x = lane{x[0] + float64(w*p[0]*y[0]), x[1] + float64(w*p[1]*y[1]), x[2] + float64(w*p[2]*y[2]), x[3] + float64(w*p[3]*y[3])}
			}
			x = lane{b * x[0], b * x[1], b * x[2], b * x[3]}
			m[s*n+c] = x
			top = lane{max(top[0], x[0]), max(top[1], x[1]), max(top[2], x[2]), max(top[3], x[3])}
		}
	}
	return top
}

// aheadPlain sets r of the states lo…hi−1 to f_into ⊙ r, what comes to them, and adds that times p_k to r of the heads
// of their edges k. It ignores w.
func (l *lanes) aheadPlain(r []lane, f []float64, lo, hi int) (top lane) {
	n := l.n
	for s := lo; s < hi; s++ {
		a, _ := l.g.Edges(s)
		heads := l.g.From(s)
		b := factor(f, l.into[s])
		for c := range n {
			x := &r[s*n+c]
			*x = lane{b * x[0], b * x[1], b * x[2], b * x[3]}
			for i, h := range heads {
				y, p := &r[h*n+c], &l.p[l.of(a+i)*n+c]
				*y = lane{y[0] + float64(x[0]*p[0]), y[1] + float64(x[1]*p[1]), y[2] + float64(x[2]*p[2]), y[3] + float64(x[3]*p[3])}
				top = lane{max(top[0], y[0]), max(top[1], y[1]), max(top[2], y[2]), max(top[3], y[3])}
			}
		}
	}
	return top
}

// meetPlain sets out to ⟨r, m⟩ of each state lo…hi−1.
func (l *lanes) meetPlain(r, m []lane, out []float64, lo, hi int) {
	n := l.n
	for s := lo; s < hi; s++ {
		var sum lane
		for c := range n {
			x, y := &r[s*n+c], &m[s*n+c]
			sum = lane{sum[0] + float64(x[0]*y[0]), sum[1] + float64(x[1]*y[1]), sum[2] + float64(x[2]*y[2]), sum[3] + float64(x[3]*y[3])}
		}
		out[s] = (sum[0] + sum[2]) + (sum[1] + sum[3])
	}
}

// of returns the place in p of edge k.
func (l *lanes) of(k int) int {
	if l.at == nil {
		return k
	}
	return int(l.at[k])
}

// factor returns f of edge e, 1 for none.
func factor(f []float64, e int32) float64 {
	if e < 0 {
		return 1
	}
	return f[e]
}
