package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
)

// gpuTrain takes the same steps on both and compares their losses, and times larger batches.
func gpuTrain(ctx context.Context, c gpuCase, spec string, row *gpuRow) error {
	host, device, data, err := gpuModels(c, spec)
	if err != nil {
		return err
	}
	row.Limit = lossTolerance
	want, seconds, err := gpuLosses(ctx, host, data, c.steps, c.batch)
	if err != nil {
		return fmt.Errorf("host: %w", err)
	}
	row.Host = float64(c.steps*c.batch) / seconds
	got, first, err := gpuLosses(ctx, device, data, c.steps, c.batch)
	if err != nil {
		return err
	}
	row.Compile = first
	for i := range want {
		row.Diff = max(row.Diff, math.Abs(got[i]-want[i])/math.Abs(want[i]))
	}
	if len(got) != len(want) || math.IsNaN(row.Diff) {
		return fmt.Errorf("%d losses of %d, difference %g", len(got), len(want), row.Diff)
	}
	if strings.HasSuffix(c.name, "unet") { // the host's steps are seconds long: those above are its time
		row.Backend, err = gpuRate(ctx, c.least, c.large, func(n int) error {
			_, _, err := gpuLosses(ctx, device, data, n,
				c.large)
			return err
		})
		return err
	}
	for m, rate := range map[*model.Model]*float64{host: &row.Host, device: &row.Backend} {
		if *rate, err = gpuRate(ctx, c.least, c.large, func(n int) error {
			_, _, err := gpuLosses(ctx, m, data, n,
				c.large)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// gpuLosses trains for some steps and returns the loss of each.
func gpuLosses(ctx context.Context, m *model.Model, data *datasets.Data, steps, batch int) (losses []float64,
	seconds float64, err error) {
	source, err := train.NewSource(m, data.Paths, data.Weights())
	if err != nil {
		return nil, 0, err
	}
	cfg := train.DefaultConfig()
	cfg.Steps, cfg.Batch, cfg.EvalEvery, cfg.Checkpoint = steps, batch, 0, 0
	t, err := train.NewTrainer(m, source, nil, cfg)
	if err != nil {
		return nil, 0, err
	}
	start := time.Now()
	err = t.Run(ctx, train.Hooks{Step: func(s train.StepInfo) { losses = append(losses, s.Loss.Total) }})
	return losses, time.Since(start).Seconds(), err
}

// gpuSample draws the same paths on both by the joint step and by the paper's, and compares them.
func gpuSample(ctx context.Context, c gpuCase, spec string, row *gpuRow) error {
	m, _, _, err := gpuModels(c, spec)
	if err != nil {
		return err
	}
	row.Limit = pathTolerance
	for _, kernel := range []d3pm.Kernel{d3pm.Austin(), d3pm.Joint()} {
		host := m.Sampler()
		host.Kernel, host.Steps = kernel, 16
		device := *host
		device.Backend = spec
		if why := device.HostReason(); why != "" {
			return errors.New("the host would draw: " + why)
		}
		want, err := host.Sample(ctx, c.paths, 3)
		if err != nil {
			return fmt.Errorf("host: %w", err)
		}
		start := time.Now()
		got, err := device.Sample(ctx, c.paths, 3)
		if err != nil {
			return err
		}
		row.Compile = time.Since(start).Seconds()
		row.Diff = max(row.Diff, pathsDiffer(got, want))
		for s, rate := range map[*d3pm.Sampler]*float64{host: &row.Host, &device: &row.Backend} {
			draw := func(n int) error { _, err := s.Sample(ctx, n*c.paths, 4); return err }
			if *rate, err = gpuRate(ctx, c.least, c.paths*s.Steps, draw); err != nil {
				return err
			}
		}
	}
	return nil
}

// pathsDiffer returns the share of paths that differ.
func pathsDiffer(a, b []ddps.Path) float64 {
	n := 0
	for i := range a {
		if !slices.Equal(a[i], b[i]) {
			n++
		}
	}
	return float64(n) / float64(len(a))
}

// gpuRate returns what run does a second, each of its n rounds being count: after a first round, of as many as take
// least seconds.
func gpuRate(ctx context.Context, least float64, count int, run func(n int) error) (float64, error) {
	if err := run(1); err != nil {
		return 0, err
	}
	for n := 1; ; n *= 4 {
		start := time.Now()
		if err := run(n); err != nil {
			return 0, err
		}
		if s := time.Since(start).Seconds(); s > least || n > 1<<12 {
			return float64(n*count) / s, ctx.Err()
		}
	}
}
