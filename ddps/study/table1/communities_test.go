package table1

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/baselines/edpgnn"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
)

// tinyCommunities are the study and its settings, in no time.
func tinyCommunities() (*Communities, *edpSettings) {
	c := &Communities{Preset: PresetCPU, Backend: "go", Samples: 20, Seed: 3}
	r := c.settings(CommunitiesRandom)
	r.Network.Channels, r.Network.Hidden, r.Network.Rounds, r.Network.Sigmas = []int{2}, 2, 1, []float64{0.2, 1}
	r.Train.Steps, r.Train.Batch, r.Train.Checkpoint, r.Train.EvalEvery = 6, 4, 2, 3
	r.Sample = edpgnn.SampleConfig{Steps: 2, Batch: 8}
	r.Grid = edpgnn.Grid{Steps: []float64{0.1, 0.01}, Noises: []float64{1}, N: 4}
	r.draws = 1
	return c, r
}

func runCommunities(t *testing.T, dir string, ctx context.Context, w run.Progress) ([]CommunitiesRow, error) {
	t.Helper()
	ledger, err := study.OpenTable[CommunitiesRow](filepath.Join(dir, "communities.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Close()
	c, r := tinyCommunities()
	rows, err := c.run(ctx, func(string) *edpSettings { return r }, dir, ledger, w)
	for i := range rows {
		rows[i].TrainSeconds, rows[i].SampleSeconds = 0, 0
	}
	return rows, err
}

// A study stopped in training, in the choice of the dynamics and between samples ends with the rows of one that was not;
// rows that are there are not measured again.
func TestCommunities(t *testing.T) {
	want, err := runCommunities(t, t.TempDir(), context.Background(), run.NoProgress{})
	if err != nil || len(want) != 2 {
		t.Fatalf("%d rows, %v", len(want), err)
	}
	for _, r := range want {
		if r.Train != 80 || r.Held != 20 || r.Samples != 20 || r.Weights == 0 || !(r.HeldLoss > r.Independent && r.Independent > r.Halves && r.Halves > 0) ||
			!(r.Degree > r.DegreeFloor && r.Clustering > r.ClusteringFloor && r.Orbit > r.OrbitFloor) {
			t.Errorf("row %+v", r)
		}
	}
	if want[0].Data != CommunitiesFixed || want[1].Data != CommunitiesRandom || want[0].Independent == want[1].Independent {
		t.Errorf("rows %+v", want)
	}
	dir := t.TempDir()
	for _, stage := range []int{1, 2, 2, 3} {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := runCommunities(t, dir, ctx, &halt{stage, cancel})
		cancel()
		if !errors.Is(err, baselines.ErrStopped) && !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped in stage %d: %v", stage, err)
		}
	}
	got, err := runCommunities(t, dir, context.Background(), run.NoProgress{})
	if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("gone on: %+v, %v, want %+v", got, err, want)
	}
	seen := &stagesSeen{}
	if _, err := runCommunities(t, dir, context.Background(), seen); err != nil || len(seen.names) != 0 {
		t.Errorf("again: %v, %q", err, seen.names)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "communities-fixed-halves-cpu-3", want[0].Settings, settingsFile)); err != nil || len(data) == 0 {
		t.Errorf("settings %s, %v", data, err)
	}
	c, _ := tinyCommunities()
	if list, err := c.Sampled(dir, want[0], 20); err != nil || len(list) != 20 || list[3].Check() != nil {
		t.Errorf("%d samples, %v", len(list), err)
	}
	if _, err := c.Sampled(dir, want[0], 21); err == nil {
		t.Error("more samples than there are")
	}
	if _, err := (&Communities{Preset: "huge"}).Run(context.Background(), dir, nil, nil); err == nil {
		t.Error("an unknown preset was taken")
	}
}

// Knowing the halves is worth half of the loss; presets name numbers of samples.
func TestCommunityLosses(t *testing.T) {
	c := Communities{Preset: PresetCPU}
	_, held := c.Graphs(CommunitiesRandom)
	independent, halves := communityLosses(held, edpgnn.Default().Sigmas)
	if !(independent > 1.8*halves && independent < 2.5*halves) {
		t.Errorf("least losses %v by density, %v by halves", independent, halves)
	}
	for preset, n := range map[string]int{PresetCPU: 128, run.PresetPaper: 1024, run.PresetQuick: 32} {
		if got := (&Communities{Preset: preset}).samples(); got != n {
			t.Errorf("%s: %d samples, want %d", preset, got, n)
		}
	}
}

// Two cliques joined by an edge, with a vertex that has none, fall into the cliques; of no edge one vertex is left.
func TestHalvesOf(t *testing.T) {
	g := baselines.Graph{N: 12, Edges: []baselines.Edge{{U: 0, V: 11}}}
	for v := range 12 {
		for u := range v {
			if u%2 == v%2 && u != 6 && v != 6 {
				g.Edges = append(g.Edges, baselines.Edge{U: u, V: v})
			}
		}
	}
	packed, order, side := HalvesOf(g)
	if err := packed.Check(); err != nil || packed.N != 11 || len(order) != 11 || len(packed.Edges) != len(g.Edges) {
		t.Fatalf("%+v, %v, order %v", packed, err, order)
	}
	between := 0
	for _, e := range packed.Edges {
		if side[e.U] != side[e.V] {
			between++
		}
	}
	changes := 0
	for k := 1; k < len(order); k++ {
		if side[order[k]] != side[order[k-1]] {
			changes++
		}
	}
	if between != 1 || changes != 1 {
		t.Errorf("%d edges between the halves, sides %v in the order %v", between, side, order)
	}
	if packed, order, side := HalvesOf(baselines.Graph{N: 3}); packed.N != 1 || len(order) != 1 || len(side) != 1 {
		t.Errorf("without an edge: %+v, %v, %v", packed, order, side)
	}
}
