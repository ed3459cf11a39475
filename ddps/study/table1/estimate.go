package table1

import (
	"context"
	"math"
	"strings"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/baselines/edpgnn"
	"github.com/ddps-go/ddps/ddps/baselines/swingnn"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/study"
	measure "github.com/ddps-go/ddps/ddps/study/internal/cost"
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
	edge, err := rewardedEdge(train.Graph, repeated(train), v.Seed)
	if err != nil {
		return e, err
	}
	// By the denoised sample's reward each evaluation has a gradient through the network, of about two more.
	times := map[string]float64{ValidNoisy: 1, ValidDenoised: 3}
	points := v.points(train.Graph, edge)
	missing := (&study.Table[ValidityRow]{Rows: rows}).Missing(points, ValidityRow.same)
	e.Points, e.Missing = len(points), len(missing)
	for _, p := range missing {
		if p.Lambda == 0 {
			e.Sampling += min(times[p.Method], 1) * swin.sampling
		} else {
			e.Sampling += times[p.Method] * swin.sampling
		}
	}
	return e, nil
}

// slope returns the CPU time in seconds that do(n + 1) takes more than do(n). A run before the others opens the
// backend; what each does once, as compiling a graph, is outweighed by more and more steps.
func slope(do func(n int) error) (float64, error) {
	const most = 1 << 10
	if err := do(1); err != nil {
		return 0, err
	}
	once := 0.0
	for n := 1; ; n *= 4 {
		began := cputime.Process()
		if err := do(n); err != nil {
			return 0, err
		}
		took := cputime.Process() - began
		if n == 1 {
			once = took
		} else if took > 2*once && took > .1 || n == most {
			return max(0, took-once) / float64(n-1), nil
		}
	}
}

// few is how many examples, or samples, a cost is measured on in plain Go, where they add up.
const few = 2

// measured is how many of a batch a cost is measured on. On XLA that is all of them: a step on a few takes hardly less.
func measured(backend string, batch int) (int, error) {
	note, err := model.CheckBackend(backend)
	if strings.HasPrefix(note, "XLA") {
		return batch, err
	}
	return min(few, batch), err
}

// exampleCost returns the CPU time in seconds of an example in a baseline's training.
func exampleCost(ctx context.Context, backend string, cfg baselines.TrainConfig,
	trainer func(baselines.TrainConfig) (*baselines.Trainer, error)) (float64, error) {
	batch, err := measured(backend, cfg.Batch)
	if err != nil {
		return 0, err
	}
	step, err := slope(func(n int) error {
		c := cfg
		c.Steps, c.Batch, c.EvalEvery, c.Checkpoint = n, batch, 0, 0
		t, err := trainer(c)
		if err != nil {
			return err
		}
		return t.Run(ctx, baselines.Hooks{})
	})
	return step / float64(batch), err
}

// trainShare is how many evaluations of SwinGNN an example in training takes, about: by what both took at
// run.PresetQuick on RQ1 (docs/reproduced).
const trainShare = 4.5

// work returns the multiplications of an evaluation of the network on a graph of so many vertices, about.
func work(c swingnn.Config, vertices int) (sum float64) {
	side := float64((vertices + c.Patch - 1) / c.Patch)
	dim := float64(c.Dim)
	for _, blocks := range c.Depths { // down and up
		window := min(float64(c.Window), side)
		sum += 2 * float64(blocks) * side * side * (float64(4+2*c.Ratio)*dim*dim + 2*window*window*dim)
		side, dim = math.Ceil(side/2), 2*dim
	}
	return sum
}

// cost measures training steps of the small network, and counts the work that this one has more: a step of the
// published one takes minutes on a CPU without XLA.
func (r *swinMethod) cost(ctx context.Context, d *splitData, samples int) (c cost, err error) {
	V := d.graph.NumVertices()
	small := r.Model
	if own := swinOf(sizeSmall, r.Model.Backend).Model; work(own, V) < work(small, V) {
		small = own
	}
	small.Parts = 1 // a few examples have no more
	m, err := swingnn.New(V, small, d.seed)
	if err != nil {
		return c, err
	}
	on := repeated(d.train)
	example, err := exampleCost(ctx, r.Model.Backend, r.Train, func(t baselines.TrainConfig) (*baselines.Trainer, error) {
		return m.Trainer(d.graph, on, nil, t)
	})
	example *= work(r.Model, V) / work(small, V)
	each := example / trainShare * float64(2*r.Sample.Steps-1) // of a sample
	c.training, c.sampling = example*float64(r.Train.Steps*r.Train.Batch), each*float64(samples)
	if r.Probe > 0 && r.Train.Checkpoint > 0 {
		c.training += each * float64(r.Probe*(r.Train.Steps/r.Train.Checkpoint))
	}
	return c, err
}

func (r *edpgnnMethod) cost(ctx context.Context, d *splitData, samples int) (c cost, err error) {
	train, err := baselines.PathGraphs(d.graph, repeated(d.train))
	if err != nil {
		return c, err
	}
	m, err := edpgnn.New(d.graph.NumVertices(), r.Network, d.seed)
	if err != nil {
		return c, err
	}
	m.SetBackend(r.backend)
	example, err := exampleCost(ctx, r.backend, r.Train, func(t baselines.TrainConfig) (*baselines.Trainer, error) {
		return m.Trainer(train, nil, t)
	})
	if err != nil {
		return c, err
	}
	batch, err := measured(r.backend, r.Sample.Batch)
	if err != nil {
		return c, err
	}
	step, err := slope(func(n int) error {
		s := r.Sample
		s.Steps, s.Batch = n, batch
		_, err := m.Sample(ctx, 0, batch, d.seed, nil, s, nil)
		return err
	})
	c.training = example * float64(r.Train.Steps*r.Train.Batch)
	search := len(r.Grid.Steps) * len(r.Grid.Noises) * r.Grid.N
	c.sampling = step * float64(r.Sample.Steps) / float64(batch) * float64(samples+search)
	return c, err
}

// cost counts no samples, of which DDPS draws tens of thousands a second.
func (r *ddpsMethod) cost(ctx context.Context, d *splitData, _ int) (c cost, err error) {
	c.training, c.memory, err = measure.Training(ctx, r.Config, d.all)
	return c, err
}
