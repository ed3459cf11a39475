// Package arrivals finds out where the paths of an unrolled map end.
package arrivals

import "slices"

// Missed returns the nodes, of those where paths may end, at which none does: it is not in the last layer, and in no
// layer followed by END. layers has the states of each layer, ascending; next has by layer and state, in that order,
// those that follow; end is the state of END.
func Missed(nodes []int, layers [][]int, next [][][]int, end int) (missed []int) {
	met := map[int]bool{}
	for l, layer := range layers {
		for i, s := range layer {
			if l == len(layers)-1 || slices.Contains(next[l][i], end) {
				met[s] = true
			}
		}
	}
	for _, n := range nodes {
		if !met[n] {
			missed = append(missed, n)
		}
	}
	return missed
}
