package stack

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// visited is a distribution under which steps to places that the path has visited are less likely.
type visited struct {
	Stepper
	place  []int // by vertex, −1 for none
	factor float64
}

// DiscountVisited returns d with the probabilities of steps to places that the path has visited multiplied by factor,
// each row divided by its sum. It is not tractable: a stack conditions it by draws of d. The error says that the factor
// is not in (0, 1], or that the graph's vertices have no places.
func DiscountVisited(d Stepper, factor float64) (Stepper, error) {
	switch {
	case !(factor > 0 && factor <= 1):
		return nil, fmt.Errorf("stack: visited places: factor %v, must be in (0, 1]", factor)
	case d.Graph().Meta().Place == nil:
		return nil, errors.New("stack: visited places: the graph's vertices have no places")
	}
	return &visited{d, placesOf(d.Graph()), factor}, nil
}

// VisitedFactor returns the factor of DiscountVisited that made d, 1 for any other.
func VisitedFactor(d Distribution) float64 {
	if v, ok := d.(*visited); ok {
		return v.factor
	}
	return 1
}

// placesOf returns the place of each vertex, −1 for none.
func placesOf(g *ddps.LayeredGraph) []int {
	place := slices.Clone(g.Meta().Place)
	for v, no := range g.NoPlaces() {
		if no {
			place[v] = -1
		}
	}
	return place
}

// Revisits reports whether one of the paths passes a place twice. The graph's vertices must have places.
func Revisits(g *ddps.LayeredGraph, paths []ddps.Path) bool {
	place := placesOf(g)
	return slices.ContainsFunc(paths, func(p ddps.Path) bool {
		for l, v := range p {
			if seen(place, p[:l], v) {
				return true
			}
		}
		return false
	})
}

// ExpectedRevisits returns how many steps of the paths, each counted with its path's weight, would be to visited places
// if each step were drawn from d's row. The graph's vertices must have places.
func ExpectedRevisits(d Stepper, paths []ddps.Path, weights []float64) float64 {
	sums, place := make([]float64, len(paths)), placesOf(d.Graph())
	along(d, paths, func(i, l int, row []float64) {
		for k, h := range d.Graph().From(paths[i][l]) {
			if seen(place, paths[i][:l+1], h) {
				sums[i] += math.Exp(row[k])
			}
		}
	})
	return floats.Dot(weights, sums)
}

// seen reports whether a walk has visited the place of vertex v.
func seen(place, walk []int, v int) bool {
	return place[v] >= 0 && slices.ContainsFunc(walk, func(w int) bool { return place[w] == place[v] })
}

// along calls row with the logarithms of the probabilities of the edges from the vertex of path i in layer l, for all
// paths and all layers but the last, in the layers' order for each path.
func along(d Stepper, paths []ddps.Path, row func(i, l int, logp []float64)) {
	g := d.Graph()
	D := g.MaxDegree()
	each((len(paths)+chunk-1)/chunk, func(c int) {
		lo, hi := c*chunk, min((c+1)*chunk, len(paths))
		states, at, logp := d.Start(hi-lo), make([]int, hi-lo), make([]float64, (hi-lo)*D)
		for l := range g.NumLayers() - 1 {
			for i := range at {
				at[i] = paths[lo+i][l]
			}
			states.Step(at, logp)
			for i, v := range at {
				row(lo+i, l, logp[i*D:i*D+g.Degree(v)])
			}
		}
	})
}

// Start returns the states of count paths before their first vertex.
func (d *visited) Start(count int) States {
	return &visitedStates{States: d.Stepper.Start(count), d: d, walk: make([][]int, count)}
}

type visitedStates struct {
	States
	d    *visited
	walk [][]int // vertices of each path
}

// Step implements States.
func (s *visitedStates) Step(vertices []int, logp []float64) {
	s.States.Step(vertices, logp)
	g := s.d.Graph()
	D := g.MaxDegree()
	for i, v := range vertices {
		s.walk[i] = append(s.walk[i], v)
		s.d.discount(g.From(v), s.walk[i], logp[i*D:])
	}
}

// discount discounts a row.
func (d *visited) discount(heads, walk []int, row []float64) {
	sum, some := 0.0, false
	for k, h := range heads {
		if seen(d.place, walk, h) {
			row[k], some = row[k]+real.Log(d.factor), true
		}
		sum += math.Exp(row[k])
	}
	if !some || sum == 0 {
		return
	}
	for k := range heads {
		row[k] -= real.Log(sum)
	}
}

// Select implements States.
func (s *visitedStates) Select(from []int) {
	s.States.Select(from)
	walk := make([][]int, len(from))
	for i, r := range from {
		walk[i] = slices.Clone(s.walk[r])
	}
	s.walk = walk
}

// LogProb implements Distribution.
func (d *visited) LogProb(paths []ddps.Path, out []float64) error {
	g := d.Graph()
	if len(out) != len(paths) {
		return fmt.Errorf("stack: %d paths, but room for %d log-probabilities", len(paths), len(out))
	}
	for i, p := range paths {
		if err := g.Check(p); err != nil {
			return fmt.Errorf("path %d: %w", i+1, err)
		}
	}
	clear(out)
	along(d, paths, func(i, l int, row []float64) {
		lo, _ := g.Edges(paths[i][l])
		e, _ := g.EdgeBetween(paths[i][l], paths[i][l+1])
		out[i] += row[e-lo]
	})
	return nil
}

// Sample implements Distribution.
func (d *visited) Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error {
	numbers := make([]int, len(paths))
	for i := range numbers {
		numbers[i] = first + i
	}
	drawSteps(ctx, d, paths, seed, numbers)
	return ctx.Err()
}
