package table1

import (
	"context"
	"fmt"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/baselines/edpgnn"
	"github.com/ddps-go/ddps/ddps/run"
)

// communitySeed sets the streams of samples that are measured apart from those that the dynamics were chosen by.
const communitySeed = 0xa4093822299f31d0

// measure trains, samples and fills in the row.
func (c *Communities) measure(ctx context.Context, r *edpSettings, dir, own string, row *CommunitiesRow, w run.Progress) error {
	train, held := c.Graphs(row.Data)
	var sizes []int
	for _, g := range train {
		sizes = append(sizes, g.N)
	}
	f, err := r.fit(ctx, dir, own, edpData{n: communityN, train: train, held: held, by: train, sizes: sizes, seed: c.Seed}, w)
	if err != nil {
		return err
	}
	row.Train, row.Held, row.Weights, row.Steps, row.Batch = len(train), len(held), f.model.NumWeights(), r.Train.Steps, r.Train.Batch
	row.Chosen, row.TrainSeconds = f.chosen(), f.history.Seconds
	if row.HeldLoss, err = f.model.Loss(held, r.draws); err != nil {
		return err
	}
	row.Independent, row.Halves = communityLosses(held, r.Network.Sigmas)
	samples, err := c.sample(ctx, f, sizes, own, row, w)
	if err != nil {
		return err
	}
	for _, d := range []struct {
		to, floor *float64
		distance  func(a, b []baselines.Graph) (float64, error)
	}{{&row.Degree, &row.DegreeFloor, baselines.DegreeMMD}, {&row.Clustering, &row.ClusteringFloor, baselines.ClusteringMMD},
		{&row.Orbit, &row.OrbitFloor, baselines.OrbitMMD}} {
		if *d.to, err = d.distance(samples, held); err != nil {
			return err
		}
		if *d.floor, err = d.distance(train, held); err != nil {
			return err
		}
	}
	return nil
}

// sample returns the row's samples, of their files where they are there. Their numbers of vertices are those of the
// graphs trained on, but are not kept: discrepancies do not count vertices without an edge.
func (c *Communities) sample(ctx context.Context, f *edpFitted, sizes []int, own string, row *CommunitiesRow, w run.Progress) (list []baselines.Graph, err error) {
	m := &learnt{draw: func(ctx context.Context, first, n int, progress func(done, total int)) ([][]baselines.Edge, error) {
		graphs, err := f.model.Sample(ctx, first, n, c.Seed^communitySeed, sizes, f.sample, progress)
		return edgesOf(graphs), err
	}}
	for first := 0; first < row.Samples; first += f.sample.Batch {
		n := min(f.sample.Batch, row.Samples-first)
		p, err := m.kept(ctx, own, first, n, fmt.Sprintf("%s, %s: samples %d to %d of %d", MethodEDPGNN, row.Data, first+1, first+n, row.Samples), w)
		if err != nil {
			return nil, err
		}
		for _, edges := range p.Edges {
			list = append(list, baselines.Graph{N: communityN, Edges: edges})
		}
		row.SampleSeconds += p.Seconds
	}
	return list, nil
}

// communityLosses returns the least losses of scores of the graphs that read entry by entry: given each graph's density, and,
// as a mean over such graphs, given its halves.
func communityLosses(graphs []baselines.Graph, sigmas []float64) (independent, halves float64) {
	for _, g := range graphs {
		pairs, half := float64(g.N*(g.N-1)/2), g.N/2
		independent += pairs * edpgnn.EntryLoss(float64(len(g.Edges))/pairs, sigmas)
		within, between := baselines.CommunityProbabilities(half)
		halves += float64(half*(half-1))*edpgnn.EntryLoss(within, sigmas) + float64(half*half)*edpgnn.EntryLoss(between, sigmas)
	}
	n := float64(len(graphs))
	return independent / n, halves / n
}
