package octet

import "github.com/ddps-go/ddps/ddps"

// Identity returns g as a Lift of itself.
func Identity(g *Graph) *Lift {
	l := &Lift{Graph: g, Edge: make([]int32, len(g.Head))}
	for e := range l.Edge {
		l.Edge[e] = int32(e)
	}
	return l
}

// Lift is a graph of states over a base graph, as the sweeps walk it.
type Lift struct {
	*Graph
	Edge []int32 // by edge: the base's edge under it
}

// NewLift makes the Lift of states g; edge is by edge of g, the base's under it.
func NewLift(g *ddps.LayeredGraph, edge []int) *Lift {
	l := &Lift{Graph: NewGraph(g, nil), Edge: make([]int32, len(edge))}
	for k, e := range edge {
		l.Edge[k] = int32(e)
	}
	return l
}

// tiltPlain is Tilt.
func tiltPlain(g *Graph, pi, out, m, tops []Lane, w []float64) (bad uint8) {
	return g.backPlain(m, tops, func(v, a, b int32) {
		tiltRow(pi[a:b], out[a:b], &m[v], m, w[a:b], g.Head[a:b])
	}, false)
}

// tiltRow sets one tilted row and its message.
func tiltRow(pi, out []Lane, to *Lane, m []Lane, w []float64, heads []int32) {
	var sum Lane
	for i, h := range heads {
		row, from, next := &out[i], &pi[i], &m[h]
		for k := range row {
			row[k] = float64(from[k] * next[k] * w[i])
			sum[k] += row[k]
		}
	}
	*to = sum
	for k, s := range sum {
		for i := range out {
			if out[i][k] /= s; s == 0 {
				out[i][k] = pi[i][k]
			}
		}
	}
}

// climbPlain is Climb.
func climbPlain(l *Lift, pi, p, m, tops []Lane, w []float64) (bad uint8) {
	return l.backPlain(m, tops, func(s, a, b int32) {
		climbRow(pi, p[a:b], &m[s], m, w[a:b], l.Edge[a:b], l.Head[a:b])
	}, true)
}

// climbRow sets one tilted row of a lift and its message.
func climbRow(pi, p []Lane, to *Lane, m []Lane, w []float64, below, heads []int32) {
	var sum Lane
	for i, h := range heads {
		row, from, next := &p[i], &pi[below[i]], &m[h]
		for k := range row {
			row[k] = float64(from[k] * next[k] * w[i])
			sum[k] += row[k]
		}
	}
	*to = sum
	for k, s := range sum {
		if s < normal {
			to[k] = 0
			for i := range p {
				p[i][k] = 0
			}
			continue
		}
		inv := 1 / s
		for i := range p {
			p[i][k] *= inv
		}
	}
}

// backPlain goes through the layers from the last but one to the first; row sets a vertex's message, given its edges. Messages
// of a layer are then scaled by the greatest, through its inverse or not, and tops told of it. Bit k of bad tells that lane
// k left the range.
func (g *Graph) backPlain(m, tops []Lane, row func(v, a, b int32), inverse bool) (bad uint8) {
	for l := g.ends(m) - 1; l >= 0; l-- {
		lo, hi := g.Layer[l], g.Layer[l+1]
		var top Lane
		for v := lo; v < hi; v++ {
			row(v, g.First[v], g.First[v+1])
			for k, q := range m[v] {
				top[k] = max(top[k], q)
			}
		}
		tops[l] = top
		for k, t := range top {
			if !(t >= least && t <= most) {
				bad |= 1 << k
			}
			inv := 1 / t
			for v := lo; v < hi; v++ {
				if inverse {
					m[v][k] *= inv
				} else {
					m[v][k] /= t
				}
			}
		}
	}
	return bad
}

// descendPlain is Descend.
func descendPlain(g *Graph, l *Lift, p, pi, out, reach []Lane) (bad uint8) {
	clear(reach)
	clear(out)
	reach[0] = Spread(1)
	last := l.Layer[len(l.Layer)-2]
	for s := range last {
		from := &reach[s]
		for i := l.First[s]; i < l.First[s+1]; i++ {
			to, under, row := &reach[l.Head[i]], &out[l.Edge[i]], &p[i]
			for k, r := range from {
				x := float64(r * row[k])
				if x < least && row[k] > 0 && r > 0 {
					bad |= 1 << k
				}
				to[k] += x
				under[k] += x
			}
		}
	}
	for v := range len(g.First) - 1 {
		a, b := g.First[v], g.First[v+1]
		var sum Lane
		for e := a; e < b; e++ {
			for k, x := range out[e] {
				sum[k] += x
			}
		}
		for e := a; e < b; e++ {
			for k, s := range sum {
				if out[e][k] /= s; s == 0 {
					out[e][k] = pi[e][k]
				}
			}
		}
	}
	return bad
}

// meanPlain is Mean.
func meanPlain(l *Lift, p, m, tops, w []Lane) (bad uint8) {
	return l.backPlain(m, tops, func(s, a, b int32) {
		var sum Lane
		for i := a; i < b; i++ {
			row, next, by := &p[i], &m[l.Head[i]], &w[l.Edge[i]]
			for k := range sum {
				sum[k] += float64(row[k] * next[k] * by[k])
			}
		}
		m[s] = sum
	}, false)
}

// ratiosPlain is Ratios.
func ratiosPlain(g *Graph, s *Step, xs, xt []Choice, w []Lane) {
	for v := range len(g.First) - 1 {
		a, b := g.First[v], g.First[v+1]
		for e := a; e < b; e++ {
			for k := range Width {
				i := int64(e - a)
				path := &s.Path[0]
				if xt[v][k] == i {
					path = &s.Path[1]
				}
				w[e][k] = path.of(xs[v][k] == i, b-a)
			}
		}
	}
}
