package lab

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/ddps/experiment"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/artefact"
	"github.com/ddps-go/ddps/plots"
)

// What is measured of a guide as its strength grows.
type (
	Sweep       = experiment.Sweep
	SweepConfig = experiment.SweepConfig
	Front       = experiment.Front
)

// WithoutNetwork returns the model's exact denoiser alone, as a model: what its network corrects. On data whose law is a
// chain, as Toy's, it is the Bayes optimum, and it samples many times faster.
func WithoutNetwork(m *Model) (*Model, error) {
	cfg := m.Config
	cfg.Network = model.NetworkNone
	return model.NewOn(m.Chain, m.Mixture, cfg, 0)
}

// SweepGuide samples m at each strength of a guide to reward u, by edge, and holds the samples against t by every
// metric. The result is kept below runs/artefacts: the second time it is only read.
//
//	target := must(GivenMax(must(TargetOf(data)), u))
//	s := must(SweepGuide(m, u, target, SweepConfig{Guide: "algorithm2", Samples: 1024, Steps: 64, Floors: 10}))
//	SweepPlot("L1", s)
func (l *Lab) SweepGuide(m *Model, u []float64, t *Target, cfg SweepConfig) (*Sweep, error) {
	set, end := l.watch(fmt.Sprintf("%s, maximum %.3g", cfg.Guide, m.Graph.Best(u)))
	defer end()
	return l.sweep(m, u, t, cfg, set)
}

// sweep makes or reads one sweep.
func (l *Lab) sweep(m *Model, u []float64, t *Target, cfg SweepConfig, set func(done, total int)) (*Sweep, error) {
	sweep := func(ctx context.Context) (Sweep, error) {
		s, err := cfg.Run(ctx, m, u, t, set)
		if err != nil {
			return Sweep{}, err
		}
		return *s, nil
	}
	var model bytes.Buffer
	if err := m.Save(&model); err != nil {
		return nil, err
	}
	s, err := artefact.Cached(l.ctx(), filepath.Join("runs", "artefacts"), sweep, model.Bytes(), u, t, cfg)
	return &s, err
}

// SweepRewards is the mean of SweepGuide over several rewards, RandomReward of seeds 0, 1, …, count−1, each against law
// given its greatest total: one curve of the paper's figures 4 to 6, with its error bars.
//
//	SweepRewards(m, law, 4, 20, SweepConfig{Guide: "algorithm2", Samples: 65536, Steps: 256})
func (l *Lab) SweepRewards(m *Model, law *Target, best, count int, cfg SweepConfig) (*Sweep, error) {
	set, end := l.watch(fmt.Sprintf("%s, maximum %d", cfg.Guide, best))
	defer end()
	var list []*Sweep
	worked := false
	for i := range count {
		u, err := RandomReward(m.Graph, best, uint64(i))
		if err != nil {
			return nil, err
		}
		t, err := GivenMax(law, u)
		if err != nil {
			return nil, err
		}
		s, err := l.sweep(m, u, t, cfg, func(done, total int) { set(i*total+done, count*total); worked = true })
		if err != nil {
			return nil, err
		}
		if list = append(list, s); worked { // what was kept counts too
			set((i+1)*len(s.X), count*len(s.X))
		}
	}
	return experiment.MeanSweep(list...)
}

// MeanSweep returns the mean of sweeps over several rewards, with their standard deviations.
func MeanSweep(list ...*Sweep) (*Sweep, error) { return experiment.MeanSweep(list...) }

// SweepPlot draws one quantity of sweeps against λ, "reward" or a metric as Evaluate names it. Dotted are the greatest
// rewards, or else the sampling floors; golden, for a metric and one guide, is the λ at which it is least.
func SweepPlot(metric string, sweeps ...*Sweep) (*plot.Plot, error) {
	s, err := sweepFigure(metric, sweeps)
	if err != nil {
		return nil, err
	}
	s.Title = metric
	return s.Plot()
}

func sweepFigure(metric string, sweeps []*Sweep) (s plots.Sweep, err error) {
	reward := metric == experiment.CurveReward || metric == experiment.CurveAtMax
	s = plots.Sweep{YLabel: metric, LimitName: "sampling floor"}
	for _, w := range sweeps {
		c, err := w.Curve(metric)
		if err != nil {
			return s, err
		}
		limit := c.Floor
		if reward {
			s.LimitName, limit = "maximum", 1
			if metric == experiment.CurveReward {
				limit = w.Best
			}
		}
		s.Limits = append(s.Limits, limit)
		s.Series = append(s.Series, plots.Series{Name: sweepName(w, sweeps), X: w.X, Y: c.Y, Err: c.Std})
	}
	if !reward && oneGuide(sweeps) {
		s.SweetSpot, err = experiment.CommonSweetSpot(metric, sweeps...)
	}
	return s, err
}

