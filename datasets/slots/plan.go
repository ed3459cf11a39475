package slots

import (
	"fmt"
	"math"
	"sort"

	"github.com/ddps-go/ddps/datasets/maps"
)

// Plan is what the layers of a graph can hold, found without making it.
type Plan struct {
	Depth, Slot int   // as in Options
	Slots       []int // [edge] how many slots its move takes, at least 1
	// Short counts edges of less than half a slot, which take one all the same; Long those that take longer than all
	// layers.
	Short, Long int
	// Off is the mean difference, in seconds, of a move's time and that of its slots; Worst the greatest, of edge
	// WorstEdge.
	Off, Worst float64
	WorstEdge  int
	// ToEnd is by start the fewest slots to an end, −1 where none is reached, 0 without ends.
	ToEnd []int
	// Vertices and Edges are the most that the graph has.
	Vertices, Edges int
	w               *maps.World
	o               *Options
	arcs            [][]arc // [node] out of it
	from, until     []int   // [node] the fewest slots from a start, and to an end; far where there is none
	allowed         []bool  // [node]
}

// far is more slots than there are.
const far = math.MaxInt32

// arc is an edge in one direction.
type arc struct{ number, head, slots int }

// NewPlan checks options and finds out what the layers can hold. Moves take their time divided by the slot, rounded
// to the nearest whole number (a half up), at least 1. Errors: options out of range, a move without a time, a start
// from which no end is reached in the layers that there are, more than 2²⁷ vertices. O(nodes + edges, times log).
func NewPlan(w *maps.World, o Options) (*Plan, error) {
	p, err := newPlan(w, &o)
	if err != nil {
		return nil, fmt.Errorf("slots: %w", err)
	}
	return p, nil
}

func newPlan(w *maps.World, o *Options) (*Plan, error) {
	if err := o.check(w); err != nil {
		return nil, err
	}
	p := &Plan{Depth: o.Depth, Slot: o.Slot, w: w, o: o, allowed: make([]bool, len(w.Nodes))}
	p.round()
	if err := p.near(); err != nil {
		return nil, err
	}
	p.list()
	starts := make([]int, len(o.Starts))
	for k, s := range o.Starts {
		starts[k] = s.Node
	}
	p.from = p.fewest(starts, p.arcs)
	ends := o.Ends
	if ends == nil {
		p.until = make([]int, len(w.Nodes))
	} else {
		p.until = p.fewest(ends, reversed(p.arcs))
	}
	if err := p.reach(starts); err != nil {
		return nil, err
	}
	if err := p.count(); err != nil {
		return nil, err
	}
	return p, p.fits()
}

// round gives each edge its slots.
func (p *Plan) round() {
	p.Slots = make([]int, len(p.w.Edges))
	for e := range p.Slots {
		if p.Slots[e] = 1; p.Slot == 0 {
			continue
		}
		t, slot := p.o.seconds(p.w, e), float64(p.Slot)
		k := math.Min(math.Floor(t/slot+0.5), far)
		if k < 1 {
			k = 1
			p.Short++
		}
		if p.Slots[e] = int(k); p.Slots[e] >= p.Depth {
			p.Long++
			continue // never used
		}
		off := math.Abs(k*slot - t)
		if p.Off += off; off > p.Worst {
			p.Worst, p.WorstEdge = off, e
		}
	}
	p.Off /= float64(max(1, len(p.Slots)-p.Long))
}

// near says which nodes are there.
func (p *Plan) near() error {
	for i := range p.allowed {
		p.allowed[i] = true
	}
	if p.o.Nodes == 0 {
		return nil
	}
	least := make([]float64, len(p.w.Nodes))
	for k, s := range p.o.Starts {
		dist, err := p.w.Distances(s.Node)
		if err != nil {
			return err
		}
		for i, d := range dist {
			if k == 0 || d < least[i] {
				least[i] = d
			}
		}
	}
	order := byDistance(least)
	if len(order) < p.o.Nodes {
		return fmt.Errorf("%d nodes around the starts: %d are within reach", p.o.Nodes, len(order))
	}
	clear(p.allowed)
	for _, i := range order[:p.o.Nodes] {
		p.allowed[i] = true
	}
	for _, e := range p.o.Ends {
		if !p.allowed[e] {
			return fmt.Errorf("end %s is not among the %d nodes nearest to the starts", p.w.Nodes[e].Label(), p.o.Nodes)
		}
	}
	return nil
}

