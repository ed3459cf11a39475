package experiment

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/metrics"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
)

// Recall measures how much of a law's memory the model holds that learnt from its paths, and how much simpler laws
// do: on the data of Heights or Ridge, made, held out and trained on by one seed, unguided and under conditions.
type Recall struct {
	Graph     string // "heights" or "ridge"
	Paths     int    // distinct ones drawn
	Seed      uint64
	Config    Config // of the model; seeds are Seed
	Samples   int    // of each law
	Bound     int    // draws of the law that −log p is a mean over
	Particles int    // K of the corrected model; 0: not measured
}

// NewRecall returns the study at a size, of the model that a network's name, or none, stands for.
func NewRecall(graph, preset, network string, seed uint64) (*Recall, error) {
	r := &Recall{Graph: graph, Paths: quickPaths, Seed: seed, Config: ConfigOf(network), Samples: 4096, Bound: 1024}
	paper := map[string]int{"heights": datasets.HeightsPaths, "ridge": datasets.RidgePaths}[graph]
	if paper == 0 {
		return nil, fmt.Errorf("experiment: recall is of heights or ridge, not %q", graph)
	}
	if preset == PresetPaper {
		r.Paths = paper
	}
	r.Config.HoldSeed, r.Config.InitSeed, r.Config.Train.Seed = seed, seed, seed
	return r, nil
}

// RecallRow is a row of the study's ledger: a law under a condition, held against the true distribution. Distances are ½L1 of
// features (datasets.DistrictLaw, RevisitLaw), with the mean and the 99.9 % quantile of what as many exact draws show.
type RecallRow struct {
	Graph         string  `csv:"graph"`
	Seed          uint64  `csv:"seed"`
	Condition     string  `csv:"condition"` // in the text form, "" for none
	Probability   float64 `csv:"probability"`
	Law           string  `csv:"law"`
	Samples       int     `csv:"samples"`
	Districts     float64 `csv:"districts"`
	DistrictFloor float64 `csv:"districts_floor"`
	DistrictHigh  float64 `csv:"districts_q999"`
	Revisits      float64 `csv:"revisits"`
	RevisitFloor  float64 `csv:"revisits_floor"`
	RevisitHigh   float64 `csv:"revisits_q999"`
	Nats          float64 `csv:"nats"`     // −log p a path, or its bound; NaN under a condition
	NatsLaw       float64 `csv:"nats_law"` // of the true distribution, on the same draws
	Seconds       float64 `csv:"seconds"`  // that sampling took
}

// The laws of the study.
const (
	RecallChain     = "first-order chain"
	RecallSecond    = "second-order chain"
	RecallBase      = "mixture of chains" // the model without its network, drawn from directly
	RecallModel     = "model"
	RecallParticles = "model, particles"
)

// recall is a study at work.
type recall struct {
	*Recall
	ctx      context.Context
	watch    Watch
	put      func(RecallRow) error
	have     func(RecallRow) bool
	graph    *ddps.LayeredGraph // pruned
	train    *datasets.Data
	held     *datasets.Data
	memory   *datasets.Memory
	district []int
	first    *chain.Chain
	second   *chain.Distribution
	model    *model.Model
}

