package chain

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps/internal/real"
)

// KL returns KL(p ‖ q) = Σ P(path) log(P(path)/Q(path)) in nats, of distributions of the same graph and whatever
// orders: by the chain rule, over pairs of states that a path of p leads to. +Inf where q lacks a path that p has.
// O(E) of the product of the product graphs.
func KL(p, q *Distribution) (float64, error) {
	if !p.Base().Equal(q.Base()) {
		return 0, fmt.Errorf("chain: KL of distributions of different graphs")
	}
	sum := 0.0
	now := []visit{{[2]int{0, 0}, 1}}
	for range p.Base().NumLayers() - 1 {
		var next []visit
		number := make(map[[2]int]int)
		for _, at := range now {
			lo, hi := p.Product.Graph.Edges(at.states[0])
			for k := lo; k < hi; k++ {
				mass := at.mass * p.P[k]
				if mass == 0 {
					continue
				}
				j, ok := q.Product.above(at.states[1], p.Product.Edge[k])
				if !ok || q.P[j] == 0 {
					return math.Inf(1), nil
				}
				sum += mass * real.Log(p.P[k]/q.P[j])
				to := [2]int{p.Product.Graph.Head(k), q.Product.Graph.Head(j)}
				n, ok := number[to]
				if !ok {
					n = len(next)
					number[to], next = n, append(next, visit{states: to})
				}
				next[n].mass += mass
			}
		}
		now = next
	}
	return max(sum, 0), nil // rounding
}

// visit is a pair of states and the probability that a path comes to it.
type visit struct {
	states [2]int
	mass   float64
}
