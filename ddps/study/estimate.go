package study

import (
	"context"
	"fmt"
	"os"

	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study/internal/cost"
	"github.com/ddps-go/ddps/internal/cputime"
	"github.com/ddps-go/ddps/internal/ram"
)

// Estimate says what a part of the experiments will take. Times are measured on small pieces of the part, in seconds,
// and scaled up: they are rough, right within a factor of about 2, of baselines about 3.
type Estimate struct {
	Part     string
	Points   int     // grid points
	Missing  int     // those that have no row yet
	Training float64 // CPU time in seconds of what is not trained yet
	Sampling float64 // CPU time in seconds of the missing grid points
	Memory   float64 // bytes of the largest arrays, about; 0: not known
}

// Estimate returns what Run would take, for the rows that there are. It trains nothing to its end and writes nothing in
// dir, from which it reads a trained model if there is one. Of a model that is yet to be trained the rows are those of
// the one that was trained last by the same settings: the same settings give the same model.
func (s *Guidance) Estimate(ctx context.Context, dir string, rows []GuidanceRow) (e Estimate, err error) {
	if err := s.Check(); err != nil {
		return e, err
	}
	at, trained, err := s.drafted(ctx, dir, &e)
	if err != nil {
		return e, err
	}
	if !trained {
		at.recognize(rows)
	}
	e.Part = s.part(at.name)
	points := at.rows()
	missing := (&Table[GuidanceRow]{Rows: rows}).Missing(points, GuidanceRow.same)
	e.Points, e.Missing = len(points), len(missing)
	const together = 2 // grid points measured at a time
	e.Memory = max(e.Memory, 3*together*float64(s.Samples)*ram.PathBytes(at.model.Graph.NumLayers()))
	if at.made != nil { // targets by enumeration of all paths, two of each reward
		at.made = nil
		rewards := map[[2]int]bool{}
		for _, p := range missing {
			rewards[[2]int{p.RMax, p.Instance}] = true
		}
		each, err := cost.Enumeration(at.model.Graph)
		if err != nil {
			return e, err
		}
		e.Sampling += 2 * float64(len(rewards)) * each
	}
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

// recognize takes the newest of rows that are of a model trained by the study's settings to be of the model that it
// trains. Those of a chain are, too, which validation may choose. The rows do not say with how many rounds a mixture
// was fitted: those that Train sets are no rows' there.
func (s *guidance) recognize(rows []GuidanceRow) {
	if s.Network == model.NetworkNone && s.Train > 0 {
		return
	}
	name, simple := s.name, s.model.Config
	simple.Mixture.Classes, simple.Mixture.Order = 1, 1
	for _, r := range rows {
		if r.Graph == s.Graph && r.Preset == s.Preset && r.Trained == s.trained && r.Seed == s.Seed && (r.Model == name ||
			r.Model == simple.Kind()) {
			s.name, s.key = r.Model, r.Key
		}
	}
}

// isReference reports whether a distribution of a study is a reference, which has no guidance scale.
func isReference(distribution string) bool {
	return distribution == ReferenceExact || distribution == ReferenceMax || distribution == ReferenceChain
}

// seconds returns the CPU time of a grid point, in seconds: that of one with fewer samples and steps, scaled up. With
// free it is that of the samples at λ = 0 alone.
func (s *guidance) seconds(ctx context.Context, p GuidanceRow, free bool) (float64, error) {
	const least, first = 0.1, 8 // CPU seconds that are worth scaling; samples
	whole, few := s.Guidance, *s.Guidance
	s.Guidance = &few
	defer func() { s.Guidance = whole }()
	steps := 1.0 // times so many
	if !isReference(p.Distribution) {
		few.Steps = min(few.Steps, d3pm.DefaultSteps)
		steps = float64(whole.Steps) / float64(few.Steps)
	}
	for n := first; ; n *= 2 {
		n = min(n, whole.Samples)
		few.Samples, p.Samples, s.free = n, n, map[string]*freeSamples{}
		u, err := s.reward(p.RMax, p.Instance)
		if err != nil {
			return 0, err
		}
		drawing, took := 0.0, 0.0
		if !isReference(p.Distribution) {
			began := cputime.Process()
			if _, err := s.unguided(ctx, &p, u); err != nil { // not this grid point's, unless free
				return 0, err
			}
			took = cputime.Process() - began
			drawing = took
		}
		if !free {
			began, row := cputime.Process(), p
			if err = s.do(ctx, &row); err != nil {
				return 0, err
			}
			took = cputime.Process() - began
			drawing = min(drawing, took) // about as much as unguided
		}
		if took > least || n == whole.Samples {
			return (took + (steps-1)*drawing) * float64(whole.Samples) / float64(n), nil
		}
	}
}

// drafted prepares the study without training: a model that is not there gets a step or a round, and is said not to be
// trained. It sets the estimate's Training and Memory.
func (s *Guidance) drafted(ctx context.Context, dir string, e *Estimate) (at *guidance, trained bool, err error) {
	if r, err := run.Open(s.directory(dir)); s.From != "" || s.ships() || err == nil && r.HasModel() {
		at, err := s.prepare(ctx, dir, run.NoProgress{})
		return at, true, err
	}
	data, err := s.data()
	if err != nil {
		return nil, false, err
	}
	cfg := s.config(data)
	if e.Training, e.Memory, err = cost.Training(ctx, cfg, data); err != nil {
		return nil, false, err
	}
	few := *s
	few.Train, few.draft = 1, true
	temp, err := os.MkdirTemp("", "ddps-estimate-")
	if err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(temp)
	if at, err = few.prepare(ctx, temp, run.NoProgress{}); err != nil {
		return nil, false, err
	}
	at.Guidance, at.trained = s, effort(cfg)
	return at, false, nil
}
