package study

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/internal/cputime"
	"github.com/ddps-go/ddps/internal/ram"
)

// Estimate says what a part of the experiments will take. Times are measured on small pieces of the part and scaled up:
// they are right within a factor of about 1.5.
type Estimate struct {
	Part     string
	Points   int     // grid points
	Missing  int     // those that have no row yet
	Training float64 // CPU time in seconds of what is not trained yet
	Sampling float64 // CPU time in seconds of the missing grid points
	Memory   float64 // bytes of the largest arrays, about; 0: not known
}

// Estimate returns what Run would take, for the rows that there are. It trains nothing to its end and writes nothing in
// dir, from which it reads a trained model if there is one.
func (s *Guidance) Estimate(ctx context.Context, dir string, rows []GuidanceRow) (e Estimate, err error) {
	if err := s.Check(); err != nil {
		return e, err
	}
	at, err := s.drafted(ctx, dir, &e)
	if err != nil {
		return e, err
	}
	e.Part = s.Graph + ", " + at.name
	points := at.rows()
	missing := (&Table[GuidanceRow]{Rows: rows}).Missing(points, GuidanceRow.same)
	e.Points, e.Missing = len(points), len(missing)
	const together = 2 // grid points measured at a time
	e.Memory = max(e.Memory, 3*together*float64(s.Samples)*ram.PathBytes(at.model.Graph.NumLayers()))
	each, once := map[string]float64{}, map[string]bool{} // CPU seconds of a grid point, by kind
	for _, p := range missing {
		kind := p.Distribution + " " + p.Kernel
		free := p.Lambda == 0 && !isReference(p.Distribution)
		if free {
			if kind += " unguided"; once[kind] {
				continue // its samples are drawn once
			}
			once[kind] = true
		}
		if _, ok := each[kind]; !ok {
			if each[kind], err = at.seconds(ctx, p, free); err != nil {
				return e, fmt.Errorf("study: %s: %w", p.name(), err)
			}
		}
		e.Sampling += each[kind]
	}
	return e, nil
}

// isReference reports whether a distribution of a study is a reference, which has no guidance scale.
func isReference(distribution string) bool {
	return distribution == ReferenceExact || distribution == ReferenceMax || distribution == ReferenceChain
}

// seconds returns the CPU time of a grid point, in seconds: that of one with fewer samples, scaled up. With free it is
// that of the samples at λ = 0 alone.
func (s *guidance) seconds(ctx context.Context, p GuidanceRow, free bool) (float64, error) {
	const least, first = 0.3, 32 // CPU seconds that are worth scaling; samples
	all := s.Samples
	few := *s.Guidance
	s.Guidance = &few
	for n := first; ; n *= 4 {
		n = min(n, all)
		few.Samples, p.Samples, s.free = n, n, map[string]*freeSamples{}
		u, err := s.reward(p.RMax, p.Instance)
		if err != nil {
			return 0, err
		}
		if !free && !isReference(p.Distribution) {
			if _, err := s.unguided(ctx, &p, u); err != nil { // not this grid point's
				return 0, err
			}
		}
		began, row := cputime.Process(), p
		if free {
			_, err = s.unguided(ctx, &p, u)
		} else {
			err = s.do(ctx, &row)
		}
		if err != nil {
			return 0, err
		}
		if took := cputime.Process() - began; took > least || n == all {
			few.Samples = all
			return took * float64(all) / float64(n), nil
		}
	}
}

// drafted prepares the study without training: a model that is not there gets a step or a round. It sets the estimate's
// Training and Memory.
func (s *Guidance) drafted(ctx context.Context, dir string, e *Estimate) (*guidance, error) {
	directory := filepath.Join(dir, s.Graph+"-"+s.Network)
	if r, err := run.Open(directory); s.From != "" || s.ships() || err == nil && r.HasModel() {
		return s.prepare(ctx, dir, run.NoProgress{})
	}
	data, err := run.MakeData(s.Graph, s.Preset)
	if err != nil {
		return nil, err
	}
	if e.Training, e.Memory, err = TrainingCost(ctx, s.config(data), data); err != nil {
		return nil, err
	}
	few := *s
	few.Train, few.draft = 1, true
	temp, err := os.MkdirTemp("", "ddps-estimate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	at, err := few.prepare(ctx, temp, run.NoProgress{})
	if err != nil {
		return nil, err
	}
	at.Guidance = s
	return at, nil
}

// TrainingCost returns the CPU time in seconds and the memory in bytes, about, that training a model of these settings
// on data takes: by a few steps of a network, or rounds of a mixture, in a temporary directory.
func TrainingCost(ctx context.Context, cfg run.Config, data *datasets.Data) (seconds, memory float64, err error) {
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
	const few, more = 1, 4 // steps
	var took [2]float64
	for i, steps := range []int{few, more} {
		c := cfg
		c.Train.Steps, c.Train.BoundPaths, c.Train.BoundEvery = steps, 0, 0
		c.Train.EvalEvery, c.Train.Checkpoint = 0, 0
		r, err := run.Create(filepath.Join(temp, fmt.Sprint(steps)), c, data)
		if err != nil {
			return 0, 0, err
		}
		began := cputime.Process()
		if _, err := r.Trained(ctx, "", run.NoProgress{}); err != nil {
			return 0, 0, err
		}
		took[i] = cputime.Process() - began
	}
	step := max(0, took[1]-took[0]) / (more - few)
	return seconds + took[0] + step*float64(cfg.Train.Steps-few), memory, nil
}
