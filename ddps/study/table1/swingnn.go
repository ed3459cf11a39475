package table1

import (
	"context"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
)

// swinMethod trains and samples SwinGNN as a method of the study.
type swinMethod struct {
	Swin
	part  int
	curve *study.Table[SwinRow] // of its training; nil: none
}

func newSwinGNN(t *Study, n size, curve *study.Table[SwinRow]) *swinMethod {
	r := &swinMethod{Swin: swinOf(n, t.Backend), part: 512, curve: curve}
	if n != sizePaper {
		r.part = 128
	}
	if t.Train > 0 {
		r.Train = r.Train.WithSteps(t.Train)
	}
	return r
}

func (r *swinMethod) name() string { return MethodSwinGNN }

func (r *swinMethod) settings() any {
	s := r.Swin
	s.Probe = 0 // no number of the row depends on it
	return s
}

func (r *swinMethod) train(ctx context.Context, dir, _ string, d *splitData, w run.Progress) (*learned, error) {
	m, seconds, err := r.Fit(ctx, dir, d.train, d.held, d.seed, r.curve, w)
	if err != nil {
		return nil, err
	}
	return &learned{weights: m.NumWeights(), examples: r.Train.Steps * r.Train.Batch, seconds: seconds, part: r.part,
		draw: func(ctx context.Context, first, n int, progress func(done, total int)) ([][]baselines.Edge, error) {
			return m.Sample(ctx, first, n, d.seed^sampleSeed, r.Sample, progress)
		}}, nil
}
