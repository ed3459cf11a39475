package study

import (
	"context"
	"math"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/run"
)

// natsPaths is how many validation paths, drawn by weight, a demo's likelihoods are a mean of.
const natsPaths = 512

// nats adds to the unguided rows how likely validation paths are, in nats per path: under the chain, under the model
// by its bound, and as floor under the true distribution. Where nothing is kept for validation the data serve.
func (d *Demo) nats(ctx context.Context, t *compare.Target, rep *Report) error {
	r := &run.Run{Config: d.Config, Data: d.Data}
	train, held := r.Split()
	if held == nil {
		held = train
	}
	dist, err := compare.NewTarget(held.Graph, held.Paths, held.Weights())
	if err != nil {
		return err
	}
	paths := dist.Draw(natsPaths, d.Seed, 1)
	b := &d3pm.Bound{Graph: rep.Graph, Denoiser: rep.Model, Schedule: rep.Model.Schedule}
	bounds, err := b.Score(ctx, paths, d.Seed)
	if err != nil {
		return err
	}
	chain, model, truth := 0.0, 0.0, 0.0
	for i, p := range paths {
		lp, err := rep.Model.Chain.LogProb(p)
		if err != nil {
			return err
		}
		chain -= lp / natsPaths
		model += bounds[i].Mean / natsPaths
		truth -= math.Log(t.Probability(p)) / natsPaths
	}
	for i, x := range []float64{chain, model} {
		rep.Unguided[i].Nats = compare.Value{Value: x, Floor: truth, High: math.NaN()}
	}
	return nil
}
