package stack

import (
	"context"

	"github.com/ddps-go/ddps/ddps"
)

// Distribution is a distribution over the paths of a layered graph. Its methods may be called by several goroutines.
type Distribution interface {
	Graph() *ddps.LayeredGraph
	// LogProb writes log p of each path to out, of the same length, −Inf for probability 0. The error names a path that
	// is none of the graph.
	LogProb(paths []ddps.Path, out []float64) error
	// Sample draws len(paths) paths: paths[i] depends on the seed and on first + i alone.
	Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error
}

// Tractable is a distribution that conditions exactly.
type Tractable interface {
	Distribution
	// Given returns the distribution given c, and the logarithm of c's probability, or of the expectation of its
	// weight. The error is chain.ErrImpossible where that is 0, or ctx's.
	Given(ctx context.Context, c Condition) (Tractable, float64, error)
}

// Stepper is a distribution that goes step by step with many paths at a time.
type Stepper interface {
	Distribution
	// Start returns the states of count paths before their first vertex.
	Start(count int) States
}

// States are those of a number of paths, all in the same layer, of one goroutine.
type States interface {
	// Step takes each path i to vertices[i], all of the next layer (at first the first), and writes the logarithms of
	// the probabilities of that vertex' edges, in their order, to logp[i·D:], with D the graph's greatest out-degree.
	Step(vertices []int, logp []float64)
	// Select makes path i what path from[i] was.
	Select(from []int)
}

// Steps makes a Stepper of a distribution and its states.
func Steps[S States](d Distribution, start func(count int) S) Stepper {
	return stepper{d, func(count int) States { return start(count) }}
}

type stepper struct {
	Distribution
	start func(count int) States
}

func (s stepper) Start(count int) States { return s.start(count) }
