package unet

import "slices"

// region says at which vertices a block's maps count: what is left out enters no output of a vertex with a choice.
type region struct {
	in, between, out []bool // of the input, of the first convolution's output, of the block's
	zero             []bool // where the input is 0 for all x_t; nil: not known
}

// setRegions sets the blocks' regions, from the last layer back to the first.
func (u *Network) setRegions() {
	count, zero := make([]bool, u.P), slices.Repeat([]bool{true}, u.P)
	for v := range u.V {
		count[v] = u.g.Degree(v) > 1
	}
	if !slices.Contains(count, true) { // nothing to learn: maps of one vertex, and of pairs
		count[0] = true
	}
	for _, v := range u.rows {
		zero[v] = false
	}
	last := len(u.blocks)
	stage := func() { // the blocks between two changes of the axis
		for range u.cfg.Blocks {
			last--
			r := &u.blocks[last].region
			r.out = count
			r.between = widen(r.out, u.cfg.Kernel/2)
			r.in = widen(r.between, u.cfg.Kernel/2)
			count = r.in
		}
	}
	var skips [][]bool
	for range u.cfg.Levels {
		stage()
		skips, count = append(skips, count), halve(count)
	}
	stage()
	for l := u.cfg.Levels - 1; l >= 0; l-- {
		skip, below := skips[l], count
		count = make([]bool, len(skip))
		for v := range count {
			count[v] = skip[v] || below[v/2]
		}
		stage()
	}
	u.blocks[0].region.zero = zero
}

// length returns the number of vertices up to the last for which x is yes, at least 1.
func length(x []bool, yes bool) int {
	n := len(x)
	for n > 1 && x[n-1] != yes {
		n--
	}
	return n
}

// widen returns the vertices within r of those in x.
func widen(x []bool, r int) []bool {
	y := make([]bool, len(x))
	for v, yes := range x {
		for w := max(0, v-r); yes && w <= min(len(x)-1, v+r); w++ {
			y[w] = true
		}
	}
	return y
}

// halve returns the pairs of vertices of which some is in x.
func halve(x []bool) []bool {
	y := make([]bool, len(x)/2)
	for v, yes := range x {
		y[v/2] = y[v/2] || yes
	}
	return y
}

// sees returns the vertices lo…hi−1 that a convolution of kernel K at v sees, but for those at the ends that are 0.
func (r *region) sees(v, K, vertices int) (lo, hi int) {
	lo, hi = max(0, v-K/2), min(vertices, v+K/2+1)
	for r.zero != nil && lo < hi && r.zero[lo] {
		lo++
	}
	for r.zero != nil && lo < hi && r.zero[hi-1] {
		hi--
	}
	return lo, hi
}