// sweepName tells a sweep from the others, by its guide or by its reward.
func sweepName(w *Sweep, all []*Sweep) string {
	if oneGuide(all) {
		return fmt.Sprintf("maximum %.3g", w.Best)
	}
	return w.Guide
}

// oneGuide tells whether strengths mean the same in all sweeps.
func oneGuide(all []*Sweep) bool {
	for _, w := range all {
		if w.Guide != all[0].Guide {
			return false
		}
	}
	return true
}

// SweepFigure is SweepPlot of several quantities in panels, two a row, with one legend.
//
//	SweepFigure([]string{"L1", "KL, floored at 0.5/N"}, s)
func SweepFigure(metrics []string, sweeps ...*Sweep) (*plots.Figure, error) {
	var grid [][]*plot.Plot
	var legend plots.Sweep
	for i, name := range metrics {
		s, err := sweepFigure(name, sweeps)
		if err != nil {
			return nil, err
		}
		if s.Title = name; s.SweetSpot > 0 {
			s.Title += fmt.Sprintf(": least at λ = %.4g", s.SweetSpot)
		}
		s.YLabel = "" // the title says it
		p, err := s.Plot()
		if err != nil {
			return nil, err
		}
		if i%2 == 0 {
			grid = append(grid, []*plot.Plot{nil, nil})
		}
		grid[i/2][i%2] = p
		if i == 0 {
			legend = s
			legend.SweetSpot = 0 // not the same in all panels
		}
	}
	return plots.NewFigure("", legend, grid)
}

// SweepTable returns quantities of a sweep, a row a strength.
func SweepTable(s *Sweep, metrics ...string) (*Table, error) {
	t := kernelext.NewTable(append([]string{"strength"}, metrics...)...)
	floors := []any{"sampling floor"}
	rows := make([][]any, len(s.X))
	for i, x := range s.X {
		rows[i] = []any{fmt.Sprintf("%g", x)}
	}
	known := false
	for _, name := range metrics {
		c, err := s.Curve(name)
		if err != nil {
			return nil, err
		}
		for i, y := range c.Y {
			rows[i] = append(rows[i], y)
		}
		floors, known = append(floors, blank(c.Floor)), known || !math.IsNaN(c.Floor)
	}
	for _, r := range rows {
		t.Add(r...)
	}
	if known {
		t.Add(floors...)
	}
	return t, nil
}

// FrontOf returns the least divergence KL(q ‖ t), in nats, that samples of a law q can have for their mean reward u, by
// edge: of t's exact tilts by exp(βR), for betas ascending.
func FrontOf(t *Target, u, betas []float64, n int) (*Front, error) {
	const reps = 20
	return experiment.NewFront(t, u, betas, n, reps, 0)
}

// FrontPlot draws samplers' divergence from the law unguided against their reward, of sweeps made with that law as
// target, above the front. Of the first curve, what exact draws show, a part lies above the front too.
func FrontPlot(f *Front, sweeps ...*Sweep) (*plot.Plot, error) {
	p := plots.Pareto{Title: "reward against faithfulness; at the marks, the strength", XLabel: "mean reward", YLabel: "KL(samples ‖ learnt law) (nats)",
		Front: plots.Series{Name: "least possible", X: f.Reward, Y: f.KL}, Labels: [][]string{nil},
		Series: []plots.Series{{Name: "exact draws", X: f.Reward, Y: f.Drawn}}, LimitName: "maximum"}
	for _, w := range sweeps {
		r, err := w.Curve(experiment.CurveReward)
		if err != nil {
			return nil, err
		}
		d, err := w.Curve(experiment.CurveReverse)
		if err != nil {
			return nil, err
		}
		p.Series, p.Limit = append(p.Series, plots.Series{Name: w.Guide, X: r.Y, Y: d.Y}), w.Best
		var labels []string
		for _, x := range w.X {
			labels = append(labels, fmt.Sprintf("%g", x))
		}
		if w.Guide == experiment.Boltzmann {
			labels = nil
		}
		p.Labels = append(p.Labels, labels)
	}
	return p.Plot()
}
