package slots

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/datasets/internal/arrivals"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

// Expand unrolls a map in time: layer by layer the places where a walk may be at that moment, and those on the way.
//
//   - A walk begins at one of the starts, behind a source (ddps.Source) if there are several.
//   - Until the next layer it stays, unless NoWait, or goes along an edge. A move of k slots passes k − 1 vertices on
//     the way, "A>B 1/3" and "A>B 2/3" for k = 3.
//   - With ends it is at one of them in the last layer, or has come to one before and ended (Absorb, Early). Without,
//     it
//     may be anywhere in the last layer, also on the way, or have ended before (Early).
//
// What no walk reaches, or from where none ends in time, is not there; what was pruned so, how many dead ends (a place
// without a way on and without waiting) there were, and at which ends no walk ends, Note says. With one start, no ends
// and no slots the graph is that of maps.Expand.
//
// Meta: Names are the map's; Place is the index of the node, and those of vertices on the way come after the nodes',
// from Attr[ddps.AttrTransit] on, one for each arc and number of slots since; END has the last, the source −1. XY, in
// degrees, on the way is on the straight line; END and the source are at the mean of the ends and of the starts. Attr
// is the map's, with start, starts and start_weights (in the order of the vertices, separated by tabs), end, depth,
// and ddps.AttrSlot, AttrFrom and AttrFromLayer, by which conditions read times of day.
//
// Errors: those of NewPlan; no walk fits. O(vertices + edges).
func Expand(w *maps.World, o Options) (*ddps.LayeredGraph, error) {
	p, err := newPlan(w, &o)
	if err != nil {
		return nil, fmt.Errorf("slots: %w", err)
	}
	if o.plain() {
		return maps.Expand(
			w,
			maps.ExpandOptions{Start: w.Nodes[o.Starts[0].Node].ID, Depth: o.Depth, NoWait: o.NoWait,
				Dummies: o.Dummies, All: o.All, Nodes: o.Nodes, Labels: o.Labels, Memory: o.Memory},
		)
	}
	if o.Note != nil {
		for _, text := range p.Notes() {
			o.Note(text)
		}
	}
	g, err := newExpansion(p).graph()
	if err != nil {
		return nil, fmt.Errorf("slots: %w", err)
	}
	return g, nil
}

// expansion is the work of one Expand. States are the nodes, then those on the way, arc by arc, and END.
type expansion struct {
	*Plan
	first  []int // [2·edge + direction] state of the arc's first slot on the way, −1 for none
	tail   []arc // of each state on the way: the arc, with its own number
	from   []int // of each state on the way: the node where it began
	end    int   // state
	isEnd  []bool
	layers [][]int   // states of each layer of places, ascending
	next   [][][]int // [layer][index] states that follow
	dead   int
}

func newExpansion(p *Plan) *expansion {
	x := &expansion{Plan: p, first: make([]int, 2*len(p.w.Edges)), isEnd: make([]bool, len(p.w.Nodes))}
	N := len(p.w.Nodes)
	for i, list := range p.arcs {
		for _, a := range list {
			x.first[a.number] = N + len(x.tail)
			for j := 1; j < a.slots && a.slots < p.Depth; j++ {
				x.tail, x.from = append(x.tail, a), append(x.from, i)
			}
		}
	}
	x.end = N + len(x.tail)
	for _, e := range p.o.Ends {
		x.isEnd[e] = true
	}
	return x
}

// follow returns the states that follow a state of layer l of places, ascending.
func (x *expansion) follow(s, l int) (to []int) {
	N := len(x.w.Nodes)
	switch {
	case s == x.end:
		return []int{s}
	case s >= N:
		a := x.tail[s-N]
		if s+1 < x.first[a.number]+a.slots-1 {
			return []int{s + 1}
		}
		return []int{a.head}
	case x.o.Absorb && x.isEnd[s] && l > 0:
		return []int{x.end}
	}
	if !x.o.NoWait {
		to = append(to, s)
	}
	for _, a := range x.arcs[s] {
		switch {
		case a.slots >= x.Depth:
		case a.slots > 1:
			to = append(to, x.first[a.number])
		default:
			to = append(to, a.head)
		}
	}
	if x.o.Early && l > 0 && (x.o.Ends == nil || x.isEnd[s]) {
		to = append(to, x.end)
	}
	slices.Sort(to)
	return to
}

