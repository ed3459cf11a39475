package plots

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Figure is several plots side by side, made by [NewFigure].
type Figure struct {
	title  string
	legend *strip // nil: each panel has its own
	panels [][]*plot.Plot
	side   vg.Length // height of a row of panels; 0: what suits plots with axes
}

// Legender is a figure with a legend that others can share: [Graph], [Map], [Edges], [Training], [Sweep], [Pareto],
// [Bars].
type Legender interface{ legend() []entry }

// NewFigure puts plots into a grid, [row][column], below a common title ("" for none). Rows are of one length;
// nil leaves a place empty. With shared, its legend occurs once above all panels, which lose their own; nil lets
// them keep it. The error says which row is too short or long, or that there is nothing to draw.
func NewFigure(title string, shared Legender, panels [][]*plot.Plot) (*Figure, error) {
	if len(panels) == 0 || len(panels[0]) == 0 {
		return nil, fmt.Errorf("plots: figure without panels")
	}
	for i, row := range panels {
		if len(row) != len(panels[0]) {
			return nil, fmt.Errorf("plots: figure: row %d has %d panels, the first %d", i+1, len(row), len(panels[0]))
		}
	}
	f := &Figure{title: title, panels: panels}
	if shared != nil {
		f.legend = &strip{shared.legend()}
	}
	return f, nil
}

// Size returns the size at which the panels' fonts are in proportion: Width, and a height by the number of rows.
func (f *Figure) Size() (w, h vg.Length) {
	if f.side > 0 {
		return Width, 60 + f.side*vg.Length(len(f.panels))
	}
	return Width, Height * (.2 + .6*vg.Length(len(f.panels)))
}

// Draw draws the panels with their axes aligned.
func (f *Figure) Draw(c draw.Canvas) {
	c.SetColor(white)
	c.Fill(c.Rectangle.Path())
	if f.title != "" {
		c.FillText(label(14, black, true), vg.Point{X: c.Center().X, Y: c.Max.Y - 13}, f.title)
		c.Max.Y -= 26
	}
	if f.legend != nil {
		in := draw.Crop(c, 12, -12, 0, 0)
		n := len(f.legend.rows(in.Max.X-in.Min.X, stripFont))
		c.Max.Y -= vg.Length(n)*stripFont*1.5 + stripGap
		in.Max.Y = c.Max.Y - stripGap/2
		f.legend.draw(in, n)
	}
	tiles := draw.Tiles{Rows: len(f.panels), Cols: len(f.panels[0]), PadX: 14, PadY: 14,
		PadTop: 6, PadBottom: 6, PadLeft: 6, PadRight: 10}
	width := (c.Max.X-c.Min.X-16)/vg.Length(tiles.Cols) - 14
	f.each(func(_, _ int, p *plot.Plot) {
		layFor(p, width)
		if f.legend != nil {
			hideLegend(p)
		}
	})
	cells := plot.Align(f.panels, tiles, c)
	f.each(func(i, j int, p *plot.Plot) { p.Draw(cells[i][j]) })
}

func (f *Figure) each(do func(i, j int, p *plot.Plot)) {
	for i, row := range f.panels {
		for j, p := range row {
			if p != nil {
				do(i, j, p)
			}
		}
	}
}
