package study

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"slices"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/run"
)

// RewardFile is the name of the results table of rewards in a study's directory.
const RewardFile = "rewards.csv"

// RewardRow is one reward of the paper's experiments, and how rare its maximum is.
type RewardRow struct {
	Graph    string  `csv:"graph"`
	RMax     int     `csv:"r_max"`
	Instance int     `csv:"instance"`
	Rare     bool    `csv:"rare"`    // edges of one path, by intent
	Edges    int     `csv:"edges"`   // that have a reward
	Least    int     `csv:"r_min"`   // the least reward of any path: RMax where all attain it; −1: not known
	Optimal  string  `csv:"optimal"` // of the edges of the paths that attain the maximum: the same of the same paths
	Paths    float64 `csv:"paths"`   // that attain the maximum, of all that the graph has
	Share    float64 `csv:"share"`   // of all paths: the odds of one chosen at random, all alike
	P        float64 `csv:"p_max"`   // under the data's distribution on Toy, of the model without a network on maps
	Key      string  `csv:"key"`     // of the model's weights on maps
	Built    string  `csv:"built"`
}

// paperInstances is how many rewards of each maximum the paper has.
func paperInstances(graph string) int {
	if graph == "ridge" {
		return 10
	}
	return 20
}

// ListRewards adds to the table all rewards of the paper's on the graph, whatever the preset, with the probabilities of
// their maxima: by counting and by exact conditions, without a sample. It needs a study whose distribution is known: of
// a network on a map it adds none. The model is found or made as by Run.
func (s *Guidance) ListRewards(ctx context.Context, dir string, to *Table[RewardRow], w run.Progress) error {
	if w == nil {
		w = run.NoProgress{}
	}
	at, err := s.prepare(ctx, dir, w)
	if err != nil || at.made != nil {
		return err
	}
	if at.dist != nil {
		at.key = ""
	}
	g := Grid[RewardRow]{Measure: at.rarity, Stage: s.Graph + ": how rare rewards are", Same: func(a, b RewardRow) bool {
		return a.Graph == b.Graph && a.RMax == b.RMax && a.Instance == b.Instance && a.Key == b.Key
	}, Name: func(r RewardRow) string { return fmt.Sprintf("%s, R_max %d, instance %d", r.Graph, r.RMax, r.Instance) }}
	for _, rmax := range s.Maxima {
		for i := range paperInstances(s.Graph) {
			g.Points = append(g.Points, RewardRow{Graph: s.Graph, RMax: rmax, Instance: i, Rare: rareInstance(i), Key: at.key,
				Built: s.Built})
		}
	}
	return g.Run(ctx, to, w)
}

// rarity sets the results of a row.
func (s *guidance) rarity(_ context.Context, row *RewardRow) error {
	g := s.model.Graph
	u, err := s.reward(row.RMax, row.Instance)
	if err != nil {
		return err
	}
	for _, x := range u {
		if x != 0 {
			row.Edges++
		}
	}
	row.Least, row.Optimal = leastReward(g, u), optimalKey(g, u)
	c, err := guide.MaxReward(g, u)
	if err != nil {
		return err
	}
	_, log, err := guide.GivenDistribution(chain.Uniform(g).Distribution(), c)
	if err != nil {
		return err
	}
	all, _ := new(big.Float).SetInt(ddps.NumPaths(g)).Float64()
	row.Share = math.Exp(log)
	row.Paths = math.Round(row.Share * all) // exact below 2⁵³
	if s.dist != nil {
		_, row.P, err = s.target(u)
		return err
	}
	_, log, err = s.given(u)
	row.P = math.Exp(log)
	return err
}

// leastReward returns the least reward of any path.
func leastReward(g *ddps.LayeredGraph, u []float64) int {
	against := make([]float64, len(u))
	for e, x := range u {
		against[e] = -x
	}
	return int(math.Round(-g.Best(against)))
}

// optimalKey names the paths that attain the greatest reward, by the edges that they take: all paths along these do.
func optimalKey(g *ddps.LayeredGraph, u []float64) string {
	h := fnv.New64a()
	for e, is := range g.Tight(u) {
		if is {
			fmt.Fprintf(h, "%d,", e)
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// LatestRewards returns the rows of the model that is last among each graph's.
func LatestRewards(rewards []RewardRow) []RewardRow {
	last := map[string]string{}
	for _, r := range rewards {
		last[r.Graph] = r.Key
	}
	return slices.DeleteFunc(slices.Clone(rewards), func(r RewardRow) bool { return r.Key != last[r.Graph] })
}

// Degenerate returns the rewards that say less than others of their graph: those that every path attains, and those
// attained by the same paths as one before them, in the order of the rows.
func Degenerate(rewards []RewardRow) (all, same []RewardRow) {
	for i, r := range rewards {
		switch {
		case r.Least == r.RMax:
			all = append(all, r)
		case r.Twin(rewards[:i]) != nil:
			same = append(same, r)
		}
	}
	return all, same
}

// Twin returns the first of the rewards that the same paths attain, or nil.
func (r RewardRow) Twin(of []RewardRow) *RewardRow {
	for i, x := range of {
		if x.Graph == r.Graph && x.Key == r.Key && x.Optimal != "" && x.Optimal == r.Optimal {
			return &of[i]
		}
	}
	return nil
}

// rareInstance reports whether an instance's rewards are edges of a single path.
func rareInstance(i int) bool { return i%4 == 3 }

// Reward returns instance i of the rewards whose best path attains rmax: every fourth is a rare one, edges of a single
// path, the others are drawn without regard to how rare their maximum is. The paper has rewards from half of all paths
// down to odds of less than one in ten million (§5.2).
func (s *Guidance) Reward(g *ddps.LayeredGraph, rmax, i int) ([]float64, error) {
	if rareInstance(i) {
		return datasets.RareReward(g, rmax, uint64(i))
	}
	return datasets.RewardInstance(g, rmax, uint64(i))
}
