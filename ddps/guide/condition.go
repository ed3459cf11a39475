package guide

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// Condition conditions a distribution of paths exactly, at every step, through the chain pi that the denoiser gives.
// Each is a finite automaton over the graph's edges; the distribution given the condition is a chain on the product of
// graph and states. Safe for concurrent use.
type Condition interface {
	// Tilt sets out to the row distributions of pi given the condition, P(the path takes e | it visits e's tail), and
	// returns log m, m the expectation under pi of the condition's weight: for one that is met or not, its probability.
	// It is −Inf where pi makes the condition impossible; out is then pi where nothing else is left. Both slices are by
	// edge and differ; pi's rows need not sum to 1.
	Tilt(pi, out []float64) (logm float64)
	// OnProduct returns the product and its weights (nil: all 1), for chain.NewProductTilter. It is nil where no vertex
	// has two states: the distribution given the condition is then the chain of the rows that Tilt gives, and has no
	// other memory.
	OnProduct() (*chain.Product, []float64)
	// Product returns the product of graph and states, with weights of any size: probabilities, counts, samples, the
	// most likely paths and expectations are those of a chain on it. See Given, GivenDistribution and Count.
	Product() *Product
	// LogWeight returns the logarithm of the weight of a path of the graph, −Inf where the path does not meet the
	// condition.
	LogWeight(p ddps.Path) float64
	// Impossible returns chain.ErrImpossible with the name of what part of the condition, or which of them together, pi
	// makes impossible; nil if none.
	Impossible(pi []float64) error
	// String is what the condition is called in messages.
	String() string
}

// Part is a set of paths, or weights, with a name for messages.
type Part struct {
	Name string
	Set  Set
}

// condition is the conjunction of its parts.
type condition struct {
	name    string
	d       *Diagrams // read only
	parts   []Part
	all     Set
	product *Product
	lift    *chain.Product // nil: no vertex has two states, and weights are by edge of the graph
	w       []float64      // relative weights by edge of the product graph (nil: all 1), or of the graph
	logw    []float64      // w in logarithms, with the factor that w leaves out; nil where w does not need them
	shift   float64        // log of the constant factor that w leaves out
	pool    *sync.Pool     // of *chain.Tilter or *chain.ProductTilter
}

// New makes the condition that a is on g, called name in messages. It is an error if no path of g meets it
// (chain.ErrImpossible, wrapped), if its product with g has more than MaxEdges edges, or if a gives a weight out of
// range. O(edges of the product).
func New(g *ddps.LayeredGraph, name string, a Automaton) (Condition, error) {
	d := NewDiagrams(g)
	s, err := d.Read(a)
	return d.condition(name, s, err)
}

// condition makes the condition of one set.
func (d *Diagrams) condition(name string, s Set, err error, notes ...string) (Condition, error) {
	if err != nil {
		return nil, fmt.Errorf("guide: %s: %w", name, err)
	}
	if s == None {
		return nil, fmt.Errorf("guide: %s: %w", name, errNoPath)
	}
	return d.Condition(name, []Part{{name, s}}, notes...)
}

// Condition makes the condition, called name in messages, that the paths are in all of the parts, their weight the
// product of those of the parts. notes are what is not exact about it. Where no path is in all of them, the error names
// a smallest set of parts that no path meets together; where there are too many states, how many each part has.
func (d *Diagrams) Condition(name string, parts []Part, notes ...string) (Condition, error) {
	own := d.like()
	c := &condition{name: name, d: own, all: Every}
	known := map[Set]bool{}
	for _, p := range parts {
		s := own.copy(d, p.Set, map[Set]Set{})
		if !known[s] || !own.plain[s] { // said twice is said once, but for weights
			c.parts = append(c.parts, Part{p.Name, s})
		}
		known[s] = true
	}
	var err error
	if c.all, err = own.meet(c.parts); own.ended != nil {
		return nil, own.ended
	}
	if err != nil {
		return nil, tooLarge(own, c.parts, err)
	}
	if c.all == None {
		bad := conflict(c.parts, func(sub []Part) bool {
			s, err := own.meet(sub)
			return err == nil && s == None
		})
		if own.ended != nil {
			return nil, own.ended
		}
		return nil, fmt.Errorf("guide: %w %s", errNoPathMeets, together(bad))
	}
	if c.product, err = own.product(c.all); own.ended != nil {
		return nil, own.ended
	}
	own.ctx = nil // it is that of making the condition alone
	if err != nil {
		return nil, tooLarge(own, c.parts, err)
	}
	c.product.Notes = notes
	c.prepare()
	return c, nil
}

