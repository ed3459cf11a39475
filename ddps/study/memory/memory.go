// Package memory studies how much of the higher-order dependence of Heights and Ridge the model holds that learned from
// their paths, and how much simpler distributions do.
package memory

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/metrics"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
)

// Study measures how much of a distribution's memory the model holds that learned from its paths, and how much simpler
// distributions do: on the data of Heights or Ridge, made, split and trained on by one seed, unguided and under
// conditions.
type Study struct {
	Graph     string // "heights" or "ridge"
	Paths     int    // distinct ones drawn
	Seed      uint64
	Config    run.Config // of the model; seeds are Seed
	Samples   int        // of each distribution
	Bound     int        // draws of the distribution that −log p is a mean over
	Particles int        // K of the corrected model; 0: not measured

	draft bool // what takes an enumeration of all paths is made of a few
}

// New returns the study at a size, of the model that a network's name, or none, stands for.
func New(graph, preset, network string, seed uint64) (*Study, error) {
	r := &Study{Graph: graph, Paths: study.MapPaths(graph, preset), Seed: seed, Config: run.ConfigOf(network),
		Samples: 4096, Bound: 1024}
	if r.Paths == 0 {
		return nil, fmt.Errorf("memory: the study of memory is of heights or ridge, not %q", graph)
	}
	r.Config.HoldSeed, r.Config.InitSeed, r.Config.Train.Seed = seed, seed, seed
	return r, nil
}

// The distributions of the study.
const (
	FirstOrder  = "first-order chain"
	SecondOrder = "second-order chain"
	Mixture     = "mixture of chains" // the model without its network, drawn from directly
	Model       = "model"
	Particles   = "model, particles"
)

// work is a study at work.
type work struct {
	*Study
	ctx      context.Context
	progress run.Progress
	table    *study.Table[Row]
	graph    *ddps.LayeredGraph // pruned
	train    *datasets.Data
	held     *datasets.Data
	memory   *datasets.Memory
	district []int
	first    *chain.Chain
	second   *chain.Distribution
	model    *model.Model
}

// Run adds to the table the rows that it lacks, and keeps the model's training in a run directory beside it, where a
// study that was stopped resumes.
func (r *Study) Run(ctx context.Context, dir string, to *study.Table[Row], w run.Progress) error {
	if w == nil {
		w = run.NoProgress{}
	}
	s := &work{Study: r, ctx: ctx, progress: w, table: to}
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
	enumerate := s.memory.Distributions
	if r.draft {
		enumerate = s.few
	}
	dists, err := enumerate(s.graph, s.district, given)
	w.End()
	if err != nil {
		return err
	}
	for i, c := range conditions {
		row := Row{Graph: r.Graph, Seed: r.Seed, Condition: texts[i], Samples: r.Samples, Paths: r.Paths,
			Network:     r.Config.Model.Network,
			Probability: math.Exp(dists[i].LogZ - dists[0].LogZ), NLL: math.NaN(), NLLTrue: math.NaN()}
		if err := s.under(c, dists[i], row); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes the data and fits and trains the distributions.
func (s *work) prepare(dir string) (err error) {
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
	r, err := run.FindOrCreate(dir, s.Config, data)
	if err != nil {
		return err
	}
	s.train, s.held = r.Split()
	if s.model, err = r.Trained(s.ctx, fmt.Sprintf("%s, seed %d", s.Graph, s.Seed), s.progress); err != nil {
		return err
	}
	s.graph, s.first = s.model.Graph, s.model.Chain
	sample := func(d *datasets.Data) chain.Sample { return chain.Sample{Paths: d.Paths, Weights: run.Counts(d)} }
	cfg, _, err := chain.TuneSecond(s.graph, sample(s.train), sample(s.held), chain.KappaGrid())
	if err != nil {
		return err
	}
	s.second, err = chain.FitSecond(s.graph, s.train.Paths, run.Counts(s.train), cfg)
	return err
}

// conditions returns the conditions and their texts, the first of them none: the greatest of a random reward, and a
// visit to a place that paths of the chain visit at odds of a tenth to two fifths.
func (s *work) conditions() (texts []string, list []guide.Condition, err error) {
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
		c, err := query.ParseWhere(text, s.graph, nil, nil)
		if err != nil {
			return nil, nil, err
		}
		if p := math.Exp(c.Tilt(s.first.P, make([]float64, len(s.first.P)))); p > 0.1 && p < 0.4 {
			fit = append(fit, text)
		}
	}
	if len(fit) == 0 {
		return nil, nil, fmt.Errorf("memory: no place of %s is visited at odds of 0.1 to 0.4", s.Graph)
	}
	texts = []string{"", "max(reward)", fit[ddps.Rand(s.Seed, 1).IntN(len(fit))]}
	list = []guide.Condition{nil}
	for _, text := range texts[1:] {
		c, err := query.ParseWhere(text, s.graph, u, nil)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, c)
	}
	return texts, list, nil
}

// under adds the rows of all distributions under one condition.
func (s *work) under(c guide.Condition, dist datasets.MemoryDistribution, row Row) error {
	floor := func(p []float64) (mean, high float64, err error) {
		f, err := metrics.Floor(p, func(q []float64) (float64, error) { return metrics.HalfL1(p, q) },
			metrics.FloorConfig{N: s.Samples, Reps: compare.FloorReps, Seed: s.Seed, Quantiles: []float64{0.999}})
		if err != nil {
			return 0, 0, err
		}
		return f.Mean, f.Quantiles[0], nil
	}
	var err error
	if row.DistrictFloor, row.DistrictHigh, err = floor(dist.Districts); err != nil {
		return err
	}
	if row.RevisitFloor, row.RevisitHigh, err = floor(dist.Revisits); err != nil {
		return err
	}
	dists := s.dists(c)
	g := study.Grid[Row]{Same: Row.same, Name: func(r Row) string { return r.Distribution }}
	for _, l := range dists {
		row.Distribution = l.name
		g.Points = append(g.Points, row)
	}
	g.Measure = func(_ context.Context, row *Row) error {
		l := dists[slices.IndexFunc(dists, func(l distribution) bool { return l.name == row.Distribution })]
		return s.measure(l, dist, row)
	}
	return g.Run(s.ctx, s.table, nil)
}

// measure sets the results of a row: of l, compared with the true distribution dist.
func (s *work) measure(l distribution, dist datasets.MemoryDistribution, row *Row) error {
	paths, err := l.draw()
	if err != nil {
		return err
	}
	if row.Districts, err = study.FeatureDistance(dist.Districts, paths, func(p []ddps.Path) ([]float64, error) {
		return datasets.DistrictDistribution(s.graph, s.district, p, nil)
	}); err != nil {
		return err
	}
	if row.Revisits, err = study.FeatureDistance(dist.Revisits, paths, func(p []ddps.Path) ([]float64, error) {
		return datasets.RevisitDistribution(s.graph, p, nil)
	}); err != nil || row.Condition != "" {
		return err
	}
	row.NLL, row.NLLTrue, err = s.nats(l, dist)
	return err
}
