package experiment

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
)

// Validity is the paper's experiment on guidance and validity (§5.1, figure 3): the share of samples that are paths, of
// DDPS and of SwinGNN, both trained on the same paths of RQ1, guided with growing strength to a reward of 1 for one edge.
type Validity struct {
	Seed    uint64
	Swin    Swin
	Config  Config    // of DDPS; Hold says how many paths are held out, from both
	Lambdas []float64 // nil: Lambdas
	Samples int       // of each method and strength
	Steps   int       // reverse steps of DDPS
	Data    *datasets.Data
}

// Shares of the paths that the rewarded edge is on: it is drawn by the seed from those in between.
const leastShare, mostShare = 0.1, 0.4

// NewValidity returns the study at a size, SwinGNN on that backend.
func NewValidity(preset, backend string, seed uint64) (*Validity, error) {
	data, err := MakeData(rivalGraph(preset), preset)
	if err != nil {
		return nil, err
	}
	v := &Validity{Seed: seed, Swin: SwinOf(preset, backend), Config: rivalConfig(preset, seed), Samples: 128, Steps: 64, Data: data}
	switch preset {
	case PresetPaper:
		v.Samples, v.Steps = 8192, d3pm.DefaultT
	case PresetQuick:
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

// ValidityRow is a row of the study's ledger. Shares are of all samples, in [0, 1]; those that are no path are of exactly
// one of the four kinds of baselines.Outcome.
type ValidityRow struct {
	Seed      uint64  `csv:"seed"`
	Edge      string  `csv:"edge"`
	Method    string  `csv:"method"`
	Lambda    float64 `csv:"lambda"`
	Samples   int     `csv:"samples"`
	Valid     float64 `csv:"valid"` // with its interval of 95 %
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
	ctx   context.Context
	watch Watch
	train *datasets.Data
	ddps  *model.Model
	swin  *swingnn.Model
	edge  int
}

// Run adds to the ledger the rows that it lacks, and to curve those of SwinGNN's training, unless it is nil. The trained
// models are kept in dir, where a study that was stopped goes on. When ctx ends it returns d3pm.ErrStopped, wrapped.
func (v *Validity) Run(ctx context.Context, dir string, to *Ledger[ValidityRow], curve *Ledger[SwinRow], w Watch) error {
	if w == nil {
		w = unwatched{}
	}
	s := &validity{Validity: v, ctx: ctx, watch: w}
	if err := s.prepare(dir, curve); err != nil {
		return err
	}
	lambdas := v.Lambdas
	if lambdas == nil {
		lambdas = Lambdas()
	}
	for _, method := range []string{ValidDDPS, ValidNoisy, ValidDenoised} {
		for _, lambda := range lambdas {
			row := ValidityRow{Seed: v.Seed, Edge: s.edgeName(), Method: method, Lambda: lambda, Samples: v.Samples}
			if slices.ContainsFunc(to.Rows, func(r ValidityRow) bool {
				return r.Seed == row.Seed && r.Edge == row.Edge && r.Method == method && r.Lambda == lambda && r.Samples == row.Samples
			}) {
				continue
			}
			if err := s.measure(&row); err != nil {
				return err
			}
			if err := to.Add(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// prepare trains both models on the same paths, and draws the edge.
func (s *validity) prepare(dir string, curve *Ledger[SwinRow]) error {
	run, err := rivalRun(dir, s.Config, s.Data)
	if err != nil {
		return err
	}
	train, held := run.Split()
	s.train = train
	if s.edge, err = rewardedEdge(train.Graph, repeated(train), s.Seed); err != nil {
		return err
	}
	if s.ddps, _, err = trainRival(s.ctx, run, "DDPS", s.watch); err != nil {
		return err
	}
	s.swin, _, err = s.Swin.Fit(s.ctx, dir, train, held, s.Seed, curve, s.watch)
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
		return 0, fmt.Errorf("experiment: validity: no edge is on a share of %g to %g of the paths", leastShare, mostShare)
	}
	return fit[ddps.Rand(seed, 1).IntN(len(fit))], nil
}

func (s *validity) edgeName() string {
	g := s.train.Graph
	return g.Name(g.Tail(s.edge)) + "→" + g.Name(g.Head(s.edge))
}

// measure fills in a row.
func (s *validity) measure(row *ValidityRow) error {
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
func ReadValidity(path string) ([]ValidityRow, error) { return ReadLedger[ValidityRow](path) }
