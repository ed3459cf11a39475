package lab

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/kernelext/artefact"
	"github.com/ddps-go/ddps/plots/paper"
)

// Samples under one guide at several scales, and the least divergence that there is.
type (
	Trial = study.Trial
	Front = compare.Front
)

// WithoutNetwork returns the model's exact denoiser alone, as a model: what its network corrects. On data whose
// distribution is a chain, as Toy's, it is the Bayes optimum, and it samples many times faster.
func WithoutNetwork(m *Model) (*Model, error) {
	cfg := m.Config
	cfg.Network = model.NetworkNone
	return model.NewOn(m.Chain, m.Mixture, cfg, 0)
}

// SweepGuide samples m at each scale of a guide to reward u, by edge, and compares the samples with t, a row each: see
// StudyPlot. The result is kept below runs/artefacts: the second time it is only read.
//
//	target := must(GivenMax(must(TargetOf(data)), u))
//	rows := must(SweepGuide(m, u, target, Trial{Guide: "algorithm2", Samples: 1024, Steps: 64, Floors: 10}))
//	StudyPlot(rows, SeriesOf(rows)[0], "L1")
func (l *Lab) SweepGuide(m *Model, u []float64, t *Target, trial Trial) ([]StudyRow, error) {
	set, end := l.watch(fmt.Sprintf("%s, maximum %.3g", trial.Guide, m.Graph.Best(u)))
	defer end()
	return l.trial(m, u, t, trial, set)
}

// trial makes or reads the rows of one reward.
func (l *Lab) trial(m *Model, u []float64, t *Target, trial Trial, set func(done, total int)) ([]StudyRow, error) {
	rows := func(ctx context.Context) ([]StudyRow, error) { return trial.Run(ctx, m, u, t, set) }
	var model bytes.Buffer
	if err := m.Save(&model); err != nil {
		return nil, err
	}
	return artefact.Cached(l.ctx(), filepath.Join("runs", "artefacts"), rows, model.Bytes(), u, t, trial)
}

// SweepRewards is SweepGuide for several rewards, RandomReward of seeds 0, 1, …, count−1, each against distribution
// given its greatest total: one curve of the paper's figures 4 to 6, with its error bars.
//
//	SweepRewards(m, distribution, 4, 20, Trial{Guide: "algorithm2", Samples: 65536, Steps: 256})
func (l *Lab) SweepRewards(m *Model, dist *Target, best, count int, trial Trial) (rows []StudyRow, err error) {
	set, end := l.watch(fmt.Sprintf("%s, maximum %d", trial.Guide, best))
	defer end()
	n := len(trial.Scales)
	if trial.Scales == nil {
		n = len(study.Lambdas())
	}
	for i := range count {
		u, err := RandomReward(m.Graph, best, uint64(i))
		if err != nil {
			return nil, err
		}
		t, err := GivenMax(dist, u)
		if err != nil {
			return nil, err
		}
		trial.Instance = i
		list, err := l.trial(m, u, t, trial, func(done, _ int) { set(i*n+done, count*n) })
		if err != nil {
			return nil, err
		}
		rows = append(rows, list...)
		set((i+1)*n, count*n) // what was kept counts too
	}
	return rows, nil
}

// FrontOf returns the least divergence KL(q ‖ t), in nats, that samples of a distribution q can have for their mean
// reward u, by edge: of t's exact tilts by exp(βR), for betas ascending.
func FrontOf(t *Target, u, betas []float64, n int) (*Front, error) {
	const reps = 20
	return compare.NewFront(t, u, betas, n, reps, 0)
}

// FrontPlot draws the divergence from the unguided distribution against the reward, of rows of SweepGuide with that
// distribution as target, above the front. Of the first curve, exact samples, a part lies above the front too.
func FrontPlot(f *Front, rows []StudyRow) (*plot.Plot, error) { return paper.FrontPlot(f, rows) }
