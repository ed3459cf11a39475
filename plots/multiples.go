package plots

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Multiples is several pictures of edges in a grid, row by row, on one scale and with one legend: paths at a growing
// guidance scale λ, given several conditions, or at the times of the reverse process.
type Multiples struct {
	Title   string
	Panels  []Edges // each with a title of its own; Most is set by all of them together
	Columns int     // 0: what suits their number: at most 4 of maps, 2 of other graphs
}

// Figure returns the figure; its Size suits the panels. The error names the panel, from 1, whose numbers cannot be
// drawn, or says that there is none or that some have a map and others none.
func (m Multiples) Figure() (*Figure, error) {
	if len(m.Panels) == 0 {
		return nil, fmt.Errorf("plots: multiples: no panels")
	}
	panels, most := append([]Edges(nil), m.Panels...), 0.0
	for i, p := range panels {
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("plots: multiples: panel %d (%s): %w", i+1, p.Title, err)
		}
		if p.mapped() != panels[0].mapped() {
			return nil, fmt.Errorf("plots: multiples: panel %d (%s) has a map or none, unlike the first", i+1, p.Title)
		}
		most = max(most, p.Scale())
	}
	cols := m.columns()
	grid := make([][]*plot.Plot, (len(panels)+cols-1)/cols)
	for i := range grid {
		grid[i] = make([]*plot.Plot, cols)
	}
	for i, p := range panels {
		p.Most, p.Title = most, fitTitle(p.Title, (Width-16)/vg.Length(cols)-14)
		drawn, err := p.panel(i == 0, i == len(panels)-1)
		if err != nil {
			return nil, fmt.Errorf("plots: multiples: panel %d (%s): %w", i+1, m.Panels[i].Title, err)
		}
		drawn.Title.TextStyle.Font = sans(panelFont, true)
		grid[i/cols][i%cols] = drawn
	}
	key := max(0, slices.IndexFunc(panels, func(p Edges) bool { return p.Reward != nil })) // whose legend has all
	panels[key].Most = most
	f, err := NewFigure(m.Title, panels[key], grid)
	if err != nil {
		return nil, err
	}
	f.side = min(.75*Height, Width/vg.Length(cols)+30)
	if !panels[0].mapped() {
		f.side = min(.75*Height, .6*Width/vg.Length(cols)+30)
	}
	return f, nil
}

// panelFont is the size of a panel's title.
const panelFont vg.Length = 11

// panel is Plot for one of several pictures: the scale is on the first alone, the attribution on the last.
func (d Edges) panel(first, last bool) (*plot.Plot, error) {
	if !d.mapped() {
		return d.Plot()
	}
	m := d.streets()
	if m.scaleless = !first; !last {
		m.Attribution = ""
	}
	return m.Plot()
}

// columns returns the number of columns.
func (m Multiples) columns() int {
	switch n := len(m.Panels); {
	case m.Columns > 0:
		return min(m.Columns, n)
	case !m.Panels[0].mapped(): // wider than high
		return min(2, n)
	case n <= 4:
		return n
	case n <= 9 && n != 7 && n != 8:
		return 3
	}
	return 4
}

// fitTitle breaks a title between words into lines no wider than w, three at most; what does not fit is cut off.
func fitTitle(title string, w vg.Length) string {
	sty, lines := label(panelFont, black, true), []string{""}
	for _, word := range strings.Fields(title) {
		last := &lines[len(lines)-1]
		if longer := strings.TrimSpace(*last + " " + word); *last == "" || sty.Width(longer) <= w {
			*last = longer
			continue
		}
		lines = append(lines, word)
	}
	for i, l := range lines {
		r := []rune(l)
		cut := i == 2 && len(lines) > 3
		for len(r) > 1 && (cut || sty.Width(string(r)) > w) {
			r, cut = append(r[:len(r)-2:len(r)-2], '…'), false
		}
		lines[i] = string(r)
	}
	return strings.Join(lines[:min(3, len(lines))], "\n")
}
