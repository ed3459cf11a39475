package datasets

import (
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
)

// maxRewardDraws bounds the rejection of reward instances.
const maxRewardDraws = 100_000

// RewardInstance draws 0/1 rewards by edge (the paper §5.2): m random edges that
// lie on some path get reward 1, m random too, and the whole draw is rejected
// until the best path's reward is R. The paper does not give the distribution of m; here
// log₂ m is uniform on 0…log₂ of the number of such edges, m rounded down, which
// favours neither few edges nor many. Errors: R is not in 1…L-1, or none of
// 100,000 draws has it.
func RewardInstance(g *ddps.LayeredGraph, R int, seed uint64) ([]float64, error) {
	if R < 1 || R >= g.NumLayers() {
		return nil, fmt.Errorf("datasets: reward: best reward %d is not in 1…%d", R, g.NumLayers()-1)
	}
	var edges []int
	on := g.Reachable()
	for e := range g.NumEdges() {
		if on[g.Tail(e)] {
			edges = append(edges, e)
		}
	}
	rng := ddps.Rand(seed, 0)
	u := make([]float64, g.NumEdges())
	for range maxRewardDraws {
		m := int(math.Pow(float64(len(edges)), rng.Float64()))
		for i := range m { // the first m of a random order
			j := i + rng.IntN(len(edges)-i)
			edges[i], edges[j] = edges[j], edges[i]
			u[edges[i]] = 1
		}
		if g.Best(u) == float64(R) {
			return u, nil
		}
		for _, e := range edges[:m] {
			u[e] = 0
		}
	}
	return nil, fmt.Errorf("datasets: reward: no draw of %d has best reward %d", maxRewardDraws, R)
}

// RareReward draws rewards that few paths reach: R random edges of one random
// path, all paths as likely, get reward 1. The best path's reward is R, had by
// the paths through all those edges. The error refuses an R outside 1…L-1.
func RareReward(g *ddps.LayeredGraph, R int, seed uint64) ([]float64, error) {
	if R < 1 || R >= g.NumLayers() {
		return nil, fmt.Errorf("datasets: rare reward: best reward %d is not in 1…%d", R, g.NumLayers()-1)
	}
	rng := ddps.Rand(seed, 0)
	on, err := g.PathEdges(nil, ddps.NewIndex(g).Sample(rng))
	if err != nil {
		return nil, fmt.Errorf("datasets: rare reward: %w", err)
	}
	u := make([]float64, g.NumEdges())
	for _, k := range rng.Perm(len(on))[:R] {
		u[on[k]] = 1
	}
	return u, nil
}
