package experiment

import (
	"context"

	"github.com/ddps-go/ddps/ddps/baselines"
)

// table1SwinGNN is SwinGNN.
type table1SwinGNN struct {
	Swin
	part  int
	curve *Ledger[SwinRow] // of its training; nil: none
}

func newSwinGNN(t *Table1, curve *Ledger[SwinRow]) *table1SwinGNN {
	r := &table1SwinGNN{Swin: SwinOf(t.Preset, t.Backend), part: 512, curve: curve}
	if t.Preset != PresetPaper {
		r.part = 128
	}
	if t.Train > 0 {
		r.Train.Steps = t.Train
	}
	return r
}

func (r *table1SwinGNN) name() string { return MethodSwinGNN }

func (r *table1SwinGNN) settings() any {
	s := r.Swin
	s.Probe = 0 // no number of the row depends on it
	return s
}

func (r *table1SwinGNN) train(ctx context.Context, dir, _ string, d *table1Data, w Watch) (*learnt, error) {
	m, seconds, err := r.Fit(ctx, dir, d.train, d.held, d.seed, r.curve, w)
	if err != nil {
		return nil, err
	}
	return &learnt{weights: m.NumWeights(), examples: r.Train.Steps * r.Train.Batch, seconds: seconds, part: r.part,
		draw: func(ctx context.Context, first, n int, progress func(done, total int)) ([][]baselines.Edge, error) {
			return m.Sample(ctx, first, n, d.seed^sampleSeed, r.Sample, progress)
		}}, nil
}
