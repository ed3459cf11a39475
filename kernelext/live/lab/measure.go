package lab

import (
	"math"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/kernelext"
)

// TargetOf returns the distribution of data, to hold samples against. Its graph is the pruned one, as a model's.
func TargetOf(d *Data) (*Target, error) { return compare.DataTarget(d.Graph, d.Prune()) }

// GivenMax returns the target conditioned on the greatest reward that any path has under u, by edge.
func GivenMax(t *Target, u []float64) (*Target, error) {
	return t.Given(compare.AtMax(t.Graph, u, t.Graph.Best(u)))
}

// Evaluate holds samples against a target by every metric, each beside its sampling floor: what as many exact draws
// show, on the average of 20.
func (l *Lab) Evaluate(t *Target, d *Draws) (*Table, error) {
	const reps = 20
	set, end := l.watch("sampling floors")
	defer end()
	list, err := compare.Evaluate(l.ctx(), t, d.Paths, reps, 0, set)
	if err != nil {
		return nil, err
	}
	table := kernelext.NewTable("metric", "value", "sampling floor", "greatest of 20")
	for _, m := range list {
		table.Add(m.Name, m.Value.Value, blank(m.Floor), blank(m.High))
	}
	return table, nil
}

func blank(x float64) any {
	if math.IsNaN(x) {
		return ""
	}
	return x
}

// Score estimates −log p of each path under the model, in nats: the bound of the diffusion, with draws of the noise
// from seed. Low is likely.
func (l *Lab) Score(m *Model, paths []Path, seed uint64) ([]float64, error) {
	set, end := l.watch("score")
	defer end()
	b := d3pm.Bound{Graph: m.Graph, Denoiser: m, Schedule: m.Schedule, Draws: 4, Progress: set}
	list, err := b.Score(l.ctx(), paths, seed)
	if err != nil {
		return nil, err
	}
	x := make([]float64, len(list))
	for i, n := range list {
		x[i] = n.Mean
	}
	return x, nil
}

// RewardsOf returns the reward of each path under u, by edge.
func RewardsOf(g *Graph, u []float64, paths []Path) ([]float64, error) {
	x := make([]float64, len(paths))
	for i, p := range paths {
		if err := g.Check(p); err != nil {
			return nil, err
		}
		x[i] = g.Total(u, p)
	}
	return x, nil
}