// list lists the arcs out of each node, in the order of their heads.
func (p *Plan) list() {
	p.arcs = make([][]arc, len(p.w.Nodes))
	for e, edge := range p.w.Edges {
		if !p.allowed[edge.From] || !p.allowed[edge.To] {
			continue
		}
		p.arcs[edge.From] = append(p.arcs[edge.From], arc{2 * e, edge.To, p.Slots[e]})
		if !p.w.Directed {
			p.arcs[edge.To] = append(p.arcs[edge.To], arc{2*e + 1, edge.From, p.Slots[e]})
		}
	}
	sortArcs(p.arcs)
}

// reach is the error of a start from which no end is reached.
func (p *Plan) reach(starts []int) error {
	for _, s := range starts {
		n := p.until[s]
		if p.ToEnd = append(p.ToEnd, n); n < p.Depth {
			continue
		}
		name := p.w.Nodes[s].Label()
		if n >= far {
			return fmt.Errorf("from start %s no end is reached", name)
		}
		return fmt.Errorf(
			"from start %s the nearest end takes %d slots, and %d layers have %d: take more layers or a longer slot",
			name,
			n,
			p.Depth,
			p.Depth-1,
		)
	}
	return nil
}

// Bytes of a vertex and of an edge, as the graph is made and written.
const vertexBytes, edgeBytes = 350, 40

// bytes is about what the graph takes.
func (p *Plan) bytes() float64 { return vertexBytes*float64(p.Vertices) + edgeBytes*float64(p.Edges) }

// fits returns an error if the graph would take more memory than there is, which says what depth fits.
func (p *Plan) fits() error {
	need, limit := p.bytes(), float64(p.o.Memory)
	if limit <= 0 || need <= limit {
		return nil
	}
	deepest := 2 + sort.Search(p.Depth-2, func(d int) bool {
		less := *p
		less.Depth = d + 3
		return less.count() != nil || less.bytes() > limit/2
	})
	return fmt.Errorf("%d layers of up to %d vertices and %d edges in all take about %.3g GiB of memory, of which "+
		"there are "+
		"%.3g: a depth of %d fits", p.Depth, p.Vertices, p.Edges, need/(1<<30), limit/(1<<30), deepest)
}

// count bounds the size of the graph: a node is there from when it is reached to when an end still is.
func (p *Plan) count() error {
	vertices, edges := 1., float64(len(p.o.Starts))
	layers := func(from, until int) float64 { return float64(max(0, p.Depth-from-until)) }
	for i, list := range p.arcs {
		if p.from[i] >= p.Depth || p.until[i] >= p.Depth {
			continue
		}
		n := layers(p.from[i], p.until[i])
		vertices += n
		if !p.o.NoWait {
			edges += n
		}
		for _, a := range list {
			until := 0
			if p.o.Ends != nil {
				until = a.slots + p.until[a.head]
			}
			if p.from[i]+until >= p.Depth {
				continue
			}
			for j := 0; j < a.slots && j < p.Depth; j++ {
				n := layers(p.from[i]+j, max(0, until-j))
				edges += n
				if j > 0 {
					vertices += n
				}
			}
		}
	}
	if ends := len(p.o.Ends); p.o.Absorb || p.o.Early {
		if p.o.Ends == nil {
			ends = len(p.w.Nodes)
		}
		vertices, edges = vertices+float64(p.Depth), edges+float64(p.Depth*(1+ends))
	}
	if vertices > maxCopies || edges > maxCopies {
		return fmt.Errorf(
			"%d layers make up to %.0f vertices and %.0f edges, more than %d: take fewer layers or nodes",
			p.Depth,
			vertices,
			edges,
			maxCopies,
		)
	}
	p.Vertices, p.Edges = int(vertices), int(edges)
	return nil
}
