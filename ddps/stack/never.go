package stack

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// never is a distribution that passes no place twice.
type never struct {
	Stepper
	place []int // by vertex, −1 for none
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
			if slices.ContainsFunc(p[:l], func(w int) bool { return place[v] >= 0 && place[w] == place[v] }) {
				return true
			}
		}
		return false
	})
}

// NeverTwice returns d with probability 0 for a step to a place that the path has visited; the others of its row are
// divided by what is left, and a row of which nothing is left stays as it is. It is not tractable: a stack conditions
// it by draws. The graph's vertices must have places.
func NeverTwice(d Stepper) Stepper {
	return &never{d, placesOf(d.Graph())}
}

// IsNeverTwice reports whether NeverTwice has made d.
func IsNeverTwice(d Distribution) bool {
	_, is := d.(*never)
	return is
}

// Start returns the states of count paths before their first vertex.
func (n *never) Start(count int) States {
	return &neverStates{States: n.Stepper.Start(count), n: n, seen: make([][]int, count)}
}

type neverStates struct {
	States
	n    *never
	seen [][]int // places visited, of each path
}

// Step implements States.
func (s *neverStates) Step(vertices []int, logp []float64) {
	s.States.Step(vertices, logp)
	g := s.n.Graph()
	D := g.MaxDegree()
	for i, v := range vertices {
		if p := s.n.place[v]; p >= 0 {
			s.seen[i] = append(s.seen[i], p)
		}
		s.n.mask(g.From(v), s.seen[i], logp[i*D:])
	}
}

// mask takes the places seen out of a row.
func (n *never) mask(heads, seen []int, row []float64) {
	left, some := 0.0, false
	for d, h := range heads {
		if p := n.place[h]; p >= 0 && slices.Contains(seen, p) {
			some = true
		} else {
			left += math.Exp(row[d])
		}
	}
	if !some || left == 0 {
		return
	}
	log := real.Log(left)
	for d, h := range heads {
		if row[d] -= log; n.place[h] >= 0 && slices.Contains(seen, n.place[h]) {
			row[d] = math.Inf(-1)
		}
	}
}

// Select implements States.
func (s *neverStates) Select(from []int) {
	s.States.Select(from)
	seen := make([][]int, len(from))
	for i, r := range from {
		seen[i] = slices.Clone(s.seen[r])
	}
	s.seen = seen
}

// LogProb implements Distribution.
func (n *never) LogProb(paths []ddps.Path, out []float64) error {
	g := n.Graph()
	if len(out) != len(paths) {
		return fmt.Errorf("stack: %d paths, but room for %d log-probabilities", len(paths), len(out))
	}
	for i, p := range paths {
		if err := g.Check(p); err != nil {
			return fmt.Errorf("path %d: %w", i+1, err)
		}
	}
	D := g.MaxDegree()
	each((len(paths)+chunk-1)/chunk, func(c int) {
		lo, hi := c*chunk, min((c+1)*chunk, len(paths))
		states, at, row := n.Start(hi-lo), make([]int, hi-lo), make([]float64, (hi-lo)*D)
		clear(out[lo:hi])
		for l := range g.NumLayers() - 1 {
			for i := range at {
				at[i] = paths[lo+i][l]
			}
			states.Step(at, row)
			for i, v := range at {
				first, _ := g.Edges(v)
				e, _ := g.EdgeBetween(v, paths[lo+i][l+1])
				out[lo+i] += row[i*D+e-first]
			}
		}
	})
	return nil
}

// Sample implements Distribution.
func (n *never) Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error {
	numbers := make([]int, len(paths))
	for i := range numbers {
		numbers[i] = first + i
	}
	drawSteps(n, paths, seed, numbers)
	return ctx.Err()
}
