package table1

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/baselines/swingnn"
	"github.com/ddps-go/ddps/ddps/query"
)

// draw returns the samples of a row as sets of edges.
func (s *validity) draw(row *ValidityRow) ([][]baselines.Edge, error) {
	u := make([]float64, s.train.Graph.NumEdges())
	u[s.edge] = 1
	stage := fmt.Sprintf("%s, λ = %g", row.Method, row.Lambda)
	if row.Method == ValidDDPS {
		return s.drawDDPS(u, row, stage)
	}
	r, err := swingnn.NewReward(s.train.Graph, u)
	if err != nil {
		return nil, err
	}
	sampler := s.swin.Sampler(s.Swin.Sample)
	sampler.Lambda = row.Lambda
	switch {
	case row.Lambda == 0: // both gradients' sampler
	case row.Method == ValidNoisy:
		sampler.Guide = swingnn.GuideNoisy(s.swin.Denoise, r)
	default:
		sampler.Guide = s.swin.GuideDenoised(r)
	}
	s.progress.Begin(stage, 0, row.Samples*(2*s.Swin.Sample.Steps-1))
	defer s.progress.End()
	sampler.Progress = func(done, _ int) { s.progress.Set(done, "") }
	x, err := sampler.Sample(s.ctx, 0, row.Samples, s.Seed)
	if err != nil {
		return nil, err
	}
	return swingnn.Edges(s.swin.V, x), nil
}

// drawDDPS draws the paper's Algorithm 2.
func (s *validity) drawDDPS(u []float64, row *ValidityRow, stage string) ([][]baselines.Edge, error) {
	sampler := s.ddps.Sampler()
	sampler.Steps = s.Steps
	if err := (query.Guide{Name: query.Algorithm2, Lambda: row.Lambda}).Apply(sampler, u); err != nil {
		return nil, err
	}
	s.progress.Begin(stage, 0, row.Samples*s.Steps)
	defer s.progress.End()
	sampler.Progress = func(done, _ int) { s.progress.Set(done, "") }
	paths, err := sampler.Sample(s.ctx, row.Samples, s.Seed)
	if err != nil {
		return nil, err
	}
	list := make([][]baselines.Edge, len(paths))
	for i, p := range paths {
		for l := 1; l < len(p); l++ {
			list[i] = append(list[i], baselines.Edge{U: p[l-1], V: p[l]})
		}
	}
	return list, nil
}
