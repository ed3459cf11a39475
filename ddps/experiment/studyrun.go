package experiment

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/metrics"
)

// study is a Study at work.
type study struct {
	*Study
	model *d3pm.Model
	name  string // of the model
	key   string
	law   *Target // of the data, where all paths are listed; nil on maps
	free  map[string]*freeSamples
	mu    sync.Mutex
}

// freeSamples are the samples of one reverse step at λ = 0, which are the same for every reward.
type freeSamples struct {
	once  sync.Once
	paths []ddps.Path
	err   error
}

// Run adds to the ledger the rows that it lacks. The model is the shipped one where there is one of the study's kind,
// else that of a run folder in dir, trained there if need be. Two cells are worked on at a time. A cell that fails is
// tried once more at the end; the error then names it, and all others are done.
func (s *Study) Run(ctx context.Context, dir string, to *Ledger[StudyRow], w Watch) error {
	if err := s.Check(); err != nil {
		return err
	}
	if w == nil {
		w = unwatched{}
	}
	at := &study{Study: s, free: map[string]*freeSamples{}}
	if err := at.prepare(ctx, dir, w); err != nil {
		return err
	}
	cells := s.cells()
	open := slices.DeleteFunc(slices.Clone(cells), func(c studyCell) bool { return at.have(to.Rows, c) })
	if len(open) == 0 {
		return nil
	}
	w.Begin(fmt.Sprintf("%s, %s", s.Graph, at.name), len(cells)-len(open), len(cells))
	defer w.End()
	failed, err := at.work(ctx, open, to, len(cells), w)
	if err != nil || len(failed) == 0 {
		return err
	}
	failed, err = at.work(ctx, failed, to, len(cells), w)
	if err == nil && len(failed) > 0 {
		err = fmt.Errorf("experiment: study: %d cells failed twice, the first of them %v", len(failed), failed[0])
	}
	return err
}

// have tells whether rows hold the cell.
func (s *study) have(rows []StudyRow, c studyCell) bool {
	return slices.ContainsFunc(rows, func(r StudyRow) bool {
		return r.Graph == s.Graph && r.Model == s.name && r.Key == s.key && r.RMax == c.rmax && r.Instance == c.instance &&
			r.Law == c.law && r.Kernel == c.kernel && r.Lambda == c.lambda && r.Steps == s.steps(c) && r.Samples == s.Samples && r.Seed == s.Seed
	})
}

// steps returns the reverse steps of a cell's sampler, 0 where there is none.
func (s *study) steps(c studyCell) int {
	switch c.law {
	case StudyExact, StudyChain:
		return 0
	case StudyMax:
		return d3pm.DefaultSteps
	}
	return s.Steps
}

// work does cells and returns those that failed; the error is what ended it early.
func (s *study) work(ctx context.Context, cells []studyCell, to *Ledger[StudyRow], total int, w Watch) (failed []studyCell, err error) {
	var mu sync.Mutex
	grp, ctx := errgroup.WithContext(ctx)
	grp.SetLimit(2)
	done, why := total-len(cells), ""
	for _, c := range cells {
		grp.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			row, err := s.cell(ctx, c)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				failed, why = append(failed, c), fmt.Sprintf(", failed: %v", err)
			default:
				if err := to.Add(*row); err != nil {
					return err
				}
				done++
			}
			w.Set(done, fmt.Sprintf("R_max %d, instance %d, %s%s", c.rmax, c.instance, c.law, why))
			return nil
		})
	}
	return failed, grp.Wait()
}

// prepare makes the data and the model.
func (s *study) prepare(ctx context.Context, dir string, w Watch) error {
	if s.Network == "" {
		s.Network = map[string]string{"toy": d3pm.NetworkMLP}[s.Graph]
		if s.Network == "" {
			s.Network = d3pm.NetworkNone
		}
	}
	if err := s.open(ctx, dir, w); err != nil {
		return err
	}
	hash := sha256.New()
	if err := s.model.Save(hash); err != nil {
		return err
	}
	s.key, s.name = fmt.Sprintf("%x", hash.Sum(nil)[:4]), s.model.Config.Kind()
	if s.Graph != "toy" {
		return nil
	}
	data, err := MakeData(s.Graph, s.Preset)
	if err != nil {
		return err
	}
	s.law, err = DataTarget(data.Graph, data.Prune())
	return err
}

