// Package cost measures small pieces of the studies, from which their CPU time is estimated.
package cost

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"runtime"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/internal/cputime"
)

// measuredBatch is the most paths of a step that is measured.
const measuredBatch = 16

// Training returns the CPU time in seconds and the memory in bytes, about, that training a model of these settings
// on data takes: by a few small steps of a network, or rounds of a mixture, in a temporary directory.
func Training(ctx context.Context, cfg run.Config, data *datasets.Data) (seconds, memory float64, err error) {
	temp, err := os.MkdirTemp("", "ddps-estimate-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(temp)
	r, err := run.Draft(filepath.Join(temp, "draft"), cfg, data)
	if err != nil {
		return 0, 0, err
	}
	plan, err := r.Plan()
	if err != nil {
		return 0, 0, err
	}
	memory = float64(plan.Memory.Total() + plan.Data)
	fit, err := r.FitTime(ctx)
	if err != nil {
		return 0, 0, err
	}
	if fit != nil {
		seconds = fit.Round.Seconds() * float64(fit.Rounds) * float64(runtime.GOMAXPROCS(0))
	}
	if cfg.Model.Network == model.NetworkNone {
		return seconds, memory, nil
	}
	examples := min(cfg.Train.Batch, measuredBatch)
	steps := func(n int) (took float64, err error) {
		c := cfg
		c.Train.Steps, c.Train.Batch, c.Train.Accumulate = n, examples, 1
		c.Train.BoundPaths, c.Train.BoundEvery, c.Train.Patience = 0, 0, 0
		c.Train.EvalEvery, c.Train.EvalSize, c.Train.Checkpoint = 0, 1, 0
		r, err := run.Create(filepath.Join(temp, fmt.Sprint(n)), c, data)
		if err != nil {
			return 0, err
		}
		began := cputime.Process()
		_, err = r.Trained(ctx, "", run.NoProgress{})
		return cputime.Process() - began, err
	}
	const few, worth = 1, 0.3 // steps; CPU seconds beyond which a few steps say enough
	first, err := steps(few)
	if err != nil {
		return 0, 0, err
	}
	more := 4
	if first < worth {
		more = 40
	}
	last, err := steps(more)
	if err != nil {
		return 0, 0, err
	}
	each := max(0, last-first) / float64((more-few)*examples) // of a path
	t := cfg.Train
	paths := float64(t.Steps) * float64(t.Batch)
	if t.EvalEvery > 0 {
		paths += float64(t.Steps/t.EvalEvery) * float64(t.EvalSize) / 3 // no gradient
	}
	return seconds + first + each*paths, memory, nil
}

// Enumeration returns the CPU time in seconds that enumerating the paths of a map with memory takes, about: that of
// Heights, for as many paths.
func Enumeration(g *ddps.LayeredGraph) (float64, error) {
	const few = 1000
	data, err := datasets.Heights(few, 0)
	if err != nil {
		return 0, err
	}
	m, err := datasets.NewMemory(data.Graph, data.Paths)
	if err != nil {
		return 0, err
	}
	district, err := datasets.Districts(data.Graph, datasets.NumDistricts, datasets.DistrictSeed)
	if err != nil {
		return 0, err
	}
	heights := data.Prune().Graph
	u, err := datasets.RewardInstance(heights, 1, 0)
	if err != nil {
		return 0, err
	}
	given := []func(ddps.Path) bool{nil, compare.AtMax(heights, u, heights.Best(u))}
	began := cputime.Process()
	if _, err := m.Distributions(heights, district, given); err != nil {
		return 0, err
	}
	took := cputime.Process() - began
	n, _ := new(big.Float).SetInt(ddps.NumPaths(g)).Float64()
	of, _ := new(big.Float).SetInt(ddps.NumPaths(heights)).Float64()
	return took * n / of, nil
}
