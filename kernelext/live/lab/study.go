package lab

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/plots"
)

// The paper's figures 4 to 6 as a study of cells.
type (
	Study       = study.Guidance
	StudyRow    = study.GuidanceRow
	StudySeries = study.Series
	StudyGuide  = study.Guide
	StudyCurve  = study.Curve
	Finding     = study.Finding
)

// NewStudy returns the study of "toy", "heights" or "ridge" at a size, "quick" or "paper".
func NewStudy(graph, preset string) (*Study, error) { return study.NewGuidance(graph, preset) }

// RunStudy does what a study lacks, and returns all rows of its folder: the second time they are only read.
//
//	s := must(NewStudy("toy", "quick"))
//	rows := must(RunStudy(s, "runs/reproduce"))
//	Show(must(StudyPlot(rows, SeriesOf(rows)[0], "reward")))
func (l *Lab) RunStudy(s *Study, dir string) (rows []StudyRow, err error) {
	ledger, err := study.OpenTable[StudyRow](filepath.Join(dir, study.GuidanceFile))
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := ledger.Close(); err == nil {
			err = e
		}
	}()
	err = s.Run(l.ctx(), dir, ledger, &studyWatch{l: l})
	return ledger.Rows, err
}

// studyWatch shows the stages of a study as bars.
type studyWatch struct {
	l   *Lab
	bar *kernelext.Progress
}

func (w *studyWatch) Begin(stage string, done, total int) {
	w.bar = w.l.NewProgress(stage, total)
	w.bar.Set(done, "")
}
func (w *studyWatch) Set(done int, detail string) { w.bar.Set(done, detail) }
func (w *studyWatch) End()                        { w.bar.End() }

// SeriesOf lists the guides that rows are of, with their graphs, models and reverse steps.
func SeriesOf(rows []StudyRow) []StudySeries { return study.SeriesOf(rows) }

// StudyCurves returns the curves of a series against λ, a greatest reward each: "reward", "at the maximum" or a distance as
// figures 5 and 6 name them ("KL", "L1", "TV", "SFD", "IS-L-L1", "IS-L-KL", "IS-L-TV", "IS-L-SF", "FLGD"), from the exact
// target or, with own, from the paper's, the samples at λ = 0 that earn the maximum.
func StudyCurves(rows []StudyRow, of StudySeries, quantity string, own bool) []StudyCurve {
	return study.Curves(rows, of, quantity, own)
}

// Findings judges rows by what the paper states of its figures.
func Findings(rows []StudyRow) []Finding { return study.Findings(rows) }

// StudyPlot draws a quantity of a series against λ, as StudyCurves names it. Dotted are the greatest rewards, or the noise
// floors of the distances; golden is the λ at which a distance is least.
func StudyPlot(rows []StudyRow, of StudySeries, quantity string) (*plot.Plot, error) {
	s, err := studySweep(rows, of, quantity, false)
	if err != nil {
		return nil, err
	}
	s.Title = fmt.Sprintf("%s: %s", strings.ToUpper(of.Graph[:1])+of.Graph[1:], s.YLabel)
	return s.Plot()
}

func studySweep(rows []StudyRow, of StudySeries, quantity string, own bool) (s plots.Sweep, err error) {
	reward := quantity == study.QuantityReward || quantity == study.QuantityAtMax
	s = plots.Sweep{YLabel: quantity, LimitName: "sampling floor"}
	if reward {
		s.LimitName = "maximum"
	}
	if quantity == study.QuantityReward {
		s.YLabel = "mean reward"
	}
	empty := func(c StudyCurve) bool {
		return !slices.ContainsFunc(c.Y, func(y float64) bool { return !math.IsNaN(y) })
	}
	curves := slices.DeleteFunc(study.Curves(rows, of, quantity, own), empty)
	for _, c := range curves {
		limit := c.Floor
		if quantity == study.QuantityReward {
			limit = float64(c.RMax)
		}
		s.Limits = append(s.Limits, limit)
		s.Series = append(s.Series, plots.Series{Name: fmt.Sprintf("maximum %d", c.RMax), X: c.X, Y: c.Y, Err: c.Std})
	}
	if len(curves) == 0 {
		return s, fmt.Errorf("lab: no results of %s, %s, %s", of.Graph, of.Model, of.Law)
	}
	if x := study.SharedSweetSpot(curves); !reward && x > 0 {
		s.SweetSpot = x
	}
	if !reward {
		s.References = besides(curves)
	}
	return s, nil
}

// besides are the exact conditions, means over the curves.
func besides(curves []StudyCurve) (refs []plots.Reference) {
	for _, r := range []struct {
		name string
		of   func(StudyCurve) float64
	}{{"model, exact condition", func(c StudyCurve) float64 { return c.Model }}, {"fitted chain, exact condition", func(c StudyCurve) float64 { return c.Chain }}} {
		sum := 0.0
		for _, c := range curves {
			sum += r.of(c) / float64(len(curves))
		}
		if !math.IsNaN(sum) && !math.IsInf(sum, 0) {
			refs = append(refs, plots.Reference{Name: r.name, Value: sum})
		}
	}
	return refs
}

// StudyFigure is StudyPlot of several distances in panels, two a row, with one legend; with own from the paper's target.
//
//	StudyFigure(rows, SeriesOf(rows)[0], false, "KL", "L1", "TV", "SFD")
func StudyFigure(rows []StudyRow, of StudySeries, own bool, quantities ...string) (*plots.Figure, error) {
	var grid [][]*plot.Plot
	var legend plots.Sweep
	for i, name := range quantities {
		s, err := studySweep(rows, of, name, own)
		if err != nil {
			return nil, err
		}
		if s.Title = name; s.SweetSpot > 0 {
			s.Title += fmt.Sprintf(": least at λ = %.4g", s.SweetSpot)
		}
		s.YLabel = ""
		p, err := s.Plot()
		if err != nil {
			return nil, err
		}
		if i%2 == 0 {
			grid = append(grid, []*plot.Plot{nil, nil})
		}
		grid[i/2][i%2] = p
		if legend = s; s.SweetSpot > 0 {
			legend.SweetSpot = 0 // not the same in all panels
		}
	}
	return plots.NewFigure("", legend, grid)
}
