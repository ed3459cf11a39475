package d3pm

import (
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/octet"
)

// laneCondition is the run's condition for groups.
type laneCondition struct {
	w    []float64    // weights by edge of the graph, or of the lift; nil: only Tilt tells of them
	lift *octet.Lift  // nil: no memory
	p    []octet.Lane // [E of the lift] the chain given the condition
	m    []octet.Lane // [V], or [states]: messages
	rows bool         // the lift's rows are asked for
	x    ddps.PALM
	pi   []float64 // [E]
	one  *worker   // for one sample
}

func newLaneCondition(r *run) *laneCondition {
	l, w := lift(r.Condition)
	c := &laneCondition{w: w, rows: r.Kernel != nil || r.Signal != nil, one: r.newWorker(1, true),
		x: make(ddps.PALM, r.Graph.NumVertices()), pi: make([]float64, r.Graph.NumEdges())}
	states := r.Graph.NumVertices()
	if l != nil {
		if c.lift = octet.NewLift(l.Graph, l.Edge); w == nil {
			c.w = slices.Repeat([]float64{1}, len(l.Edge))
		}
		c.p, states = make([]octet.Lane, len(l.Edge)), l.Graph.NumVertices()
	}
	c.m = make([]octet.Lane, states)
	return c
}

// lifted tells whether the condition has a memory.
func (c *laneCondition) lifted() bool { return c != nil && c.lift != nil }

// tilt sets the first n lanes of π, or of the lift's chain, to those given the condition; where the condition has a memory,
// and nothing asks for rows, π means nothing.
func (w *laneWorker) tilt(n int) {
	c := w.given
	if c == nil {
		return
	}
	bad := ^uint8(0)
	switch {
	case c.lift != nil:
		if bad = octet.Climb(c.lift, w.free, c.p, c.m, c.w); c.rows {
			bad |= octet.Descend(w.graph, c.lift, c.p, w.free, w.pi, c.m)
		}
	case c.w != nil:
		bad = octet.Tilt(w.graph, w.free, w.pi, c.m, c.w)
	}
	for k := range n {
		if bad>>k&1 == 0 {
			continue
		}
		lane(c.pi, w.free, k)
		c.one.tilt(c.pi, nil)
		if setLane(w.pi, c.one.step.Pi, k); c.lift != nil {
			setLane(c.p, c.one.step.lifter.P, k)
		}
	}
}

// last draws x_0 of a group where the condition has a memory, as the worker does; grad is the guide's, nil for none.
func (w *laneWorker) last(g *laneGroup, grad []octet.Lane) {
	c := w.given
	one := c.one
	st := &one.step
	st.Log, st.Pi = w.logs, c.pi
	for k, rng := range g.rngs {
		lane(st.lifter.P, c.p, k)
		lane(c.pi, w.pi, k)
		lane(st.Law, w.law, k)
		if one.guided = nil; grad != nil {
			one.guided = one.signal
			lane(one.signal, grad, k)
		}
		for v := range c.x {
			c.x[v] = int32(g.x[v][k])
		}
		st.Rand = rng
		one.last(c.x)
		for v, x := range c.x {
			g.x[v][k] = int64(x)
		}
	}
}

// lane sets x to lane k of y.
func lane(x []float64, y []octet.Lane, k int) {
	for i := range x {
		x[i] = y[i][k]
	}
}

// setLane sets lane k of y to x.
func setLane(y []octet.Lane, x []float64, k int) {
	for i, q := range x {
		y[i][k] = q
	}
}
