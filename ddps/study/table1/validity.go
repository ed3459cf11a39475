package table1

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/baselines/swingnn"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
)

// Validity is the paper's experiment on guidance and validity (§5.1, figure 3): the share of samples that are paths, of
// DDPS and of SwinGNN, both trained on the same paths of RQ1, guided with growing strength to a reward of 1 for one
// edge.
type Validity struct {
	Seed    uint64
	Swin    Swin
	Config  run.Config // of DDPS; Hold says how many paths are kept for validation, from both
	Lambdas []float64  // nil: Lambdas
	Samples int        // of each method and strength
	Steps   int        // reverse steps of DDPS
	Data    *datasets.Data
}

// Shares of the paths that the rewarded edge is on: it is drawn by the seed from those in between.
const leastShare, mostShare = 0.1, 0.4

// NewValidity returns the study of one of Graphs at one of run.Presets, SwinGNN on that backend.
func NewValidity(graph, preset, backend string, seed uint64) (*Validity, error) {
	n, err := sizeOf(graph, preset)
	if err != nil {
		return nil, err
	}
	data, err := run.MakeData(graph, preset)
	if err != nil {
		return nil, err
	}
	v := &Validity{Seed: seed, Swin: swinOf(n, backend), Config: ddpsConfig(n, seed), Samples: 128, Steps: 64,
		Data: data}
	switch n {
	case sizePaper:
		v.Samples, v.Steps = 8192, d3pm.DefaultT
	case sizeExample:
		v.Samples, v.Lambdas = 64, []float64{0, 10, 100, 1000}
	}
	return v, nil
}

// The methods of the study.
const (
	ValidDDPS     = "DDPS"
	ValidNoisy    = "SwinGNN, R(x)"    // the paper's: the reward of the noisy sample
	ValidDenoised = "SwinGNN, R(D(x))" // the reward of the denoised sample, through the network
)

// ValidityRow is a row of the study's results table. Shares are of all samples, in [0, 1]; those that are no path are
// of exactly one of the four kinds of baselines.Outcome.
type ValidityRow struct {
	Seed      uint64  `csv:"seed"`
	Edge      string  `csv:"edge"`
	Method    string  `csv:"method"`
	Lambda    float64 `csv:"lambda"`
	Samples   int     `csv:"samples"`
	Valid     float64 `csv:"valid"` // with its interval of 95%
	Low       float64 `csv:"valid_low"`
	High      float64 `csv:"valid_high"`
	Foreign   float64 `csv:"foreign"`
	Extra     float64 `csv:"extra"`
	Broken    float64 `csv:"broken"`
	Scattered float64 `csv:"scattered"`
	Reward    float64 `csv:"reward"`       // share that has the edge
	Both      float64 `csv:"valid_reward"` // share that is a path with the edge
	Unique    int     `csv:"unique"`       // distinct paths
	Seconds   float64 `csv:"seconds"`
}

// validity is a study at work.
type validity struct {
	*Validity
	ctx      context.Context
	progress run.Progress
	train    *datasets.Data
	ddps     *model.Model
	swin     *swingnn.Model
	edge     int
}

// Run adds to the table the rows that it lacks, and to curve those of SwinGNN's training, unless it is nil. The trained
// models are kept in dir, where a study that was stopped resumes. When ctx ends it returns train.ErrStopped, wrapped.
func (v *Validity) Run(ctx context.Context, dir string, to *study.Table[ValidityRow], curve *study.Table[SwinRow],
	w run.Progress) error {
	if w == nil {
		w = run.NoProgress{}
	}
	s := &validity{Validity: v, ctx: ctx, progress: w}
	if err := s.prepare(dir, curve); err != nil {
		return err
	}
	g := study.Grid[ValidityRow]{Points: v.points(s.train.Graph, s.edge), Same: ValidityRow.same, Measure: s.measure,
		Name: func(r ValidityRow) string { return fmt.Sprintf("%s, λ = %g", r.Method, r.Lambda) }}
	return g.Run(ctx, to, nil)
}

