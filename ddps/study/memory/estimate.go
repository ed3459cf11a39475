package memory

import (
	"context"
	"os"
	"path/filepath"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
	"github.com/ddps-go/ddps/ddps/study/internal/cost"
	"github.com/ddps-go/ddps/internal/cputime"
)

// Estimate returns what Run would take, for the rows that there are. It measures all of the study but the training,
// with fewer samples, and the enumeration of the true distribution on a map of few paths.
func (r *Study) Estimate(ctx context.Context, rows []Row) (e study.Estimate, err error) {
	const fewer = 8
	few := *r
	few.draft = true
	few.Samples, few.Bound = max(1, r.Samples/fewer), max(1, r.Bound/fewer)
	few.Config.Train.Steps, few.Config.Model.Mixture.Rounds, few.Config.TuneMixture = 1, 1, false
	few.Config.Train.BoundPaths, few.Config.Train.BoundEvery, few.Config.Train.EvalSize = 0, 0, 1
	temp, err := os.MkdirTemp("", "ddps-estimate-")
	if err != nil {
		return e, err
	}
	defer os.RemoveAll(temp)
	table, err := study.OpenTable[Row](filepath.Join(temp, "memory.csv"))
	if err != nil {
		return e, err
	}
	defer table.Close()
	began := cputime.Process()
	if err := few.Run(ctx, temp, table, run.NoProgress{}); err != nil {
		return e, err
	}
	e.Part, e.Points, e.Sampling = "memory, "+r.Graph, len(table.Rows), cputime.Process()-began
	points := table.Rows
	for i := range points {
		points[i].Samples = r.Samples
	}
	e.Missing = len((&study.Table[Row]{Rows: rows}).Missing(points, Row.same))
	if e.Missing == 0 {
		e.Sampling = 0
		return e, nil
	}
	made := datasets.Heights
	if r.Graph == "ridge" {
		made = datasets.Ridge
	}
	data, err := made(r.Paths, r.Seed)
	if err != nil {
		return e, err
	}
	enumeration, err := cost.Enumeration(data.Graph)
	if err != nil {
		return e, err
	}
	e.Sampling += enumeration
	e.Training, e.Memory, err = cost.Training(ctx, r.Config, data)
	return e, err
}

// few stands for datasets.Memory.Distributions where no number counts: of a few paths, under every condition alike.
func (s *work) few(g *ddps.LayeredGraph, district []int, given []func(ddps.Path) bool) (
	list []datasets.MemoryDistribution, err error) {
	const n = 64
	var d datasets.MemoryDistribution
	paths := s.memory.Draw(g, n, s.Seed)
	if d.Districts, err = datasets.DistrictDistribution(g, district, paths, nil); err != nil {
		return nil, err
	}
	if d.Revisits, err = datasets.RevisitDistribution(g, paths, nil); err != nil {
		return nil, err
	}
	for range given {
		list = append(list, d)
	}
	return list, nil
}
