package guide

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Condition conditions a path law exactly, at every step, through the chain pi that the denoiser gives. Each is an
// automaton over the graph's edges; the tilted law is a chain on the product of graph and states. Safe for
// concurrent use.
type Condition interface {
	// Tilt sets out to the row laws of pi given the condition, P(the path takes e | it visits e's tail), and returns
	// log m, m the expectation under pi of the condition's weight: for one that is met or not, its probability. It is
	// −Inf where pi makes the condition impossible; out is then pi where nothing else is left. Both slices are by
	// edge and differ; pi's rows need not sum to 1.
	Tilt(pi, out []float64) (logm float64)
	// Lift returns the product and its weights (nil: all 1), for chain.NewLifter. It is nil where no vertex has two states: the
	// law given the condition is then the chain of the rows that Tilt gives, and has no other memory.
	Lift() (*chain.Lift, []float64)
	// LogWeight returns the logarithm of the weight of a path of the graph, −Inf where the path does not meet the
	// condition.
	LogWeight(p ddps.Path) float64
	// Impossible returns an error that names what part of the condition, or which of them together, pi makes
	// impossible; nil if none.
	Impossible(pi []float64) error
	// String is what the condition is called in messages.
	String() string
}

// part is an automaton with a name.
type part struct {
	name   string
	auto   Automaton
	states int // that occur
}

// condition is the product of its parts: weights by edge of the graph, or of a lift.
type condition struct {
	name  string
	g     *ddps.LayeredGraph
	parts []part
	w     []float64
	lift  *chain.Lift // nil: w is by edge of g
	shift float64     // log of a constant factor that w leaves out
	pool  *sync.Pool  // of *chain.Tilter or *chain.Lifter
}

// New makes the condition that a is on g, called name in messages. It is an error if no path of g meets it, if its
// product with g has more than MaxEdges edges, or if a gives a weight out of range. O(edges of the product).
func New(g *ddps.LayeredGraph, name string, a Automaton) (Condition, error) {
	c, err := compile(g, name, []part{{name: name, auto: a}}, MaxEdges)
	if err != nil {
		return nil, fmt.Errorf("guide: %s: %w", name, err)
	}
	return c, nil
}

// compile makes the product of parts.
func compile(g *ddps.LayeredGraph, name string, parts []part, limit int) (*condition, error) {
	a := parts[0].auto
	for _, p := range parts[1:] {
		a = times(a, p.auto)
	}
	l, w, states, err := unfold(g, a, limit)
	if err != nil {
		return nil, err
	}
	if len(parts) == 1 {
		parts[0].states = states
	}
	c := &condition{name: name, g: g, parts: parts, shift: a.Shift, pool: new(sync.Pool)}
	if flat, ok := flatten(l, w); ok {
		c.w = flat
		c.pool.New = func() any { return chain.NewTilter(g) }
		return c, nil
	}
	if slices.ContainsFunc(w, func(x float64) bool { return x != 1 }) {
		c.w = w
	}
	c.lift = l
	c.pool.New = func() any { return chain.NewLifter(l, c.w) }
	return c, nil
}

func (c *condition) Tilt(pi, out []float64) float64 {
	if c.lift == nil {
		t := c.pool.Get().(*chain.Tilter)
		defer c.pool.Put(t)
		return c.shift + t.Tilt(pi, c.w, out)
	}
	t := c.pool.Get().(*chain.Lifter)
	defer c.pool.Put(t)
	logm := t.Tilt(pi)
	if math.IsInf(logm, -1) {
		copy(out, pi)
	} else {
		t.Rows(pi, out)
	}
	return c.shift + logm
}

func (c *condition) Lift() (*chain.Lift, []float64) {
	if c.lift == nil {
		return nil, nil
	}
	return c.lift, c.w
}

// Weights returns what Tilt tilts by, as d3pm.Condition says: weights by edge of the lift (nil: all 1), or of the graph where
// there is none, and the logarithm of a factor that they leave out.
func (c *condition) Weights() (w []float64, shift float64) { return c.w, c.shift }

func (c *condition) LogWeight(p ddps.Path) float64 {
	sum := 0.0
	for _, part := range c.parts {
		a, q, x := part.auto, part.auto.Start, 0.0
		sum += a.Shift
		for l := 1; l < len(p); l++ {
			e, ok := c.g.EdgeBetween(p[l-1], p[l])
			if !ok {
				return math.Inf(-1)
			}
			if q, x = a.Next(q, e); x == 0 {
				return math.Inf(-1)
			}
			sum += math.Log(x)
		}
		sum += math.Log(a.accept(q))
	}
	return sum
}

func (c *condition) String() string { return c.name }

// Named returns c under another name.
func Named(c Condition, name string) Condition {
	own, ok := c.(*condition)
	if !ok {
		return c
	}
	d := *own
	if d.name = name; len(d.parts) == 1 {
		d.parts = []part{{name, own.parts[0].auto, own.parts[0].states}}
	}
	return &d
}
