package paper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/plots"
)

// GuidancePlot draws a quantity of a series against the guidance scale, a curve a greatest reward, as study.Curves
// names it. Dotted are the greatest rewards, or the sampling floors of the distances; golden is the scale at which a
// distance is least.
func GuidancePlot(rows []study.GuidanceRow, of study.Series, quantity string) (*plot.Plot, error) {
	s, err := guidanceSweep(rows, of, quantity, false)
	if err != nil {
		return nil, err
	}
	if s.Title = s.YLabel; of.Graph != "" {
		s.Title = fmt.Sprintf("%s: %s", strings.ToUpper(of.Graph[:1])+of.Graph[1:], s.YLabel)
	}
	return s.Plot()
}

// GuidanceFigure is GuidancePlot of several quantities in panels, two a row, with one legend; with own from the paper's
// target, the unguided samples that attain the greatest reward.
func GuidanceFigure(rows []study.GuidanceRow, of study.Series, own bool, quantities ...string) (*plots.Figure, error) {
	return panels(quantities, func(name string) (plots.Sweep, error) { return guidanceSweep(rows, of, name, own) })
}

// GuidesFigure is GuidanceFigure with a curve a series, a guide each, instead of a curve a greatest reward: rows of one
// reward, or means over all of theirs.
func GuidesFigure(rows []study.GuidanceRow, quantities ...string) (*plots.Figure, error) {
	return panels(quantities, func(name string) (plots.Sweep, error) {
		var all plots.Sweep
		for _, of := range study.SeriesOf(rows) {
			s, err := guidanceSweep(rows, of, name, false)
			if err != nil {
				return all, err
			}
			title := of.Distribution
			if of.Kernel != "" {
				title += ", " + of.Kernel
			}
			for i, c := range s.Series {
				if c.Name = title; len(s.Series) > 1 {
					c.Name += ", " + s.Series[i].Name
				}
				limit := math.NaN()
				if s.Limits != nil {
					limit = s.Limits[i]
				}
				all.Series, all.Limits = append(all.Series, c), append(all.Limits, limit)
			}
			if all.YLabel = s.YLabel; s.LimitName != "" {
				all.LimitName = s.LimitName
			}
		}
		if len(all.Series) == 0 {
			return all, fmt.Errorf("paper: no results of any guide")
		}
		return all, nil
	})
}

// panels draws quantities two a row.
func panels(quantities []string, of func(string) (plots.Sweep, error)) (*plots.Figure, error) {
	var grid [][]*plot.Plot
	var legend plots.Sweep
	for i, name := range quantities {
		s, err := of(name)
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
		legend = s
		legend.SweetSpot = 0 // not the same in all panels
	}
	return plots.NewFigure("", legend, grid)
}

// guidanceSweep is one panel of a series.
func guidanceSweep(rows []study.GuidanceRow, of study.Series, quantity string, own bool) (s plots.Sweep, err error) {
	known := append([]string{study.QuantityReward, study.QuantityAtMax}, compare.DistanceNames()...)
	if !slices.Contains(known, quantity) {
		return s, fmt.Errorf("paper: there is no quantity %q (%s)", quantity, strings.Join(known, ", "))
	}
	reward := quantity == study.QuantityReward || quantity == study.QuantityAtMax
	s = plots.Sweep{YLabel: quantity, LimitName: "sampling floor"}
	if reward {
		s.LimitName = "maximum"
	}
	if quantity == study.QuantityReward {
		s.YLabel = "mean reward"
	}
	empty := func(c study.Curve) bool {
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
		return s, fmt.Errorf("paper: no results of %s, %s, %s", of.Graph, of.Model, of.Distribution)
	}
	if !slices.ContainsFunc(s.Limits, func(x float64) bool { return !math.IsNaN(x) }) {
		s.Limits, s.LimitName = nil, "" // none to draw
	}
	if x := study.SharedSweetSpot(curves); !reward && x > 0 {
		s.SweetSpot = x
	}
	if !reward {
		s.References = references(curves)
	}
	return s, nil
}

// references are the exact conditions, means over the curves.
func references(curves []study.Curve) (refs []plots.Reference) {
	for _, r := range []struct {
		name string
		of   func(study.Curve) float64
	}{
		{"model, exact condition (mean)", func(c study.Curve) float64 { return c.Model }},
		{"fitted chain, exact condition (mean)", func(c study.Curve) float64 { return c.Chain }},
	} {
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
