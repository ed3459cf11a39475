package paths

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/metrics"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
)

// made is the distribution that made a set's paths.
type made struct {
	graph    *ddps.LayeredGraph
	memory   *datasets.Memory
	district []int
}

func newMade(set string, graph *ddps.LayeredGraph) (*made, error) {
	d, err := run.MakeData(set, run.PresetPaper)
	if err != nil {
		return nil, err
	}
	m := &made{graph: graph}
	if m.memory, err = datasets.NewMemory(d.Graph, d.Paths); err != nil {
		return nil, err
	}
	m.district, err = datasets.Districts(d.Graph, datasets.NumDistricts, datasets.DistrictSeed)
	return m, err
}

// measureMade compares samples with the distribution that made the paths.
func (s *Study) measureMade(train, test *datasets.Data, paths []ddps.Path, row *Row) error {
	m, err := newMade(s.Set, train.Graph)
	if err != nil {
		return err
	}
	dist, err := m.memory.Distributions(m.graph, m.district, []func(ddps.Path) bool{nil})
	if err != nil {
		return err
	}
	sum, n := 0.0, 0.0
	for i, p := range test.Paths {
		c := float64(test.Count(i))
		sum, n = sum-c*(m.memory.Score(m.graph, p)-dist[0].LogZ), n+c
	}
	row.True = sum / n
	return m.compare(dist[0], paths, s, row)
}

// compare sets the distances of districts, revisits, ends and quadrants.
func (m *made) compare(dist datasets.MemoryDistribution, paths []ddps.Path, s *Study, row *Row) error {
	for _, f := range []struct {
		want      []float64
		of        func([]ddps.Path) ([]float64, error)
		tv, floor *float64
	}{{dist.Districts, func(p []ddps.Path) ([]float64, error) {
		return datasets.DistrictDistribution(m.graph, m.district, p, nil)
	}, &row.District, &row.DistrictFloor}, {dist.Revisits, func(p []ddps.Path) ([]float64, error) {
		return datasets.RevisitDistribution(m.graph, p, nil)
	}, &row.RevisitTV, &row.RevisitFloor}, {dist.Ends, func(p []ddps.Path) ([]float64, error) {
		return datasets.EndDistribution(m.graph, p, nil)
	}, &row.EndTV, &row.EndFloor}, {dist.Quadrants, func(p []ddps.Path) ([]float64, error) {
		return m.memory.Quadrants(m.graph, p, nil)
	}, &row.Quadrant, &row.QuadrantFloor}} {
		x, err := study.FeatureDistance(f.want, paths, f.of)
		if err != nil {
			return err
		}
		floor, err := metrics.Floor(f.want, func(q []float64) (float64, error) { return metrics.HalfL1(f.want, q) },
			metrics.FloorConfig{N: len(paths), Reps: compare.FloorReps, Seed: s.Seed})
		if err != nil {
			return err
		}
		*f.tv, *f.floor = x, floor.Mean
	}
	return nil
}

// visits returns three places that the paths of the distribution that made them visit at odds near .3, .1 and .03.
func (m *made) visits() (texts []string, keep []func(ddps.Path) bool, err error) {
	draws := m.memory.Draw(m.graph, 20_000, 0)
	place := m.graph.Meta().Place
	count := map[int]float64{}
	for _, p := range draws {
		seen := map[int]bool{}
		for _, v := range p {
			if a := place[v]; a >= 0 && !seen[a] {
				seen[a] = true
				count[a] += 1 / float64(len(draws))
			}
		}
	}
	var places []int
	for a := range count {
		places = append(places, a)
	}
	slices.Sort(places)
	for _, odds := range []float64{.3, .1, .03} {
		best := places[0]
		for _, a := range places {
			if math.Abs(math.Log(count[a]/odds)) < math.Abs(math.Log(count[best]/odds)) {
				best = a
			}
		}
		texts = append(texts, fmt.Sprintf("visit(place %d)", best))
		keep = append(keep, func(p ddps.Path) bool {
			return slices.ContainsFunc(p, func(v int) bool { return place[v] == best })
		})
	}
	return texts, keep, nil
}

// Conditions adds to the table, for a made set, the distances of samples given each of three visits from the
// distribution that made the paths, given the same: of the stack, conditioned, and of its GRU alone, whose samples are
// rejected until as many meet the condition. The stack must have been trained in dir by Run.
func (s *Study) Conditions(ctx context.Context, dir string, to *study.Table[Row]) error {
	train, _, err := s.load()
	if err != nil {
		return err
	}
	r, err := run.Open(filepath.Join(dir, fmt.Sprintf("%s-%s-%d", s.Set, s.name(), s.Seed)))
	if err != nil {
		return err
	}
	m, err := r.Model()
	if err != nil {
		return err
	}
	truth, err := newMade(s.Set, train.Graph)
	if err != nil {
		return err
	}
	texts, keep, err := truth.visits()
	if err != nil {
		return err
	}
	truth.graph = m.Graph
	dists, err := truth.memory.Distributions(m.Graph, truth.district, keep)
	if err != nil {
		return err
	}
	for i, text := range texts {
		for _, name := range []string{s.name(), s.name() + ": " + model.PartGRU + ", rejection"} {
			row := s.row(name)
			if row.Condition = text; len(to.Missing([]Row{row}, Row.same)) == 0 {
				continue
			}
			paths, err := s.given(ctx, m, text, keep[i], name != s.name())
			if err != nil {
				return err
			}
			if err := truth.compare(dists[i], paths, s, &row); err != nil {
				return err
			}
			if err := to.Add(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// given draws samples that meet a condition.
func (s *Study) given(ctx context.Context, m *model.Model, text string, keep func(ddps.Path) bool,
	reject bool) ([]ddps.Path, error) {
	if !reject {
		sampler := m.Sampler()
		if err := (query.Guide{Where: text}).Apply(sampler, nil); err != nil {
			return nil, err
		}
		return sampler.Sample(ctx, s.Samples, s.Seed)
	}
	var kept []ddps.Path
	for _, p := range m.Stack.Parts {
		for first := 0; p.Name == model.PartGRU && len(kept) < s.Samples; first += s.Samples {
			some := make([]ddps.Path, s.Samples)
			if err := p.Distribution.Sample(ctx, some, s.Seed, first); err != nil {
				return nil, err
			}
			for _, p := range some {
				if keep(p) && len(kept) < s.Samples {
					kept = append(kept, p)
				}
			}
		}
	}
	return kept, nil
}
