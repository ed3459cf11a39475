package edpgnn

import (
	"context"
	"errors"
	"fmt"

	"github.com/ddps-go/ddps/ddps/baselines"
)

// Trial is a setting of the dynamics that Search tried.
type Trial struct {
	Step     float64 `json:"step"`
	Noise    float64 `json:"noise"`
	MMD      float64 `json:"mmd"` // DegreeMMD + ClusteringMMD + OrbitMMD of the samples and the validation graphs
	Diverged bool    `json:"diverged,omitempty"`
}

// Grid is what Search goes through.
type Grid struct {
	Steps  []float64 `toml:"steps"`  // of SampleConfig.Step
	Noises []float64 `toml:"noises"` // of SampleConfig.Noise
	N      int       `toml:"n"`      // samples of each, at least 1
}

// DefaultGrid returns the grid of the authors' program.
func DefaultGrid() Grid {
	return Grid{Steps: []float64{0.05, 0.005, 0.0005}, Noises: []float64{1, 0.5, 0.1}, N: 128}
}

// Search samples with every step and noise of the grid, c else, and returns c with those whose samples are nearest to
// the validation graphs, and all trials. It is an error if every one of them diverges.
func (m *Model) Search(ctx context.Context, held []baselines.Graph, g Grid, seed uint64, sizes []int, c SampleConfig,
	progress func(done, total int)) (SampleConfig, []Trial, error) {
	if g.N < 1 || len(g.Steps) == 0 || len(g.Noises) == 0 {
		return c, nil, errors.New("edpgnn: search: the grid is empty")
	}
	best, all := Trial{Diverged: true}, []Trial(nil)
	for _, step := range g.Steps {
		for _, noise := range g.Noises {
			c.Step, c.Noise = step, noise
			k := len(all)
			t, err := m.try(ctx, held, g.N, seed, sizes, c, func(done, total int) {
				if progress != nil {
					progress(k*total+done, len(g.Steps)*len(g.Noises)*total)
				}
			})
			if err != nil {
				return c, all, err
			}
			if all = append(all, t); !t.Diverged && (best.Diverged || t.MMD < best.MMD) {
				best = t
			}
		}
	}
	if best.Diverged {
		return c, all, fmt.Errorf("edpgnn: search: every step diverges: %v", g.Steps)
	}
	c.Step, c.Noise = best.Step, best.Noise
	return c, all, nil
}

// try measures one setting.
func (m *Model) try(ctx context.Context, held []baselines.Graph, n int, seed uint64, sizes []int, c SampleConfig,
	progress func(done, total int)) (Trial, error) {
	t := Trial{Step: c.Step, Noise: c.Noise}
	samples, err := m.Sample(ctx, 0, n, seed, sizes, c, progress)
	if errors.Is(err, ErrDiverged) {
		t.Diverged = true
		return t, nil
	}
	if err != nil {
		return t, err
	}
	for _, distance := range []func(a, b []baselines.Graph) (float64, error){baselines.DegreeMMD, baselines.ClusteringMMD,
		baselines.OrbitMMD} {
		d, err := distance(samples, held)
		if err != nil {
			return t, err
		}
		t.MMD += d
	}
	return t, nil
}