// prepare sets what Tilt needs.
func (c *condition) prepare() {
	p := c.product
	w, shift, wide := chain.Relative(p.Product.Graph, p.LogW, func(int) bool { return true })
	c.shift = shift
	if flat, ok := flatten(p.Product, w, 0, 1); ok {
		if c.w = flat; wide {
			c.logw, _ = flatten(p.Product, p.LogW, math.Inf(-1), 0)
		}
		c.pool = &sync.Pool{New: func() any { return chain.NewTilter(c.d.g) }}
		return
	}
	if c.lift, c.w = p.Product, w; wide {
		c.logw = p.LogW
	}
	c.pool = &sync.Pool{New: func() any { return chain.NewProductTilter(c.lift, c.w) }}
}

func (c *condition) Tilt(pi, out []float64) float64 {
	if c.lift == nil {
		t := c.pool.Get().(*chain.Tilter)
		defer c.pool.Put(t)
		if c.logw != nil {
			return t.TiltLog(pi, c.logw, out)
		}
		return c.shift + t.Tilt(pi, c.w, out)
	}
	t := c.pool.Get().(*chain.ProductTilter)
	defer c.pool.Put(t)
	logm := 0.0
	if c.logw != nil {
		logm = t.TiltLog(pi, c.logw)
	} else {
		logm = c.shift + t.Tilt(pi)
	}
	if math.IsInf(logm, -1) {
		copy(out, pi)
	} else {
		t.Rows(pi, out)
	}
	return logm
}

func (c *condition) OnProduct() (*chain.Product, []float64) {
	if c.lift == nil {
		return nil, nil
	}
	return c.lift, c.w
}

// Weights returns what Tilt tilts by, as d3pm.Condition says: weights by edge of the product graph (nil: all 1), or of
// the graph where there is none, and the logarithm of a factor that they leave out; NaN where the weights are too far
// apart for float64, and Tilt alone has them.
func (c *condition) Weights() (w []float64, shift float64) {
	if c.logw != nil {
		return nil, math.NaN()
	}
	return c.w, c.shift
}

// LogWeights returns the product graph of the condition and the logarithms of the weights of its edges (nil: all 0).
func (c *condition) LogWeights() (*chain.Product, []float64) {
	return c.product.Product, c.product.LogW
}

func (c *condition) Product() *Product { return c.product }

func (c *condition) LogWeight(p ddps.Path) float64 {
	edges, ok, err := c.product.Product.Edges(nil, p)
	if err != nil || !ok {
		return math.Inf(-1)
	}
	sum := 0.0
	if c.product.LogW != nil {
		for _, k := range edges {
			sum += c.product.LogW[k]
		}
	}
	return sum
}

func (c *condition) String() string { return c.name }

func (c *condition) Impossible(pi []float64) error {
	if c.d.meets(c.all, pi) {
		return nil
	}
	bad := conflict(c.parts, func(sub []Part) bool {
		s, err := newDiagramsOf(c.d, sub)
		return err == nil && !s.d.meets(s.all, pi)
	})
	return chain.ImpossibleError("guide: no path that the distribution gives a probability above 0 meets " + together(bad))
}

// Named returns c under another name.
func Named(c Condition, name string) Condition {
	own, ok := c.(*condition)
	if !ok {
		return c
	}
	n := *own
	if n.name = name; len(n.parts) == 1 {
		n.parts = []Part{{name, own.parts[0].Set}}
	}
	return &n
}

// tooLarge says how many states each of the parts has where all of them together are too many.
func tooLarge(d *Diagrams, parts []Part, err error) error {
	if len(parts) == 1 {
		return fmt.Errorf("guide: %s: %w", parts[0].Name, err)
	}
	words, most, largest := make([]string, len(parts)), -1, ""
	for i, p := range parts {
		states, edges := d.Size(p.Set)
		words[i] = fmt.Sprintf("%s (%d states, %d edges)", p.Name, states, edges)
		if edges > most {
			most, largest = edges, p.Name
		}
	}
	return fmt.Errorf("guide: all of %s together: %w; most is due to %s", strings.Join(words, ", "), err, largest)
}
