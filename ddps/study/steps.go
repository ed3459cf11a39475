package study

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
)

// Steps measures how near samples come to their target by the number of reverse steps S, for each reverse step: of
// the shipped models of Toy and Heights, unguided and given the greatest of a random reward, and of Toy under Algorithm
// 2.
type Steps struct {
	Steps []int   // S, ascending
	Seeds int     // samples of each row, by seed
	Scale float64 // of the number of samples, in (0, 1]
}

// StepsRow is one sample compared with its target. Distances are L1 of the distribution of paths and ½L1 of features
// (datasets.DistrictDistribution, RevisitDistribution), each beside its mean over as many exact draws; NaN where there
// is none.
type StepsRow struct {
	Model         string  `csv:"model"`        // one of StepsModels
	Distribution  string  `csv:"distribution"` // a guide's name
	Lambda        float64 `csv:"lambda"`
	Kernel        string  `csv:"kernel"` // "" for Algorithm 2, which is a reverse step of its own
	Steps         int     `csv:"steps"`
	Samples       int     `csv:"samples"`
	Seed          uint64  `csv:"seed"`
	Reward        float64 `csv:"reward"`
	L1            float64 `csv:"l1"`
	L1Floor       float64 `csv:"l1_floor"`
	Districts     float64 `csv:"districts"`
	DistrictFloor float64 `csv:"districts_floor"`
	Revisits      float64 `csv:"revisits"`
	RevisitFloor  float64 `csv:"revisits_floor"`
}

// NewSteps returns the study at S = 4…256 and three seeds, of 16,384 samples a row on Toy and 4,096 on Heights.
func NewSteps() *Steps {
	return &Steps{Steps: []int{4, 8, 16, 32, 64, 128, 256}, Seeds: 3, Scale: 1}
}

// StepsModels names the models, those shipped for Toy (the MLP on a chain) and Heights (a mixture of chains alone).
func StepsModels() []string { return []string{"toy", "heights"} }

// stepsLambdas are the λ of Algorithm 2, about the sweet spots of 16 and of 256 steps (figures 5 and 6).
var stepsLambdas = []float64{30, 100, 300}

// StepsKernels names the reverse steps compared.
func StepsKernels() []string { return []string{"joint", "occupancy", "austin"} }

// points lists the grid points of one model.
func (c *Steps) points(model string, samples int) (list []StepsRow) {
	for seed := range uint64(c.Seeds) {
		add := func(r StepsRow) {
			r.Model, r.Samples, r.Seed = model, samples, seed
			for _, r.Steps = range c.Steps {
				list = append(list, r)
			}
		}
		for _, kernel := range StepsKernels() {
			add(StepsRow{Distribution: query.NoGuide, Kernel: kernel})
			add(StepsRow{Distribution: query.MaxReward, Kernel: kernel})
		}
		if model == "toy" {
			for _, x := range stepsLambdas {
				add(StepsRow{Distribution: query.Algorithm2, Lambda: x})
			}
		}
	}
	return list
}

// Run adds to the table the rows that it lacks.
func (c *Steps) Run(ctx context.Context, to *Table[StepsRow], w run.Progress) error {
	if w == nil {
		w = run.NoProgress{}
	}
	if !(c.Scale > 0 && c.Scale <= 1) {
		return fmt.Errorf("study: steps: scale is %v, must be in (0, 1]", c.Scale)
	}
	for _, model := range StepsModels() {
		if err := c.model(ctx, model, to, w); err != nil {
			return fmt.Errorf("study: steps: %s: %w", model, err)
		}
	}
	return nil
}

// stepsDemo returns a model of the study with its data and distribution.
func stepsDemo(model string) (*Demo, int, error) {
	if model == "toy" {
		d, err := ToyDemo(false, 0)
		return d, 16_384, err
	}
	d, err := HeightsDemo(0, 0)
	return d, 4096, err
}

// model does the rows of one model.
func (c *Steps) model(ctx context.Context, model string, to *Table[StepsRow], w run.Progress) error {
	d, samples, err := stepsDemo(model)
	if err != nil {
		return err
	}
	d.Samples = max(1, int(c.Scale*float64(samples)))
	g := Grid[StepsRow]{Points: c.points(model, d.Samples), Same: StepsRow.same, Stage: model,
		Name: func(r StepsRow) string { return fmt.Sprintf("%s, %s, %d steps", r.Distribution, r.Kernel, r.Steps) }}
	if len(to.Missing(g.Points, g.Same)) == 0 {
		return nil
	}
	rep := &Report{}
	if err := d.train(ctx, "", w, rep); err != nil {
		return err
	}
	w.Begin(model+": the target's sampling floors", 0, 1)
	dists, err := d.stepsTargets(rep)
	if w.End(); err != nil {
		return err
	}
	g.Measure = func(ctx context.Context, r *StepsRow) error {
		return r.measure(ctx, rep, dists[r.Distribution != query.NoGuide])
	}
	return g.Run(ctx, to, w)
}