// open finds or makes the model.
func (s *study) open(ctx context.Context, dir string, w Watch) error {
	if m, err := Shipped(s.Graph); err == nil && (m.Config.Network == s.Network || s.Network == d3pm.NetworkNone) {
		cfg := m.Config
		if cfg.Network == s.Network {
			s.model = m
			return nil
		}
		cfg.Network = s.Network // what the network corrects, alone
		s.model, err = d3pm.NewModelOn(m.Chain, m.Mixture, cfg, 0)
		return err
	}
	data, err := MakeData(s.Graph, s.Preset)
	if err != nil {
		return err
	}
	cfg := ConfigOf(s.Network).On(data.Graph).Sized(s.Preset)
	folder := filepath.Join(dir, s.Graph+"-"+s.Network)
	run, err := find(folder, cfg, data)
	if err == nil && run == nil {
		run, err = Create(folder, cfg, data)
	}
	if err != nil {
		return err
	}
	if exists(filepath.Join(folder, modelFile)) {
		s.model, err = run.Model()
		return err
	}
	s.model, err = run.trainWatched(ctx, s.Graph, w, d3pm.Hooks{})
	return err
}

// cell works on one cell.
func (s *study) cell(ctx context.Context, c studyCell) (*StudyRow, error) {
	g := s.model.Graph
	u, err := s.Reward(g, c.rmax, c.instance)
	if err != nil {
		return nil, err
	}
	target, p, err := s.target(u)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	paths, err := s.sample(ctx, c, u, target)
	if err != nil {
		return nil, err
	}
	row := &StudyRow{Graph: s.Graph, Model: s.name, Key: s.key, RMax: c.rmax, Instance: c.instance, P: p, Law: c.law, Kernel: c.kernel,
		Lambda: c.lambda, Steps: s.steps(c), Samples: s.Samples, Seed: s.Seed, Seconds: time.Since(began).Seconds(), Own: noDistances()}
	if row.Valid, err = metrics.ValidRate(g, paths); err != nil {
		return nil, err
	}
	if row.Reward, row.RewardStd, row.AtMax, err = RewardStats(g, u, paths); err != nil {
		return nil, err
	}
	row.Distinct = metrics.NewSupport(metrics.Keys(paths)).Len()
	if row.Exact, err = target.distances(paths, s.law != nil); err != nil {
		return nil, err
	}
	return row, s.own(ctx, c, u, paths, row)
}

// target returns the exact target of a reward, and the probability of its maximum: listed where all paths are; else, of
// a model whose law is known, exact draws of that.
func (s *study) target(u []float64) (*Target, float64, error) {
	g := s.model.Graph
	if s.law != nil {
		at := AtMax(g, u, g.Best(u))
		p := 0.0
		for i, path := range s.law.Paths {
			if at(path) {
				p += s.law.P[i]
			}
		}
		t, err := s.law.Given(at)
		return t, p, err
	}
	given, logp, err := s.given(u)
	if err != nil {
		return nil, 0, err
	}
	paths := make([]ddps.Path, studyTargets*s.Samples)
	for i := range paths {
		paths[i] = given.Sample(ddps.Rand(studyTargetSeed, uint64(i)))
	}
	t, err := NewTarget(g, paths, nil)
	return t, math.Exp(logp), err
}

// given returns the law of the model without a network, given the greatest reward, and the logarithm of its probability.
func (s *study) given(u []float64) (*MixtureLaw, float64, error) {
	c, err := guide.MaxReward(s.model.Graph, u)
	if err != nil {
		return nil, 0, err
	}
	return GivenMixture(s.model.Mixture, c)
}

