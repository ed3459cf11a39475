package stack

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
)

// defensive is the share of the first-order chains nearest to the networks in the proposal, before the condition
// (defensive importance sampling; Hesterberg 1995). A network may give probability to paths which the tractable parts
// hardly have. Draws of these parts alone would miss such paths, and their weights would not show it; the nearest chain
// has all paths that the network has.
const defensive = 0.25

// nearestDraws is how many draws of a network its nearest chain is made of, so many at a time.
const nearestDraws, nearestAtOnce = 2048, 256

// defended returns the weight of all nearest chains beside parts of a total weight.
func defended(total float64) float64 {
	if total == 0 {
		return 1
	}
	return total * defensive / (1 - defensive)
}

// defend adds the chains nearest to the parts that are estimated to the proposal.
func (x *Conditioned) defend(ctx context.Context, logs []float64, total float64) ([]float64, float64, error) {
	var parts []int
	for i, d := range x.part {
		if _, ok := d.(Stepper); ok && x.exact[i] == nil {
			parts = append(parts, i)
		}
	}
	share := defended(total) / float64(max(1, len(parts)))
	for _, i := range parts {
		d, err := x.stack.nearest(ctx, x.number[i], x.part[i].(Stepper))
		if err != nil {
			return nil, 0, err
		}
		near := Chain(d)
		t, log, err := near.Given(ctx, x.c)
		if errors.Is(err, chain.ErrImpossible) && total > 0 {
			continue
		}
		if err != nil {
			return nil, 0, fmt.Errorf("stack: %w", err)
		}
		logs, total = x.propose(logs, total, near, t, share, log)
	}
	return logs, total, nil
}

// nearest returns the first-order chain of the least KL divergence from part k, which goes step by step: its rows are
// the means of the part's, over draws of it, and each has one draw's worth of the uniform row beside them.
func (s *Stack) nearest(ctx context.Context, k int, d Stepper) (*chain.Distribution, error) {
	s.mu.Lock()
	near := s.chains[k]
	s.mu.Unlock()
	if near != nil {
		return near, nil
	}
	near, err := nearest(ctx, d) // two goroutines may make the same
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.chains == nil {
		s.chains = map[int]*chain.Distribution{}
	}
	s.chains[k] = near
	return near, nil
}

func nearest(ctx context.Context, d Stepper) (*chain.Distribution, error) {
	g := d.Graph()
	D := g.MaxDegree()
	rows, logp := make([]float64, g.NumEdges()), make([]float64, nearestAtOnce*D)
	vertices, row := make([]int, nearestAtOnce), make([]float64, D)
	for first := 0; first < nearestDraws; first += nearestAtOnce {
		states, rng := d.Start(nearestAtOnce), ddps.Rand(nearestStream, uint64(first))
		clear(vertices)
		for range g.NumLayers() - 1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			states.Step(vertices, logp)
			for i, v := range vertices {
				lo, hi := g.Edges(v)
				row := row[:hi-lo]
				for k := range row {
					row[k] = math.Exp(logp[i*D+k])
					rows[lo+k] += row[k]
				}
				vertices[i] = g.Head(lo + chain.Pick(row, rng.Float64()))
			}
		}
	}
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		sum := 1.0
		for _, p := range rows[lo:hi] {
			sum += p
		}
		for e := lo; e < hi; e++ {
			rows[e] = (rows[e] + 1/float64(hi-lo)) / sum
		}
	}
	return &chain.Distribution{Product: chain.Identity(g), P: rows}, nil
}

// nearestStream is the seed of these draws.
const nearestStream = 0x6e656172