// same reports whether x is of the same grid point.
func (r StepsRow) same(x StepsRow) bool {
	return x.Model == r.Model && x.Distribution == r.Distribution && x.Lambda == r.Lambda && x.Kernel == r.Kernel &&
		x.Steps == r.Steps &&
		x.Samples == r.Samples && x.Seed == r.Seed
}

// stepsTargets returns what samples are compared with: the true distribution and, of key true, that distribution given
// the greatest reward.
func (d *Demo) stepsTargets(rep *Report) (map[bool]*compare.Comparison, error) {
	t, err := d.target(rep.Graph)
	if err != nil {
		return nil, err
	}
	if rep.U, err = datasets.RewardInstance(rep.Graph, d.RMax, d.Seed); err != nil {
		return nil, err
	}
	given, err := t.Given(compare.AtMax(rep.Graph, rep.U, rep.Graph.Best(rep.U)))
	if err != nil {
		return nil, err
	}
	dists := map[bool]*compare.Comparison{}
	if dists[false], err = compare.New(t, rep.U, d.Samples, d.Seed); err != nil {
		return nil, err
	}
	dists[true], err = compare.New(given, rep.U, d.Samples, d.Seed)
	return dists, err
}

// measure draws the row's sample and holds it against its target.
func (r *StepsRow) measure(ctx context.Context, rep *Report, to *compare.Comparison) (err error) {
	s := rep.Model.Sampler()
	s.Steps = r.Steps
	if s.Kernel, err = query.Kernel(r.Kernel); err != nil {
		return err
	}
	if err := (query.Guide{Name: r.Distribution, Lambda: r.Lambda}).Apply(s, rep.U); err != nil {
		return err
	}
	paths, err := s.Sample(ctx, r.Samples, r.Seed)
	if err != nil {
		return err
	}
	row, err := to.Row(r.Distribution, paths)
	r.Reward, r.L1, r.L1Floor = row.Reward, row.L1.Value, row.L1.Floor
	r.Districts, r.DistrictFloor, r.Revisits, r.RevisitFloor = row.Districts.Value, row.Districts.Floor,
		row.Revisits.Value, row.Revisits.Floor
	return err
}

// StepsCurve is the mean over seeds of a distance by the number of steps, for one reverse step or one λ.
type StepsCurve struct {
	Name      string
	X, Y, Std []float64 // S, mean and standard deviation (÷n) over seeds
}

// StepsCurves returns, of the rows of a model under a distribution, the curves of a distance, "L1", "districts" or
// "revisits", in the order of the rows, and the mean of the same distance of exact draws.
func StepsCurves(rows []StepsRow, model, dist, distance string) (curves []StepsCurve, floor float64) {
	floor = math.NaN()
	values := map[string]map[float64][]float64{} // curve, S
	for _, r := range rows {
		if r.Model != model || r.Distribution != dist {
			continue
		}
		name := r.Kernel
		if name == "" {
			name = fmt.Sprintf("λ = %v", r.Lambda)
		}
		if values[name] == nil {
			values[name] = map[float64][]float64{}
			curves = append(curves, StepsCurve{Name: name})
		}
		v, f := r.distance(distance)
		x := float64(r.Steps)
		values[name][x], floor = append(values[name][x], v), f
	}
	for i := range curves {
		c := &curves[i]
		c.X = slices.Sorted(maps.Keys(values[c.Name]))
		for _, x := range c.X {
			mean, std := stat.PopMeanStdDev(values[c.Name][x], nil)
			c.Y, c.Std = append(c.Y, mean), append(c.Std, std)
		}
	}
	return curves, floor
}

// distance returns one of the row's distances, and its mean over exact draws.
func (r StepsRow) distance(name string) (value, floor float64) {
	switch name {
	case "districts":
		return r.Districts, r.DistrictFloor
	case "revisits":
		return r.Revisits, r.RevisitFloor
	}
	return r.L1, r.L1Floor
}
