package study

import (
	"context"
	"errors"
	"fmt"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/train"
)

// The rows of a report, also the keys of Report.Paths.
const (
	RowChain      = "fitted chain"
	RowModel      = "model"
	RowChainMax   = "fitted chain, MaxReward"
	RowAlgorithm2 = "model, Algorithm 2"
	RowModelMax   = "model, MaxReward"
)

// Run runs the demo, keeping its training, if there is any, in the run directory dir: a second run with the same
// settings finds its model there. It stops early, resumably, when ctx ends.
func (d *Demo) Run(ctx context.Context, dir string, w run.Progress) (*Report, error) {
	if w == nil {
		w = run.NoProgress{}
	}
	rep := &Report{Demo: d, Paths: map[string][]ddps.Path{}}
	if err := d.train(ctx, dir, w, rep); err != nil {
		return nil, err
	}
	target, err := d.target(rep.Graph)
	if err != nil {
		return nil, err
	}
	if rep.U, err = datasets.RewardInstance(rep.Graph, d.RMax, d.Seed); err != nil {
		return nil, err
	}
	if err := d.sample(ctx, w, rep); err != nil {
		return nil, err
	}
	w.Begin(d.Name+": distances and their sampling floors", 0, 2)
	defer w.End()
	if rep.Unguided, err = d.rows(target, rep, RowChain, RowModel); err != nil {
		return nil, err
	}
	if err := d.nats(ctx, target, rep); err != nil {
		return nil, err
	}
	w.Set(1, "")
	atMax := compare.AtMax(rep.Graph, rep.U, rep.Graph.Best(rep.U))
	for i, p := range target.Paths {
		if atMax(p) {
			rep.PMax += target.P[i]
		}
	}
	given, err := target.Given(atMax)
	if err != nil {
		return nil, err
	}
	rep.Conditioned, err = d.rows(given, rep, RowChainMax, RowAlgorithm2, RowModelMax)
	w.Set(2, "")
	return rep, err
}

// Check returns an error if dir holds another run than the demo's, or one that does not read: Run would refuse it.
func (d *Demo) Check(dir string) error {
	if d.Shipped != "" {
		return nil
	}
	_, err := run.Find(dir, d.Config, d.Data)
	return err
}

// train opens or makes the run directory and trains in it, or takes the shipped model.
func (d *Demo) train(ctx context.Context, dir string, w run.Progress, rep *Report) (err error) {
	if d.Shipped != "" {
		if rep.Model, err = run.Shipped(d.Shipped); err == nil {
			rep.Graph = rep.Model.Graph
		}
		return err
	}
	r, err := run.FindOrCreate(dir, d.Config, d.Data)
	if err != nil {
		return err
	}
	r.Warn = d.Warn
	rep.Model, err = r.Resume(ctx, d.Name, w, train.Hooks{
		Step: func(s train.StepInfo) { rep.Steps = append(rep.Steps, s) },
		Eval: func(e train.EvalInfo) { rep.Evals = append(rep.Evals, e) },
	})
	if err != nil {
		return err
	}
	if len(rep.Steps) == 0 || rep.Steps[0].Step > 1 { // trained before, or in part
		var log *run.Log
		if log, err = r.Log(); err == nil {
			rep.Steps, rep.Evals = log.Steps, log.Evals
		}
	}
	rep.Graph = rep.Model.Graph
	return err
}

// target returns the true distribution.
func (d *Demo) target(g *ddps.LayeredGraph) (*compare.Target, error) {
	data := d.Data.Prune()
	t, err := compare.DataTarget(d.Data.Graph, data)
	if err != nil || d.Distribution == nil {
		return t, err
	}
	all, err := datasets.All(g, len(d.Distribution))
	if err != nil {
		return nil, err
	}
	dist, err := compare.NewTarget(g, all.Paths, d.Distribution)
	if err != nil {
		return nil, err
	}
	return dist.WithDistricts(t.Districts()), nil
}

// sample draws the samples of all rows.
func (d *Demo) sample(ctx context.Context, w run.Progress, rep *Report) error {
	best, err := query.Guide{Name: query.MaxReward}.Condition(rep.Graph, rep.U)
	if err != nil {
		return err
	}
	c, tight := rep.Model.Chain, make([]float64, rep.Graph.NumEdges())
	best.Tilt(c.P, tight)
	for i := range uint64(d.Samples) {
		rep.Paths[RowChain] = append(rep.Paths[RowChain], c.Sample(ddps.Rand(d.Seed, i)))
		rep.Paths[RowChainMax] = append(rep.Paths[RowChainMax], (&chain.Chain{Graph: c.Graph, P: tight}).Sample(
			ddps.Rand(d.Seed, i)))
	}
	for _, s := range []struct {
		row   string
		guide query.Guide
		steps int
	}{{RowModel, query.Guide{}, 0}, {RowAlgorithm2, query.Guide{Name: query.Algorithm2, Lambda: d.Lambda}, d.Guided},
		{RowModelMax, query.Guide{Name: query.MaxReward}, 0}} {
		sampler := rep.Model.Sampler()
		sampler.Steps = s.steps
		if err := s.guide.Apply(sampler, rep.U); err != nil {
			return err
		}
		w.Begin(fmt.Sprintf("%s: %d paths, %s", d.Name, d.Samples, s.row), 0, d.Samples*max(1, sampler.Taken()))
		sampler.Progress = func(done, _ int) { w.Set(done, "") }
		rep.Paths[s.row], err = sampler.Sample(ctx, d.Samples, d.Seed)
		w.End()
		if err != nil {
			return err
		}
	}
	return nil
}

// rows compares the named samples with a target.
func (d *Demo) rows(t *compare.Target, rep *Report, names ...string) ([]compare.Row, error) {
	c, err := compare.New(t, rep.U, d.Samples, d.Seed)
	if err != nil {
		return nil, err
	}
	var rows []compare.Row
	for _, name := range names {
		r, err := c.Row(name, rep.Paths[name])
		if err != nil {
			return nil, errors.Join(fmt.Errorf("study: %s", name), err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}
