package lab

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/artefact"
)

// How says how to sample. The zero value is the model's own distribution at the default settings.
type How struct {
	Seed      uint64
	Steps     int       // reverse steps; 0: none where the distribution is known and no guide needs them, else 16
	Reverse   string    // reverse kernel by name, see Kernels; "": joint
	Guide     string    // by name, see Guides; "": none
	Reward    []float64 // by edge, for the guide
	Lambda    float64   // λ of the paper's guides
	Beta      float64   // β of boltzmann
	Where     string    // a condition that all paths meet, as text; "" for none
	Cost      []float64 // by edge, what Where calls cost
	Particles int       // K particles per group; 0: none
	Quiet     bool      // no progress bar
}

// Guides lists the guides by name.
func Guides() []string { return query.GuideNames() }

// Kernels lists the reverse kernels by name.
func Kernels() []string { return query.KernelNames() }

// Draws are sampled paths. They show as the figure of how often they take each edge, and as a table.
type Draws struct {
	Graph  *Graph
	Paths  []Path
	Reward []float64 // by edge; nil for none
}

// keepFrom is the number of reverse steps, of all samples together, from which draws are kept: tenths of a second.
const keepFrom = 1 << 12

// Sample draws n paths of the model. What takes longer than a moment is kept below runs/artefacts, by the model and
// all else that it depends on: the second time it is only read.
//
//	Sample(m, 1000)
//	Sample(m, 1000, How{Guide: "max", Reward: u, Seed: 1})
//	Sample(m, 1000, How{Guide: "algorithm2", Reward: u, Lambda: 100, Steps: 256})
func (l *Lab) Sample(m *Model, n int, how ...How) (*Draws, error) {
	var h How
	if len(how) > 0 {
		h = how[0]
	}
	quiet := h.Quiet
	h.Quiet = false // the paths do not depend on it
	sample := func(ctx context.Context) ([]Path, error) {
		h := h
		h.Quiet = quiet
		return l.sample(ctx, m, n, h)
	}
	s, err := h.sampler(m)
	if err != nil {
		return nil, err
	}
	var paths []Path
	if n*max(1, s.Taken()) < keepFrom {
		paths, err = sample(l.ctx())
	} else {
		var model bytes.Buffer
		if err := m.Save(&model); err != nil {
			return nil, err
		}
		paths, err = artefact.Cached(l.ctx(), filepath.Join("runs", "artefacts"), sample, model.Bytes(), n, h)
	}
	if err != nil {
		return nil, err
	}
	return &Draws{m.Graph, paths, h.Reward}, nil
}

// sampler returns the model's sampler, set as h says.
func (h How) sampler(m *Model) (s *Sampler, err error) {
	s = m.Sampler()
	s.Steps = h.Steps
	if s.Kernel, err = query.Kernel(h.Reverse); err != nil {
		return nil, err
	}
	g := query.Guide{Name: h.Guide, Lambda: h.Lambda, Beta: h.Beta, Where: h.Where, Cost: h.Cost}
	return s, g.Apply(s, h.Reward)
}

// sample draws the paths.
func (l *Lab) sample(ctx context.Context, m *Model, n int, h How) (paths []Path, err error) {
	s, err := h.sampler(m)
	if err != nil {
		return nil, err
	}
	if !h.Quiet {
		set, end := l.watch("sample")
		defer end()
		s.Progress = set
	}
	if h.Particles > 0 {
		paths, _, err = (&d3pm.Particles{Sampler: s, K: h.Particles, Pool: true}).Sample(ctx, n, h.Seed)
		return paths, err
	}
	return s.Sample(ctx, n, h.Seed)
}

// SampleChain draws n paths of a chain.
func SampleChain(c *Chain, n int, seed uint64) *Draws {
	d := &Draws{Graph: c.Graph, Paths: make([]Path, n)}
	for i := range d.Paths {
		d.Paths[i] = c.Sample(ddps.Rand(seed, uint64(i)))
	}
	return d
}

// Data returns the draws as data: each distinct path with its count.
func (d *Draws) Data() *Data { return Gather(d.Graph, d.Paths) }

// Earned returns the mean reward, its standard deviation and the share of paths that earn the greatest reward that any
// path has, in [0, 1]; NaN without a reward.
func (d *Draws) Earned() (mean, std, atMax float64) {
	nan := math.NaN()
	if d.Reward == nil {
		return nan, nan, nan
	}
	mean, std, atMax, err := compare.RewardStats(d.Graph, d.Reward, d.Paths)
	if err != nil {
		return nan, nan, nan
	}
	return mean, std, atMax
}

// Table returns the most frequent paths, with their rewards if there are any.
func (d *Draws) Table() *Table {
	data := d.Data()
	order := mostFirst(data.Counts)
	t := kernelext.NewTable("path", "count")
	if d.Reward != nil {
		t.Header = append(t.Header, "reward")
	}
	t.Title = fmt.Sprintf("%d paths, %d distinct", len(d.Paths), len(data.Paths))
	if mean, std, atMax := d.Earned(); !math.IsNaN(mean) {
		t.Title += fmt.Sprintf("; reward %.3g ± %.2g, %.1f%% at the maximum %.3g", mean, math.Round(1e6*std)/1e6, 100*atMax,
			d.Graph.Best(d.Reward))
	}
	for k, i := range order {
		if k == 10 {
			break
		}
		row := []any{Name(d.Graph, data.Paths[i]), data.Count(i)}
		if d.Reward != nil {
			row = append(row, d.Graph.Total(d.Reward, data.Paths[i]))
		}
		t.Add(row...)
	}
	return t
}

// Bundle returns the figure and the table.
func (d *Draws) Bundle() map[string]any {
	t := d.Table()
	data := map[string]any{kernelext.MIMEText: t.String()}
	if e, err := d.edges(""); err == nil {
		for k, v := range kernelext.Figure(e, t.String()) {
			data[k] = v
		}
	}
	return data
}