// reach lists the states of all layers, from the starts on.
func (x *expansion) reach() {
	var layer []int
	for _, s := range x.o.Starts {
		layer = append(layer, s.Node)
	}
	slices.Sort(layer)
	for l := range x.Depth {
		x.layers = append(x.layers, layer)
		if l == x.Depth-1 {
			return
		}
		lists, following := make([][]int, len(layer)), []int(nil)
		for i, s := range layer {
			if lists[i] = x.follow(s, l); len(lists[i]) == 0 {
				x.dead++
			}
			following = append(following, lists[i]...)
		}
		x.next = append(x.next, lists)
		slices.Sort(following)
		layer = slices.Compact(following)
	}
}

// prune drops what leads to no end, and returns how many vertices these were.
func (x *expansion) prune() (dropped int) {
	last := x.Depth - 1
	keep := func(l int, alive func(i, s int) bool) {
		var layer []int
		var next [][]int
		for i, s := range x.layers[l] {
			if !alive(i, s) {
				dropped++
				continue
			}
			layer = append(layer, s)
			if l < last {
				next = append(next, x.next[l][i])
			}
		}
		x.layers[l] = layer
		if l < last {
			x.next[l] = next
		}
	}
	keep(last, func(_, s int) bool { return x.o.Ends == nil || s == x.end || s < len(x.w.Nodes) && x.isEnd[s] })
	for l := last - 1; l >= 0; l-- {
		keep(l, func(i, _ int) bool {
			x.next[l][i] = slices.DeleteFunc(x.next[l][i], func(s int) bool {
				_, ok := slices.BinarySearch(x.layers[l+1], s)
				return !ok
			})
			return len(x.next[l][i]) > 0
		})
	}
	return dropped
}

// graph makes the graph. What prune keeps is still reached: all that follows on its way was kept with it.
func (x *expansion) graph() (*ddps.LayeredGraph, error) {
	x.reach()
	dropped := x.prune()
	if len(x.layers[0]) < len(x.o.Starts) {
		for _, s := range x.o.Starts {
			if _, ok := slices.BinarySearch(x.layers[0], s.Node); !ok {
				return nil, fmt.Errorf("no walk from start %s is at an end in time, or goes on for %d layers",
					x.w.Nodes[s.Node].Label(), x.Depth)
			}
		}
	}
	if len(x.layers[0]) == 0 {
		return nil, errors.New("no walk fits")
	}
	if x.o.Note != nil && dropped > 0 {
		text := fmt.Sprintf("pruned %d vertices from which no walk goes on to the last layer", dropped)
		if x.o.Ends != nil {
			text = fmt.Sprintf("pruned %d vertices from which no end is reached in time", dropped)
		}
		if x.dead > 0 {
			text += fmt.Sprintf(", %d of them dead ends (no way on and no waiting)", x.dead)
		}
		x.o.Note(text)
	}
	if list := arrivals.Missed(x.o.Ends, x.layers, x.next, x.end); x.o.Note != nil && list != nil {
		var labels []string
		for _, e := range list {
			labels = append(labels, x.w.Nodes[e].Label())
		}
		x.o.Note("no path ends at " + strings.Join(labels, ", "))
	}
	sizes, heads := x.number()
	g, err := ddps.New(sizes, heads)
	if err != nil {
		return nil, err
	}
	return g.WithMeta(x.meta())
}

// number lists the vertices, with a source where there are several starts.
func (x *expansion) number() (sizes []int, heads [][]int) {
	V := 0
	if len(x.o.Starts) > 1 {
		sizes, V = []int{1}, 1
		var all []int
		for i := range x.layers[0] {
			all = append(all, 1+i)
		}
		heads = append(heads, all)
	}
	for l, layer := range x.layers {
		sizes = append(sizes, len(layer))
		V += len(layer)
		for i := range layer {
			if l == x.Depth-1 {
				heads = append(heads, nil)
				continue
			}
			var to []int
			for _, s := range x.next[l][i] {
				k, _ := slices.BinarySearch(x.layers[l+1], s)
				to = append(to, V+k)
			}
			heads = append(heads, to)
		}
	}
	return sizes, heads
}
