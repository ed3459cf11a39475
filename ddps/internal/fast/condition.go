package fast

import (
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/internal/real"
	"github.com/ddps-go/ddps/ddps/internal/vec"
)

// laneCondition conditions the distributions of groups.
type laneCondition struct {
	condition d3pm.Condition
	graph     *vec.Graph
	w         []float64    // by edge of the graph, or of the product graph; nil: Tilt does everything
	shift     float64      // log of a factor that w leaves out
	lift      *vec.Graph   // the product graph; nil: no memory
	p         []vec.Lane   // [E of the product graph] the chain given the condition
	m         []vec.Lane   // [V], or [states]: messages
	tops      []vec.Lane   // [L] what they were divided by
	rows      bool         // rows are needed where the condition has a memory
	logs      bool         // logm is needed
	logm      vec.Lane     // log of the condition's probability under π
	one       *d3pm.Scalar // does for a sample what lanes cannot; nil: only logm is needed
	x         ddps.PALM
	pi, out   []float64 // [E]
}

// newLaneCondition makes scratch for c, the condition of the run of which one is a worker, or, where that is nil, one
// by which nothing is drawn.
func newLaneCondition(r *d3pm.Run, graph *vec.Graph, c d3pm.Condition, one *d3pm.Scalar) *laneCondition {
	V, E := r.Graph.NumVertices(), r.Graph.NumEdges()
	l, _ := d3pm.ProductOf(c)
	n := &laneCondition{condition: c, graph: graph, one: one, rows: one != nil && !r.Lean(),
		tops: make([]vec.Lane, r.Graph.NumLayers()), x: make(ddps.PALM, V), pi: make([]float64, E), out: make([]float64, E)}
	n.w, n.shift = d3pm.WeightsOf(c, l)
	states := V
	if l != nil {
		n.lift, states = vec.NewGraph(l.Graph, nil, l.Edge), l.Graph.NumVertices()
		n.p = make([]vec.Lane, len(l.Edge))
	}
	n.m = make([]vec.Lane, states)
	return n
}

// lifted reports whether the condition has a memory.
func (c *laneCondition) lifted() bool { return c != nil && c.lift != nil }

// tilt sets the first n lanes of out, or of the product graph's chain, to those of pi given the condition, and logm.
func (c *laneCondition) tilt(pi, out []vec.Lane, n int) {
	bad := ^uint8(0)
	switch {
	case c.w == nil:
	case c.lift != nil:
		if bad = vec.KeepProduct(c.lift, pi, c.p, c.m, c.tops, c.w); c.rows {
			bad |= vec.Project(c.graph, c.lift, c.p, pi, out, c.m)
		}
	default:
		bad = vec.Keep(c.graph, pi, out, c.m, c.tops, c.w)
	}
	for k := range n {
		if bad>>k&1 != 0 {
			c.single(pi, out, k)
		} else if logm := logScale(c.tops, k); logm < chain.Faint { // as Tilt
			c.single(pi, out, k)
		} else if c.logs {
			c.logm[k] = c.shift + logm
		}
	}
}

// single is tilt for lane k alone.
func (c *laneCondition) single(pi, out []vec.Lane, k int) {
	lane(c.pi, pi, k)
	if c.logs {
		c.logm[k] = c.condition.Tilt(c.pi, c.out)
	}
	if c.one == nil {
		return
	}
	c.one.Tilt(c.pi, nil)
	if c.lift == nil || c.rows {
		setLane(out, c.one.Step.Pi, k)
	}
	if c.lift != nil {
		setLane(c.p, c.one.Step.Product.P, k)
	}
}

// logScale returns the logarithm of lane k of what messages were divided by, as chain's Tilter takes it.
func logScale(tops []vec.Lane, k int) (sum float64) {
	for l := len(tops) - 2; l >= 0; l-- {
		sum += real.Log(tops[l][k])
	}
	return sum
}

// last draws x_0 of a group where the condition has a memory, as the worker does, and sets logLast.
func (w *worker) last(g *laneGroup) {
	c := w.given
	one := c.one
	st := &one.Step
	st.Log, st.Pi = w.logs, c.pi
	for k, rng := range g.rngs {
		if rng == nil {
			continue
		}
		lane(st.Product.P, c.p, k)
		lane(c.pi, w.pi, k)
		lane(st.Dist, w.dist, k)
		w.guideLane(k)
		palmLane(c.x, g.x, k)
		st.Rand = rng
		w.logLast[k] = one.DrawLast(c.x)
		for v, x := range c.x {
			g.x[v][k] = int64(x)
		}
	}
}

// guideLane sets the scalar worker's gradient to lane k of the group's.
func (w *worker) guideLane(k int) {
	if w.one.Guided = nil; w.grad != nil {
		w.one.Guided = w.one.Grad
		lane(w.one.Guided, w.grad, k)
	}
}

// palmLane sets x to lane k of y.
func palmLane(x ddps.PALM, y []vec.Choice, k int) {
	for v := range x {
		x[v] = int32(y[v][k])
	}
}

// lane sets x to lane k of y.
func lane(x []float64, y []vec.Lane, k int) {
	for i := range x {
		x[i] = y[i][k]
	}
}

// setLane sets lane k of y to x.
func setLane(y []vec.Lane, x []float64, k int) {
	for i, q := range x {
		y[i][k] = q
	}
}
