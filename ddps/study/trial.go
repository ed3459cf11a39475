package study

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/metrics"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
)

// Lambdas returns the guidance scales λ of the studies, 0 for none to 10⁵ (the paper's figures 4 to 6 give no list).
func Lambdas() []float64 {
	return []float64{0, .1, .3, 1, 3, 10, 30, 100, 300, 1e3, 3e3, 1e4, 1e5}
}

// Trial is one curve of figures 4 to 6, of any model, reward and target: samples under one guide at several scales.
type Trial struct {
	Guide    string    // by name
	Kernel   string    // reverse step by name, "" for the default
	Scales   []float64 // λ, or β of boltzmann; nil: Lambdas
	Samples  int       // of each scale, at least 1
	Steps    int       // reverse steps S; 0: d3pm.DefaultSteps
	Floors   int       // exact samples, of that size each, behind the sampling floors; 0: none
	Seed     uint64
	Instance int    // number of the reward, for curves that are means over rewards
	Backend  string // as d3pm.Sampler's; all scales are then drawn together
}

// Run draws samples of m, guided to reward u, by edge, at each scale, and compares them with t: a row each, and one
// more, ReferenceExact, with the sampling floors. progress, if not nil, is called with the number of scales done. It
// ends early with ctx's error. The greatest reward of any path must be a whole number.
func (c Trial) Run(ctx context.Context, m *model.Model, u []float64, t *compare.Target,
	progress func(done, total int)) ([]GuidanceRow, error) {
	if err := c.check(m, u); err != nil {
		return nil, fmt.Errorf("study: trial: %w", err)
	}
	rows, err := c.floors(ctx, m, u, t)
	if err != nil {
		return nil, fmt.Errorf("study: trial: sampling floors: %w", err)
	}
	scales := c.Scales
	if scales == nil {
		scales = Lambdas()
	}
	together := 1
	if c.Backend != "" {
		together = max(1, len(scales))
	}
	for i := 0; i < len(scales); i += together {
		some := scales[i:min(i+together, len(scales))]
		samples, err := c.sample(ctx, m, u, some)
		if err != nil {
			return nil, fmt.Errorf("study: trial: scale %v: %w", some[0], err)
		}
		for k, paths := range samples {
			row := c.row(m, u)
			row.Distribution, row.Kernel, row.Lambda, row.Steps = c.Guide, c.Kernel, some[k], c.Steps
			if err := row.fill(m.Graph, u, t, paths, true); err != nil {
				return nil, fmt.Errorf("study: trial: scale %v: %w", some[k], err)
			}
			rows = append(rows, row)
			if progress != nil {
				progress(i+k+1, len(scales))
			}
		}
	}
	return rows, ctx.Err()
}

func (c Trial) check(m *model.Model, u []float64) error {
	if c.Floors < 0 {
		return fmt.Errorf("%d samples for the sampling floors, must be at least 0", c.Floors)
	}
	if c.Samples < 1 {
		return fmt.Errorf("%d samples, must be at least 1", c.Samples)
	}
	if err := m.Graph.CheckReward(u); err != nil {
		return err
	}
	if best := m.Graph.Best(u); math.Abs(best-math.Round(best)) > 1e-9 {
		return fmt.Errorf("the greatest reward is %v, must be a whole number", best)
	}
	return nil
}

// row is a row of the trial, yet without results.
func (c Trial) row(m *model.Model, u []float64) GuidanceRow {
	return GuidanceRow{Model: m.Config.Kind(), RMax: int(math.Round(m.Graph.Best(u))), Instance: c.Instance, P: math.NaN(),
		Samples: c.Samples, Seed: c.Seed, Own: compare.NoDistances()}
}

// sample draws the samples at some scales.
func (c Trial) sample(ctx context.Context, m *model.Model, u, scales []float64) ([][]ddps.Path, error) {
	var each []*d3pm.Sampler
	for _, x := range scales {
		s := m.Sampler()
		s.Steps, s.Backend = c.Steps, c.Backend
		var err error
		if s.Kernel, err = query.Kernel(c.Kernel); err != nil {
			return nil, err
		}
		if err := (query.Guide{Name: c.Guide, Lambda: x, Beta: x}).Apply(s, u); err != nil {
			return nil, err
		}
		each = append(each, s)
	}
	return d3pm.SampleEach(ctx, each, c.Samples, c.Seed, nil)
}

// floors returns the row of exact samples of the target: its distances are means over c.Floors samples.
func (c Trial) floors(ctx context.Context, m *model.Model, u []float64, t *compare.Target) ([]GuidanceRow, error) {
	if c.Floors == 0 {
		return nil, nil
	}
	row := c.row(m, u)
	row.Distribution = ReferenceExact
	var mean compare.Distances
	for r := range c.Floors {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := row.fill(m.Graph, u, t, t.Draw(c.Samples, c.Seed, uint64(r)), true); err != nil {
			return nil, err
		}
		mean.AddScaled(1/float64(c.Floors), row.Exact)
	}
	row.Exact = mean
	return []GuidanceRow{row}, nil
}

// fill sets what samples of paths show: rewards under u, by edge, and the distances from t, those of distributions over
// paths only if listed, where they are few enough to compare.
func (r *GuidanceRow) fill(g *ddps.LayeredGraph, u []float64, t *compare.Target, paths []ddps.Path, listed bool) (
	err error) {
	if r.Valid, err = metrics.ValidRate(g, paths); err != nil {
		return err
	}
	if r.Reward, r.RewardStd, r.AtMax, err = compare.RewardStats(g, u, paths); err != nil {
		return err
	}
	r.Distinct = metrics.NewSupport(metrics.Keys(paths)).Len()
	if r.Exact, err = t.Distances(paths, listed); err != nil {
		return err
	}
	r.Reverse = math.NaN()
	if listed {
		r.Reverse, err = t.ReverseKL(paths)
	}
	return err
}

// Tradeoff returns reward and divergence along the scales of a series, for compare.Front: the mean reward and
// KL(samples ‖ target), in nats, ascending in the scale. The error says so if the rows hold none, or were read from a
// file, where the divergence is not kept.
func Tradeoff(rows []GuidanceRow, of Series) (scales, reward, kl []float64, err error) {
	for _, r := range rows {
		if r.Model == of.Model && r.Graph == of.Graph && r.Distribution == of.Distribution && r.Kernel == of.Kernel {
			scales, reward, kl = append(scales, r.Lambda), append(reward, r.Reward), append(kl, r.Reverse)
		}
	}
	if len(scales) == 0 {
		return nil, nil, nil, errors.New("study: no rows of " + of.Distribution)
	}
	return scales, reward, kl, nil
}
