package edpgnn

import (
	"context"
	"testing"

	"github.com/ddps-go/ddps/ddps/baselines"
)

// communityLosses returns the least losses, on graphs of two communities, of scores that read a graph entry by entry:
// given its density and, as a mean over such graphs, given its halves.
func communityLosses(graphs []baselines.Graph, sigmas []float64) (density, halves float64) {
	for _, g := range graphs {
		pairs, half := float64(g.N*(g.N-1)/2), g.N/2
		density += pairs * EntryLoss(float64(len(g.Edges))/pairs, sigmas)
		within, between := baselines.CommunityProbabilities(half)
		halves += float64(half*(half-1))*EntryLoss(within, sigmas) + float64(half*half)*EntryLoss(between, sigmas)
	}
	n := float64(len(graphs))
	return density / n, halves / n
}

// Knowing the halves is worth half of the loss.
func TestCommunityLosses(t *testing.T) {
	density, halves := communityLosses(baselines.Communities(100, 0)[80:], Default().Sigmas)
	if !(density > 1.8*halves && density < 2.5*halves) {
		t.Errorf("least losses %v by density, %v by halves", density, halves)
	}
}

// What the network learns where its publication says that it does, in small: on graphs of two communities its
// validation loss falls towards the least of scores that know a graph's density, and the degrees of its samples come
// nearer to those of the validation graphs than with the first weights.
func TestCommunities(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a network")
	}
	all := baselines.FixedCommunities(100, 0)
	train, held := all[:80], all[80:]
	cfg := Small()
	cfg.Scaled, cfg.Sigmas = true, []float64{0.2, 0.6}
	m, err := New(20, cfg, 0)
	if err != nil {
		t.Fatal(err)
	}
	m.SetBackend("go")
	measure := func() (loss, mmd float64) {
		t.Helper()
		if loss, err = m.Loss(held, 2); err != nil {
			t.Fatal(err)
		}
		samples, err := m.Sample(context.Background(), 0, 8, 1, []int{12, 16, 20}, SampleConfig{Steps: 5, Step: 0.1, Noise: 1,
			Batch: 8}, nil)
		if err == nil {
			mmd, err = baselines.DegreeMMD(samples, held)
		}
		if err != nil {
			t.Fatal(err)
		}
		return loss, mmd
	}
	first, before := measure()
	tc := DefaultTrain(len(train))
	tc.Steps, tc.Batch, tc.EvalEvery, tc.Checkpoint = 40, 6, 0, 0
	tc.Optim.LR, tc.LRDecay = 3e-3, 0.96
	tr, err := m.Trainer(train, held, tc)
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Run(context.Background(), baselines.Hooks{}); err != nil {
		t.Fatal(err)
	}
	loss, after := measure()
	density, halves := communityLosses(held, cfg.Sigmas)
	t.Logf("loss %.1f, then %.1f; least by density %.1f, by halves %.1f; degree MMD %.3f, then %.3f", first, loss, density,
		halves, before, after)
	if !(loss > halves && loss-density < 0.6*(first-density)) {
		t.Errorf("validation loss %v at first, then %v; the least by density is %v, by halves %v", first, loss, density,
			halves)
	}
	if !(after < before) {
		t.Errorf("discrepancy of degrees %v at first, then %v", before, after)
	}
}
