package table1

import (
	"context"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/baselines/edpgnn"
	"github.com/ddps-go/ddps/ddps/baselines/swingnn"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/internal/cputime"
)

// cost is the CPU time in seconds of a method's training and of its samples, and the memory of its training in bytes,
// 0 where that is not known before it runs.
type cost struct{ training, sampling, memory float64 }

// Estimate returns what Run would take, for the rows that there are. It trains nothing to its end and counts no
// training that is done in part.
func (t *Study) Estimate(ctx context.Context, rows []Row) (e study.Estimate, err error) {
	e.Part = "table 1"
	list, err := t.list(nil)
	if err != nil {
		return e, err
	}
	data, err := newData(t.Graph, t.Seed)
	if err != nil {
		return e, err
	}
	for _, m := range list {
		print, err := fingerprint(m.settings())
		if err != nil {
			return e, err
		}
		e.Points++
		point := Row{Method: m.name(), Graph: t.Graph, Preset: t.Preset, Seed: t.Seed, Settings: print,
			Samples: t.samples()}
		missing := (&study.Table[Row]{Rows: rows}).Missing([]Row{point}, Row.same)
		if len(missing) == 0 {
			continue
		}
		c, err := m.cost(ctx, data, point.Samples)
		if err != nil {
			return e, err
		}
		e.Missing++
		e.Training, e.Sampling, e.Memory = e.Training+c.training, e.Sampling+c.sampling, max(e.Memory, c.memory)
	}
	return e, nil
}

// Estimate returns what Run would take, for the rows that there are. SwinGNN's training is counted with trained false:
// table 1 in the same directory has the same network.
func (v *Validity) Estimate(ctx context.Context, rows []ValidityRow, trained bool) (e study.Estimate, err error) {
	e.Part = "figure 3"
	train, held := v.Data.Prune().Split(v.Config.Hold, v.Config.HoldSeed)
	d := &splitData{graph: train.Graph, all: v.Data, train: train, held: held, seed: v.Seed}
	swin, err := (&swinMethod{Swin: v.Swin}).cost(ctx, d, v.Samples)
	if err != nil {
		return e, err
	}
	if !trained {
		e.Training = swin.training
	}
	lambdas := v.Lambdas
	if lambdas == nil {
		lambdas = study.Lambdas()
	}
	// By the denoised sample's reward each evaluation has a gradient through the network, of about two more.
	times := map[string]float64{ValidNoisy: 1, ValidDenoised: 3}
	for _, method := range []string{ValidDDPS, ValidNoisy, ValidDenoised} {
		for _, lambda := range lambdas {
			e.Points++
			has := false
			for _, r := range rows {
				has = has || r.Seed == v.Seed && r.Method == method && r.Lambda == lambda && r.Samples == v.Samples
			}
			if has {
				continue
			}
			e.Missing++
			if lambda == 0 {
				e.Sampling += min(times[method], 1) * swin.sampling
			} else {
				e.Sampling += times[method] * swin.sampling
			}
		}
	}
	return e, nil
}

// slope returns the CPU time in seconds that do(n) takes more with n + 1 than with n, from two runs. A run before them
// opens the backend and compiles the graphs.
func slope(few, more int, do func(n int) error) (float64, error) {
	if err := do(few); err != nil {
		return 0, err
	}
	var took [2]float64
	for i, n := range []int{few, more} {
		began := cputime.Process()
		if err := do(n); err != nil {
			return 0, err
		}
		took[i] = cputime.Process() - began
	}
	return max(0, took[1]-took[0]) / float64(more-few), nil
}

// stepCost returns the CPU time in seconds of all steps of a baseline's training.
func stepCost(ctx context.Context, cfg baselines.TrainConfig,
	trainer func(baselines.TrainConfig) (*baselines.Trainer, error)) (float64, error) {
	step, err := slope(1, 3, func(n int) error {
		c := cfg
		c.Steps, c.EvalEvery, c.Checkpoint = n, 0, 0
		t, err := trainer(c)
		if err != nil {
			return err
		}
		return t.Run(ctx, baselines.Hooks{})
	})
	return step * float64(cfg.Steps), err
}

// few is how many samples a cost is measured on.
const few = 16

func (r *swinMethod) cost(ctx context.Context, d *splitData, samples int) (c cost, err error) {
	m, err := swingnn.New(d.graph.NumVertices(), r.Model, d.seed)
	if err != nil {
		return c, err
	}
	on, out := repeated(d.train), repeated(d.held)
	c.training, err = stepCost(ctx, r.Train, func(t baselines.TrainConfig) (*baselines.Trainer, error) {
		return m.Trainer(d.graph, on, out, t)
	})
	if err != nil {
		return c, err
	}
	step, err := slope(2, 5, func(n int) error {
		s := r.Sample
		s.Steps = n
		_, err := m.Sample(ctx, 0, few, d.seed, s, nil)
		return err
	})
	each := step * float64(r.Sample.Steps) / few
	if r.Probe > 0 && r.Train.Checkpoint > 0 {
		c.training += each * float64(r.Probe*(r.Train.Steps/r.Train.Checkpoint))
	}
	c.sampling = each * float64(samples)
	return c, err
}

func (r *edpgnnMethod) cost(ctx context.Context, d *splitData, samples int) (c cost, err error) {
	graphs := func(of *datasets.Data) []baselines.Graph {
		list, e := baselines.PathGraphs(d.graph, repeated(of))
		if e != nil {
			err = e
		}
		return list
	}
	train, held := graphs(d.train), graphs(d.held)
	if err != nil {
		return c, err
	}
	m, err := edpgnn.New(d.graph.NumVertices(), r.Network, d.seed)
	if err != nil {
		return c, err
	}
	m.SetBackend(r.backend)
	c.training, err = stepCost(ctx, r.Train, func(t baselines.TrainConfig) (*baselines.Trainer, error) {
		return m.Trainer(train, held, t)
	})
	if err != nil {
		return c, err
	}
	step, err := slope(1, 3, func(n int) error {
		s := r.Sample
		s.Steps, s.Batch = n, few
		_, err := m.Sample(ctx, 0, few, d.seed, nil, s, nil)
		return err
	})
	search := len(r.Grid.Steps) * len(r.Grid.Noises) * r.Grid.N
	c.sampling = step * float64(r.Sample.Steps) / few * float64(samples+search)
	return c, err
}

// cost counts no samples, of which DDPS draws tens of thousands a second.
func (r *ddpsMethod) cost(ctx context.Context, d *splitData, _ int) (c cost, err error) {
	c.training, c.memory, err = study.TrainingCost(ctx, r.Config, d.all)
	return c, err
}
