package plots

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Ring is an undirected graph with its vertices on a circle, from the top clockwise. Edges between a vertex of the side
// and one that is not are out.
type Ring struct {
	Title string
	Edges [][2]int
	Order []int  // the vertices as they are on the circle, each once
	Side  []bool // by vertex
}

// Plot returns the picture. The error names the vertex that has no place or two, or the edge of such.
func (r Ring) Plot() (*plot.Plot, error) {
	n := len(r.Order)
	if n == 0 || len(r.Side) != n {
		return nil, fmt.Errorf("plots: ring: sides of %d vertices, places of %d", len(r.Side), n)
	}
	place := make([]int, n)
	for i := range place {
		place[i] = -1
	}
	for k, v := range r.Order {
		if v < 0 || v >= n || place[v] >= 0 {
			return nil, fmt.Errorf("plots: ring: vertex %d occurs twice, or is not one of %d", v, n)
		}
		place[v] = k
	}
	for _, e := range r.Edges {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= n {
			return nil, fmt.Errorf("plots: ring: an edge %d–%d of a graph of %d vertices", e[0], e[1], n)
		}
	}
	p := plot.New()
	p.HideAxes()
	p.Title.Text, p.Title.TextStyle.Font = r.Title, sans(panelFont, true)
	p.Add(ringDrawer{r, place})
	return p, nil
}

// ringDrawer draws a Ring whose vertices have places.
type ringDrawer struct {
	Ring
	place []int
}

// Plot implements plot.Plotter.
func (r ringDrawer) Plot(c draw.Canvas, _ *plot.Plot) {
	dot := vg.Length(3.2)
	radius := min(c.Max.X-c.Min.X, c.Max.Y-c.Min.Y)/2 - dot - 2
	at := func(v int) vg.Point {
		a := math.Pi/2 - 2*math.Pi*(float64(r.place[v])+.5)/float64(len(r.place))
		return vg.Point{X: c.Center().X + radius*vg.Length(math.Cos(a)), Y: c.Center().Y + radius*vg.Length(math.Sin(a))}
	}
	for _, between := range []bool{false, true} {
		sty := line(.7, fade(grey, .7))
		if between {
			sty = line(1.4, red)
		}
		for _, e := range r.Edges {
			if (r.Side[e[0]] != r.Side[e[1]]) == between {
				c.StrokeLines(sty, []vg.Point{at(e[0]), at(e[1])})
			}
		}
	}
	for v := range r.place {
		fill := sky
		if r.Side[v] {
			fill = blue
		}
		disc(c, at(v), dot, fill, black)
	}
}

// Rings returns a figure of graphs in rows of one length. The error names the row and place, from 1, of what cannot be
// drawn.
func Rings(title string, rows [][]Ring) (*Figure, error) {
	grid := make([][]*plot.Plot, len(rows))
	for i, row := range rows {
		for j, r := range row {
			p, err := r.Plot()
			if err != nil {
				return nil, fmt.Errorf("row %d, place %d: %w", i+1, j+1, err)
			}
			grid[i] = append(grid[i], p)
		}
	}
	f, err := NewFigure(title, nil, grid)
	if err == nil {
		f.side = Width/vg.Length(len(rows[0])) + 8
	}
	return f, err
}
