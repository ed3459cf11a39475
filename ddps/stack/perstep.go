package stack

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// PerStep mixes the rows of its parts at each step, with weights of the layer: P(e | walk) = Σ_k ω_k(layer) P_k(e |
// walk). Unlike a mixture of paths it is not made of the conditioned parts once it is conditioned.
type PerStep struct {
	parts  []Stepper
	weight [][]float64 // [layer][part]
}

// FitPerStep takes the weights that make validation paths with their weights most likely, by EM, for each layer where
// byLayer is set, else for all layers together.
func FitPerStep(parts []Stepper, paths []ddps.Path, weights []float64, byLayer bool) (*PerStep, error) {
	if len(parts) == 0 {
		return nil, errors.New("stack: no parts")
	}
	weights, _, err := ddps.Weights(len(paths), weights)
	if err != nil {
		return nil, fmt.Errorf("stack: %w", err)
	}
	g := parts[0].Graph()
	L := g.NumLayers() - 1
	rows, err := stepLogs(parts, paths)
	if err != nil {
		return nil, err
	}
	m := &PerStep{parts: parts, weight: make([][]float64, L)}
	for lo := 0; lo < L; {
		hi := L
		if byLayer {
			hi = lo + 1
		}
		logp, w := make([][]float64, len(parts)), []float64(nil)
		for i, p := range paths {
			for l := lo; l < hi; l++ {
				if g.Degree(p[l]) > 1 {
					for k := range parts {
						logp[k] = append(logp[k], rows[k][i*L+l])
					}
					w = append(w, weights[i])
				}
			}
		}
		own, _, err := Weights(logp, w)
		if len(w) == 0 { // no validation path has a choice here
			own, err = slices.Repeat([]float64{1 / float64(len(parts))}, len(parts)), nil
		}
		if err != nil {
			return nil, err
		}
		for ; lo < hi; lo++ {
			m.weight[lo] = own
		}
	}
	return m, nil
}

// stepLogs returns [part][path, layer] log p of the step from the layer on.
func stepLogs(parts []Stepper, paths []ddps.Path) ([][]float64, error) {
	g := parts[0].Graph()
	L, D := g.NumLayers()-1, g.MaxDegree()
	for i, p := range paths {
		if err := g.Check(p); err != nil {
			return nil, fmt.Errorf("stack: path %d: %w", i+1, err)
		}
	}
	rows := make([][]float64, len(parts))
	for k, part := range parts {
		rows[k] = make([]float64, len(paths)*L)
		each((len(paths)+chunk-1)/chunk, func(c int) {
			lo, hi := c*chunk, min((c+1)*chunk, len(paths))
			states, logp, at := part.Start(hi-lo), make([]float64, (hi-lo)*D), make([]int, hi-lo)
			for l := range L {
				for i := range at {
					at[i] = paths[lo+i][l]
				}
				states.Step(at, logp)
				for i, v := range at {
					e, _ := g.EdgeBetween(v, paths[lo+i][l+1])
					first, _ := g.Edges(v)
					rows[k][(lo+i)*L+l] = logp[i*D+e-first]
				}
			}
		})
	}
	return rows, nil
}

// Graph returns the graph whose paths are meant.
func (m *PerStep) Graph() *ddps.LayeredGraph { return m.parts[0].Graph() }

// LogProb writes log p of each path to out, of the same length.
func (m *PerStep) LogProb(paths []ddps.Path, out []float64) error {
	if len(out) != len(paths) {
		return fmt.Errorf("stack: %d paths, but room for %d log-probabilities", len(paths), len(out))
	}
	rows, err := stepLogs(m.parts, paths)
	if err != nil {
		return err
	}
	L := m.Graph().NumLayers() - 1
	one, logs := make([]float64, 1), make([][]float64, len(rows))
	for i := range paths {
		out[i] = 0
		for l := range L {
			for k := range rows {
				logs[k] = rows[k][i*L+l : i*L+l+1]
			}
			logMix(logs, m.weight[l], one)
			out[i] += one[0]
		}
	}
	return nil
}

// Sample draws len(paths) paths: paths[i] depends on the seed and on first + i alone.
func (m *PerStep) Sample(ctx context.Context, paths []ddps.Path, seed uint64, first int) error {
	numbers := make([]int, len(paths))
	for i := range numbers {
		numbers[i] = first + i
	}
	drawSteps(m, paths, seed, numbers)
	return ctx.Err()
}

// Start returns the states of count paths before their first vertex.
func (m *PerStep) Start(count int) States {
	s := &perStates{m: m}
	for _, p := range m.parts {
		s.parts = append(s.parts, p.Start(count))
	}
	return s
}

// perStates are the states of all parts.
type perStates struct {
	m     *PerStep
	parts []States
	layer int
}

func (s *perStates) Step(vertices []int, logp []float64) {
	D := s.m.Graph().MaxDegree()
	rows := make([][]float64, len(s.parts))
	for k, p := range s.parts {
		rows[k] = make([]float64, len(logp))
		for i := range rows[k] {
			rows[k][i] = math.Inf(-1)
		}
		p.Step(vertices, rows[k])
	}
	all := make([]float64, len(logp))
	logMix(rows, s.m.weight[s.layer], all)
	for i, v := range vertices {
		copy(logp[i*D:i*D+s.m.Graph().Degree(v)], all[i*D:])
	}
	s.layer++
}

func (s *perStates) Select(from []int) {
	for _, p := range s.parts {
		p.Select(from)
	}
}