// sample draws the samples of a cell.
func (s *study) sample(ctx context.Context, c studyCell, u []float64, target *Target) ([]ddps.Path, error) {
	switch c.law {
	case StudyExact:
		return s.exact(u, target)
	case StudyChain:
		cond, err := guide.MaxReward(s.model.Graph, u)
		if err != nil {
			return nil, err
		}
		law, _, err := guide.GivenLaw(s.model.Chain.Law(), cond)
		if err != nil {
			return nil, err
		}
		return s.draw(law.Sample), nil
	case StudyMax:
		return s.guided(ctx, Guide{Name: MaxReward}, "", d3pm.DefaultSteps, u)
	}
	if c.lambda == 0 {
		return s.unguided(ctx, c, u)
	}
	return s.guided(ctx, Guide{Name: c.law, Lambda: c.lambda}, c.kernel, s.Steps, u)
}

// exact draws of the exact target anew.
func (s *study) exact(u []float64, target *Target) ([]ddps.Path, error) {
	if s.law != nil {
		return target.draw(target.choice(), s.Samples, s.Seed, 0), nil
	}
	given, _, err := s.given(u)
	if err != nil {
		return nil, err
	}
	return s.draw(given.Sample), nil
}

// unguided returns the samples at λ = 0 of a cell's guide and reverse step, drawn once.
func (s *study) unguided(ctx context.Context, c studyCell, u []float64) ([]ddps.Path, error) {
	s.mu.Lock()
	free := s.free[c.law+c.kernel]
	if free == nil {
		free = new(freeSamples)
		s.free[c.law+c.kernel] = free
	}
	s.mu.Unlock()
	free.once.Do(func() { free.paths, free.err = s.guided(ctx, Guide{Name: c.law}, c.kernel, s.Steps, u) })
	return free.paths, free.err
}

func (s *study) guided(ctx context.Context, g Guide, kernel string, steps int, u []float64) ([]ddps.Path, error) {
	sampler := s.model.Sampler()
	sampler.Steps = steps
	var err error
	if sampler.Kernel, err = Kernel(kernel); err != nil {
		return nil, err
	}
	if kernel == "joint" {
		sampler.Kernel = nil // the default
	}
	if err := g.Apply(sampler, u); err != nil {
		return nil, err
	}
	return sampler.Sample(ctx, s.Samples, s.Seed)
}

// own fills in the distances from the paper's target: the samples at λ = 0 that earn the greatest reward.
func (s *study) own(ctx context.Context, c studyCell, u []float64, paths []ddps.Path, row *StudyRow) error {
	if c.law != Algorithm2 && c.law != Eq13 {
		return nil
	}
	free, err := s.unguided(ctx, c, u)
	if err != nil {
		return err
	}
	g := s.model.Graph
	at := AtMax(g, u, g.Best(u))
	if s.law == nil {
		hits := slices.DeleteFunc(slices.Clone(free), func(p ddps.Path) bool { return !at(p) })
		if row.Hits = len(hits); row.Hits == 0 {
			return nil
		}
		t, err := NewTarget(g, hits, nil)
		if err != nil {
			return err
		}
		row.Own, err = t.distances(paths, false)
		return err
	}
	_, q, err := s.law.laws(free)
	if err != nil {
		return err
	}
	t := *s.law
	t.P = q
	given, err := t.Given(at)
	if errors.Is(err, ErrNoMass) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, p := range free {
		if at(p) {
			row.Hits++
		}
	}
	row.Own, err = given.distances(paths, true)
	return err
}

// draw draws the samples of a law that is drawn from directly.
func (s *study) draw(of func(*rand.Rand) ddps.Path) []ddps.Path {
	paths := make([]ddps.Path, s.Samples)
	for i := range paths {
		paths[i] = of(ddps.Rand(s.Seed, uint64(i)))
	}
	return paths
}