// points lists the grid points of an edge of g.
func (v *Validity) points(g *ddps.LayeredGraph, edge int) (list []ValidityRow) {
	lambdas := v.Lambdas
	if lambdas == nil {
		lambdas = study.Lambdas()
	}
	name := g.Name(g.Tail(edge)) + "→" + g.Name(g.Head(edge))
	for _, method := range []string{ValidDDPS, ValidNoisy, ValidDenoised} {
		for _, lambda := range lambdas {
			list = append(list, ValidityRow{Seed: v.Seed, Edge: name, Method: method, Lambda: lambda, Samples: v.Samples})
		}
	}
	return list
}

// same reports whether x is of the same grid point.
func (r ValidityRow) same(x ValidityRow) bool {
	return r.Seed == x.Seed && r.Edge == x.Edge && r.Method == x.Method && r.Lambda == x.Lambda && r.Samples == x.Samples
}

// prepare trains both models on the same paths, and draws the edge.
func (s *validity) prepare(dir string, curve *study.Table[SwinRow]) error {
	r, err := ddpsRun(dir, s.Config, s.Data)
	if err != nil {
		return err
	}
	train, held := r.Split()
	s.train = train
	if s.edge, err = rewardedEdge(train.Graph, repeated(train), s.Seed); err != nil {
		return err
	}
	if s.ddps, _, err = trainDDPS(s.ctx, r, "DDPS", s.progress); err != nil {
		return err
	}
	s.swin, _, err = s.Swin.Fit(s.ctx, dir, train, held, s.Seed, curve, s.progress)
	return err
}

// rewardedEdge draws one of the edges that between leastShare and mostShare of the paths take.
func rewardedEdge(g *ddps.LayeredGraph, paths []ddps.Path, seed uint64) (int, error) {
	count := make([]int, g.NumEdges())
	for _, p := range paths {
		edges, err := g.PathEdges(nil, p)
		if err != nil {
			return 0, err
		}
		for _, e := range edges {
			count[e]++
		}
	}
	var fit []int
	for e, n := range count {
		if share := float64(n) / float64(len(paths)); share >= leastShare && share <= mostShare {
			fit = append(fit, e)
		}
	}
	if len(fit) == 0 {
		return 0, fmt.Errorf("table1: validity: no edge is on a share of %g to %g of the paths", leastShare, mostShare)
	}
	return fit[ddps.Rand(seed, 1).IntN(len(fit))], nil
}

// measure sets the results of a row.
func (s *validity) measure(_ context.Context, row *ValidityRow) error {
	began, g := time.Now(), s.train.Graph
	list, err := s.draw(row)
	if err != nil {
		return err
	}
	row.Seconds = time.Since(began).Seconds()
	wanted := baselines.Edge{U: g.Tail(s.edge), V: g.Head(s.edge)}
	tally, n := baselines.NewTally(g, s.train.Paths), float64(len(list))
	for _, edges := range list {
		valid := tally.Add(edges) == baselines.Valid
		if slices.Contains(edges, wanted) {
			row.Reward += 1 / n
			if valid {
				row.Both += 1 / n
			}
		}
	}
	c := tally.Counts()
	row.Valid, row.Low, row.High = c.ValidRate()
	share := func(o baselines.Outcome) float64 { return float64(c.Outcomes[o]) / n }
	row.Foreign, row.Extra = share(baselines.Foreign), share(baselines.Extra)
	row.Broken, row.Scattered, row.Unique = share(baselines.Broken), share(baselines.Scattered), c.Unique
	return nil
}

// ReadValidity reads the rows of a study from its file. The error names the file, and the line that is wrong.
func ReadValidity(path string) ([]ValidityRow, error) { return study.ReadTable[ValidityRow](path) }
