package d3pm

import "github.com/ddps-go/ddps/ddps/chain"

// jointRows is Joint for s > 0 and the draw of the rows that follows it, in one pass over the vertices: the law of a row
// off the path depends on its own x_t alone and need not be written down. Random numbers are used as there, for the
// same rows.
func (st *Step) jointRows(x []int32) {
	st.joint = true
	st.draw()
	st.pathRows()
	l := 0
	for _, v := range st.rows {
		for l < len(st.path) && st.path[l] < int(v) {
			l++
		}
		lo, hi := st.Graph.Edges(int(v))
		u := st.Rand.Float64()
		if l < len(st.path) && st.path[l] == int(v) {
			x[v] = int32(chain.Pick(st.Law[lo:hi], u))
			continue
		}
		other := st.a.move[hi-lo]
		x[v] = pickKept(int32(hi-lo), x[v], other+st.a.keep, other, u)
	}
}

// pathRows sets the laws of the rows on the path, q(x_s | x_t, x̃_0).
func (st *Step) pathRows() {
	for l := 1; l < len(st.path); l++ {
		v := st.path[l-1]
		lo, hi := st.Graph.Edges(v)
		if hi-lo < 2 {
			continue
		}
		x0, _ := st.Graph.EdgeBetween(v, st.path[l])
		q := st.at.of(int(st.Xt[v]) == x0-lo, hi-lo)
		for e := lo; e < hi; e++ {
			st.Law[e] = st.like(v, lo, e, hi-lo) * (st.as.of(e == x0, hi-lo) / q)
		}
	}
}

// pickKept is chain.Pick of the law over D choices that gives x the probability keep and all others other.
func pickKept(D, x int32, keep, other, u float64) int32 {
	last := int32(0)
	for i := range D {
		q := other
		if i == x {
			q = keep
		}
		if q <= 0 {
			continue
		}
		if u -= q; u < 0 {
			return i
		}
		last = i
	}
	return last
}