// Run adds to the ledger the rows that it lacks, and keeps the model's training in a run folder beside it, where a
// study that was stopped goes on.
func (r *Recall) Run(ctx context.Context, dir string, to *Ledger[RecallRow], w Watch) error {
	if w == nil {
		w = unwatched{}
	}
	s := &recall{Recall: r, ctx: ctx, watch: w, put: to.Add, have: func(row RecallRow) bool {
		return slices.ContainsFunc(to.Rows, func(x RecallRow) bool {
			return x.Graph == row.Graph && x.Seed == row.Seed && x.Condition == row.Condition && x.Law == row.Law && x.Samples == row.Samples
		})
	}}
	if err := s.prepare(filepath.Join(dir, fmt.Sprintf("%s-%d", r.Graph, r.Seed))); err != nil {
		return err
	}
	texts, conditions, err := s.conditions()
	if err != nil {
		return err
	}
	w.Begin(fmt.Sprintf("%s, seed %d: the true distribution", r.Graph, r.Seed), 0, 1)
	given := []func(ddps.Path) bool{nil}
	for _, c := range conditions[1:] {
		given = append(given, func(p ddps.Path) bool { return c.LogWeight(p) == 0 })
	}
	laws, err := s.memory.Laws(s.graph, s.district, given)
	w.End()
	if err != nil {
		return err
	}
	for i, c := range conditions {
		row := RecallRow{Graph: r.Graph, Seed: r.Seed, Condition: texts[i], Samples: r.Samples,
			Probability: math.Exp(laws[i].LogZ - laws[0].LogZ), Nats: math.NaN(), NatsLaw: math.NaN()}
		if err := s.under(c, laws[i], row); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes the data and fits and trains the laws.
func (s *recall) prepare(dir string) (err error) {
	made := datasets.Heights
	if s.Graph == "ridge" {
		made = datasets.Ridge
	}
	data, err := made(s.Paths, s.Seed)
	if err != nil {
		return err
	}
	if s.memory, err = datasets.NewMemory(data.Graph, data.Paths); err != nil {
		return err
	}
	if s.district, err = datasets.Districts(data.Graph, datasets.NumDistricts, datasets.DistrictSeed); err != nil {
		return err
	}
	run, err := find(dir, s.Config, data)
	if err == nil && run == nil {
		run, err = Create(dir, s.Config, data)
	}
	if err != nil {
		return err
	}
	s.train, s.held = run.Split()
	if exists(filepath.Join(dir, modelFile)) {
		s.model, err = run.Model()
	} else {
		s.model, err = run.trainWatched(s.ctx, fmt.Sprintf("%s, seed %d", s.Graph, s.Seed), s.watch, train.Hooks{})
	}
	if err != nil {
		return err
	}
	s.graph, s.first = s.model.Graph, s.model.Chain
	sample := func(d *datasets.Data) chain.Sample { return chain.Sample{Paths: d.Paths, Weights: Counts(d)} }
	cfg, _, err := chain.TuneSecond(s.graph, sample(s.train), sample(s.held), chain.KappaGrid())
	if err != nil {
		return err
	}
	s.second, err = chain.FitSecond(s.graph, s.train.Paths, Counts(s.train), cfg)
	return err
}

// conditions returns the conditions and their texts, the first of them none: the greatest of a random reward, and a
// visit to a place that paths of the chain visit at odds of a tenth to two fifths.
func (s *recall) conditions() (texts []string, list []guide.Condition, err error) {
	u, err := datasets.RewardInstance(s.graph, 4, s.Seed)
	if err != nil {
		return nil, nil, err
	}
	places := slices.Clone(s.graph.Meta().Place)
	slices.Sort(places)
	var fit []string
	for _, a := range slices.Compact(places) {
		if a < 0 {
			continue
		}
		text := fmt.Sprintf("visit(place %d)", a)
		c, err := ParseWhere(text, s.graph, nil, nil)
		if err != nil {
			return nil, nil, err
		}
		if p := math.Exp(c.Tilt(s.first.P, make([]float64, len(s.first.P)))); p > 0.1 && p < 0.4 {
			fit = append(fit, text)
		}
	}
	if len(fit) == 0 {
		return nil, nil, fmt.Errorf("experiment: recall: no place of %s is visited at odds of 0.1 to 0.4", s.Graph)
	}
	texts = []string{"", "max(reward)", fit[ddps.Rand(s.Seed, 1).IntN(len(fit))]}
	list = []guide.Condition{nil}
	for _, text := range texts[1:] {
		c, err := ParseWhere(text, s.graph, u, nil)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, c)
	}
	return texts, list, nil
}

// under adds the rows of all laws under one condition.
func (s *recall) under(c guide.Condition, law datasets.MemoryLaw, row RecallRow) error {
	floor := func(p []float64) (mean, high float64, err error) {
		f, err := metrics.Floor(p, func(q []float64) (float64, error) { return metrics.HalfL1(p, q) },
			metrics.FloorConfig{N: s.Samples, Reps: floorReps, Seed: s.Seed, Quantiles: []float64{0.999}})
		if err != nil {
			return 0, 0, err
		}
		return f.Mean, f.Quantiles[0], nil
	}
	var err error
	if row.DistrictFloor, row.DistrictHigh, err = floor(law.Districts); err != nil {
		return err
	}
	if row.RevisitFloor, row.RevisitHigh, err = floor(law.Revisits); err != nil {
		return err
	}
	for _, l := range s.laws(c) {
		row.Law = l.name
		if s.have(row) {
			continue
		}
		began := time.Now()
		paths, err := l.draw()
		if err != nil {
			return err
		}
		row.Seconds = time.Since(began).Seconds()
		if row.Districts, err = featureDistance(law.Districts, paths, func(p []ddps.Path) ([]float64, error) {
			return datasets.DistrictLaw(s.graph, s.district, p, nil)
		}); err != nil {
			return err
		}
		if row.Revisits, err = featureDistance(law.Revisits, paths, func(p []ddps.Path) ([]float64, error) {
			return datasets.RevisitLaw(s.graph, p, nil)
		}); err != nil {
			return err
		}
		if c == nil {
			if row.Nats, row.NatsLaw, err = s.nats(l, law); err != nil {
				return err
			}
		}
		if err := s.put(row); err != nil {
			return err
		}
	}
	return nil
}

func featureDistance(want []float64, paths []ddps.Path, law func([]ddps.Path) ([]float64, error)) (float64, error) {
	got, err := law(paths)
	if err != nil {
		return 0, err
	}
	return metrics.HalfL1(want, got)
}

// recallLaw is a law of the study under one condition.
type recallLaw struct {
	name string
	draw func() ([]ddps.Path, error)
	nats func(p ddps.Path) (float64, error) // −log p; nil: by the bound of denoiser
	of   d3pm.Denoiser
}

// laws returns the laws under condition c, nil for none.
func (s *recall) laws(c guide.Condition) []recallLaw {
	exact := func(name string, law *chain.Distribution) recallLaw {
		return recallLaw{name: name, draw: func() ([]ddps.Path, error) {
			if c != nil {
				var err error
				if law, _, err = guide.GivenLaw(law, c); err != nil {
					return nil, err
				}
			}
			paths := make([]ddps.Path, s.Samples)
			for i := range paths {
				paths[i] = law.Sample(ddps.Rand(s.Seed, uint64(i)))
			}
			return paths, nil
		}, nats: func(p ddps.Path) (float64, error) { lp, err := law.LogProb(p); return -lp, err }}
	}
	sampler := func(name string, of d3pm.Denoiser) (*d3pm.Sampler, recallLaw) {
		sampler := &d3pm.Sampler{Graph: s.graph, Denoiser: of, Schedule: s.model.Schedule, Engine: s.model.Sampler().Engine}
		if c != nil {
			sampler.Condition = c
		}
		return sampler, recallLaw{name: name, of: of, draw: func() ([]ddps.Path, error) {
			defer s.stage(sampler, name, s.Samples)()
			return sampler.Sample(s.ctx, s.Samples, s.Seed)
		}}
	}
	_, model := sampler(RecallModel, s.model)
	list := []recallLaw{exact(RecallChain, s.first.Law()), exact(RecallSecond, s.second), model}
	if !s.model.Config.Mixture.Simple() {
		list = slices.Insert(list, 2, s.base(c))
	}
	if c == nil || s.Particles == 0 {
		return list
	}
	inner, corrected := sampler(RecallParticles, s.model)
	corrected.draw = func() ([]ddps.Path, error) {
		defer s.stage(inner, RecallParticles, s.Samples*s.Particles)()
		paths, _, err := (&d3pm.Particles{Sampler: inner, K: s.Particles}).Sample(s.ctx, s.Samples, s.Seed)
		return paths, err
	}
	return append(list, corrected)
}

// base is the law of the mixture of chains, which needs no diffusion to be drawn from.
func (s *recall) base(c guide.Condition) recallLaw {
	mix := s.model.Mixture
	return recallLaw{name: RecallBase, draw: func() ([]ddps.Path, error) {
		draw := mix.Sample
		if c != nil {
			given, _, err := GivenMixture(mix, c)
			if err != nil {
				return nil, err
			}
			draw = given.Sample
		}
		paths := make([]ddps.Path, s.Samples)
		for i := range paths {
			paths[i] = draw(ddps.Rand(s.Seed, uint64(i)))
		}
		return paths, nil
	}, nats: func(p ddps.Path) (float64, error) { lp, err := mix.LogProb(p); return -lp, err }}
}

// stage shows the sampler's progress on n paths, until what it returns is called.
func (s *recall) stage(sampler *d3pm.Sampler, name string, n int) (end func()) {
	s.watch.Begin(fmt.Sprintf("%s, seed %d: %s", s.Graph, s.Seed, name), 0, n*max(1, sampler.Taken()))
	sampler.Progress = func(done, _ int) { s.watch.Set(done, "") }
	return s.watch.End
}

// nats returns the mean −log p under l, or its bound, and under the true distribution, on draws of that.
func (s *recall) nats(l recallLaw, law datasets.MemoryLaw) (nats, truth float64, err error) {
	draws := s.memory.Draw(s.graph, s.Bound, s.Seed)
	n := float64(len(draws))
	for _, p := range draws {
		truth -= (s.memory.Score(s.graph, p) - law.LogZ) / n
	}
	if l.nats == nil {
		b := &d3pm.Bound{Graph: s.graph, Denoiser: l.of, Schedule: s.model.Schedule}
		scores, err := b.Score(s.ctx, draws, s.Seed)
		for _, x := range scores {
			nats += x.Mean / n
		}
		return nats, truth, err
	}
	for _, p := range draws {
		x, err := l.nats(p)
		if err != nil {
			return 0, 0, err
		}
		nats += x / n
	}
	return nats, truth, nil
}
