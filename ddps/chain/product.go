package chain

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
)

// Product returns the lift whose states are pairs of a state of a and one of b over the same vertex, and whose edges
// are pairs over the same edge, as far as they lie on paths: the paths that lie under both. ea and eb are the edges
// of a and b that each edge is a pair of. It is an error if the bases differ or no path lies under both. O(E) of the
// result and of what b's states cut off on the way.
func Product(a, b *Lift) (p *Lift, ea, eb []int, err error) {
	p, ea, eb, err = product(a, b, func(i, j int) bool { return true })
	if err == nil && p == nil {
		err = fmt.Errorf("chain: product: no path lies under both")
	}
	return p, ea, eb, err
}

// product is Product of the pairs of edges that keep wants; nil if no path is left.
func product(a, b *Lift, keep func(i, j int) bool) (*Lift, []int, []int, error) {
	if a.Base != b.Base {
		return nil, nil, nil, fmt.Errorf("chain: product of lifts of different graphs")
	}
	x := &pairing{a: a, b: b, keep: keep}
	x.explore()
	sizes, heads, ea, eb := x.trim()
	if sizes == nil {
		return nil, nil, nil, nil
	}
	g, err := ddps.New(sizes, heads)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("chain: product: %w", err)
	}
	edge := make([]int, len(ea))
	for k, i := range ea {
		edge[k] = a.Edge[i]
	}
	p, err := NewLift(a.Base, g, edge)
	return p, ea, eb, err
}

// pairing is a product in the making: pairs numbered layer by layer as they are found, and their edges.
type pairing struct {
	a, b   *Lift
	keep   func(i, j int) bool
	states [][2]int
	first  []int // out-edges of pair s are first[s]…first[s+1]−1
	head   []int
	ea, eb []int
	layer  []int // pairs of layer l are layer[l]…layer[l+1]−1
}

// explore finds the pairs that the first one leads to.
func (x *pairing) explore() {
	x.states, x.layer, x.first = [][2]int{{0, 0}}, []int{0, 1}, []int{0}
	for l := range x.a.Base.NumLayers() - 1 {
		number := make(map[[2]int]int)
		for s := x.layer[l]; s < x.layer[l+1]; s++ {
			x.pairs(s, number)
			x.first = append(x.first, len(x.head))
		}
		x.layer = append(x.layer, len(x.states))
	}
	for range len(x.states) - (len(x.first) - 1) { // the last layer has no edges
		x.first = append(x.first, len(x.head))
	}
}

// pairs adds the edges of pair s, and the pairs of the next layer that are new.
func (x *pairing) pairs(s int, number map[[2]int]int) {
	i, ihi := x.a.Graph.Edges(x.states[s][0])
	j, jhi := x.b.Graph.Edges(x.states[s][1])
	for i < ihi && j < jhi {
		switch d := x.a.Edge[i] - x.b.Edge[j]; {
		case d < 0:
			i++
			continue
		case d > 0:
			j++
			continue
		}
		if x.keep(i, j) {
			to := [2]int{x.a.Graph.Head(i), x.b.Graph.Head(j)}
			n, ok := number[to]
			if !ok {
				n = len(x.states)
				number[to], x.states = n, append(x.states, to)
			}
			x.head, x.ea, x.eb = append(x.head, n), append(x.ea, i), append(x.eb, j)
		}
		i, j = i+1, j+1
	}
}

// trim returns sizes of layers, heads and edges of the pairs that lead to the last layer; nil if there are none.
func (x *pairing) trim() (sizes []int, heads [][]int, ea, eb []int) {
	L := len(x.layer) - 1
	alive := make([]bool, len(x.states))
	for s := len(x.states) - 1; s >= 0; s-- {
		alive[s] = s >= x.layer[L-1]
		for k := x.first[s]; k < x.first[s+1]; k++ {
			alive[s] = alive[s] || alive[x.head[k]]
		}
	}
	if !alive[0] {
		return nil, nil, nil, nil
	}
	number, n := make([]int, len(x.states)), 0
	sizes = make([]int, L)
	for l := range L {
		for s := x.layer[l]; s < x.layer[l+1]; s++ {
			if alive[s] {
				number[s] = n
				n++
				sizes[l]++
			}
		}
	}
	flat := make([]int, 0, len(x.head))
	for s, ok := range alive {
		if !ok {
			continue
		}
		lo := len(flat)
		for k := x.first[s]; k < x.first[s+1]; k++ {
			if alive[x.head[k]] {
				flat, ea, eb = append(flat, number[x.head[k]]), append(ea, x.ea[k]), append(eb, x.eb[k])
			}
		}
		heads = append(heads, flat[lo:])
	}
	return sizes, heads, ea, eb
}
