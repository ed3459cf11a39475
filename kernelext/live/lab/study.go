package lab

import (
	"path/filepath"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/plots"
	"github.com/ddps-go/ddps/plots/paper"
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

// RunStudy does what a study lacks, and returns all rows of its directory: the second time they are only read.
//
//	s := must(NewStudy("toy", "quick"))
//	rows := must(RunStudy(s, "runs/reproduce"))
//	Show(must(StudyPlot(rows, SeriesOf(rows)[0], "reward")))
func (l *Lab) RunStudy(s *Study, dir string) (rows []StudyRow, err error) {
	journal, err := study.OpenTable[StudyRow](filepath.Join(dir, study.GuidanceFile))
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := journal.Close(); err == nil {
			err = e
		}
	}()
	err = s.Run(l.ctx(), dir, journal, &studyWatch{l: l})
	return journal.Rows, err
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

// StudyCurves returns the curves of a series against λ, a greatest reward each: "reward", "at the maximum" or a
// distance as figures 5 and 6 name them ("KL", "L1", "TV", "SFD", "IS-L-L1", "IS-L-KL", "IS-L-TV", "IS-L-SF", "FLGD"),
// from the exact target or, with own, from the paper's, the samples at λ = 0 that earn the maximum.
func StudyCurves(rows []StudyRow, of StudySeries, quantity string, own bool) []StudyCurve {
	return study.Curves(rows, of, quantity, own)
}

// Findings judges rows by what the paper states of its figures.
func Findings(rows []StudyRow) []Finding { return study.Findings(rows) }

// StudyPlot draws a quantity of a series against λ, as StudyCurves names it. Dotted are the greatest rewards, or the
// sampling floors of the distances; golden is the λ at which a distance is least.
func StudyPlot(rows []StudyRow, of StudySeries, quantity string) (*plot.Plot, error) {
	return paper.GuidancePlot(rows, of, quantity)
}

// StudyFigure is StudyPlot of several distances in panels, two a row, with one legend; with own from the paper's
// target.
//
//	StudyFigure(rows, SeriesOf(rows)[0], false, "KL", "L1", "TV", "SFD")
func StudyFigure(rows []StudyRow, of StudySeries, own bool, quantities ...string) (*plots.Figure, error) {
	return paper.GuidanceFigure(rows, of, own, quantities...)
}

// GuidesFigure is StudyFigure with a curve a guide.
//
//	GuidesFigure(rows, "reward", "KL")
func GuidesFigure(rows []StudyRow, quantities ...string) (*plots.Figure, error) {
	return paper.GuidesFigure(rows, quantities...)
}

// StudyTable returns quantities of a series for one greatest reward, a row a guidance scale.
func StudyTable(rows []StudyRow, of StudySeries, rmax int, quantities ...string) (*Table, error) {
	t, err := paper.Guidance(rows, of, rmax, quantities...)
	if err != nil {
		return nil, err
	}
	return table(t), nil
}

// table shows a table of the paper.
func table(t paper.Table) *Table {
	k := kernelext.NewTable(t.Header...)
	for _, r := range t.Rows {
		k.Add(r...)
	}
	return k
}
