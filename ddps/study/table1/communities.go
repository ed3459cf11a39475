package table1

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/baselines/edpgnn"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
)

// Communities shows that the EDP-GNN of table 1 learns what its publication says it learns: graphs of two communities. It
// trains on 80 of 100 graphs, samples, and measures three discrepancies between the samples and the 20 held out.
type Communities struct {
	Preset  string // one of Presets
	Seed    uint64 // of the graphs, first weights, training and samples
	Samples int    // 0: as many as the preset says
	Backend string // what the network runs on
	Train   int    // training steps; 0: the preset's
}

// The data of Communities: halves of every graph's own (baselines.Communities), or those that the published program makes
// (baselines.FixedCommunities).
const (
	CommunitiesFixed  = "fixed halves"
	CommunitiesRandom = "random halves"
)

// CommunityGraphs are how many graphs there are, the last fifth of them held out.
const CommunityGraphs, communityTrain = 100, 80

// communityN is the most vertices of a graph.
const communityN = 20

// CommunitiesRow is a row of the study.
type CommunitiesRow struct {
	Data     string `csv:"data"`
	Preset   string `csv:"preset"`
	Seed     uint64 `csv:"seed"`
	Settings string `csv:"settings"` // a fingerprint of them all; they stand in the row's folder
	Samples  int    `csv:"samples"`

	Train   int    `csv:"train_graphs"`
	Held    int    `csv:"held_graphs"`
	Weights int    `csv:"weights"` // of the network
	Steps   int    `csv:"train_steps"`
	Batch   int    `csv:"batch"`
	Chosen  string `csv:"chosen"` // on the graphs trained on

	HeldLoss    float64 `csv:"held_loss"`         // a mean over 20 draws of noise
	Independent float64 `csv:"independent_loss"`  // least loss on the graphs held out, entry by entry, given a graph's density
	Halves      float64 `csv:"halves_known_loss"` // and given which vertices are in which half, on average

	Degree          float64 `csv:"degree_mmd"` // of samples and graphs held out
	Clustering      float64 `csv:"clustering_mmd"`
	Orbit           float64 `csv:"orbit_mmd"`
	DegreeFloor     float64 `csv:"degree_mmd_floor"` // of graphs trained on and held out
	ClusteringFloor float64 `csv:"clustering_mmd_floor"`
	OrbitFloor      float64 `csv:"orbit_mmd_floor"`

	TrainSeconds  float64 `csv:"train_seconds"` // in all sittings
	SampleSeconds float64 `csv:"sample_seconds"`
}

// Graphs returns the data of a name, those to train on and those held out.
func (c *Communities) Graphs(data string) (train, held []baselines.Graph) {
	all := baselines.Communities(CommunityGraphs, c.Seed)
	if data == CommunitiesFixed {
		all = baselines.FixedCommunities(CommunityGraphs, c.Seed)
	}
	return all[:communityTrain], all[communityTrain:]
}

// settings are the preset's for a data.
func (c *Communities) settings(data string) *edpSettings {
	r := &edpSettings{Network: edpgnn.Default(), Train: edpgnn.DefaultTrain(communityTrain), Sample: edpgnn.DefaultSample(), Grid: edpgnn.DefaultGrid(), backend: c.Backend, draws: 20}
	switch c.Preset {
	case PresetCPU:
		r.Network.Scaled = true
		r.Train.Steps, r.Train.Batch, r.Train.EvalEvery, r.Train.Checkpoint = 4000, 16, 250, 250
		r.Train.Optim.LR, r.Train.LRDecay = 2e-3, 0.997
		if data == CommunitiesRandom { // which take longer to find
			r.Train.Steps, r.Train.LRDecay = 5000, 0.998
		}
		r.Sample.Steps, r.Sample.Batch = 400, 64
		r.Grid = edpgnn.Grid{Steps: []float64{0.1, 0.05}, Noises: []float64{1, 0.5}, N: 32} // so few steps must be long
	case run.PresetQuick:
		r.Network = edpgnn.Small()
		r.Network.Scaled = true
		r.Train.Steps, r.Train.Batch, r.Train.EvalEvery, r.Train.Checkpoint = 500, 8, 100, 100
		r.Train.Optim.LR, r.Train.LRDecay = 3e-3, 0.96
		r.Sample.Steps, r.Sample.Batch = 50, 32
		r.Grid = edpgnn.Grid{Steps: []float64{0.05}, Noises: []float64{1, 0.5}, N: 16}
	}
	if c.Train > 0 {
		r.Train.Steps = c.Train
	}
	r.Train.Seed = c.Seed
	return r
}

// samples returns how many samples are drawn.
func (c *Communities) samples() int {
	if c.Samples > 0 {
		return c.Samples
	}
	return map[string]int{run.PresetPaper: 1024, PresetCPU: 128, run.PresetQuick: 32}[c.Preset]
}

// Run adds to the ledger the rows that it lacks, one for each data. Networks are kept in dir, and each row has a folder of its own
// in it, with what was chosen and its samples, so that a study that was stopped goes on. It returns the rows of this study.
func (c *Communities) Run(ctx context.Context, dir string, to *study.Table[CommunitiesRow], w run.Progress) (rows []CommunitiesRow, err error) {
	if w == nil {
		w = run.NoProgress{}
	}
	if !slices.Contains(Presets(), c.Preset) {
		return nil, fmt.Errorf("table1: communities have no preset %q, but %s", c.Preset, strings.Join(Presets(), ", "))
	}
	return c.run(ctx, c.settings, dir, to, w)
}

// run is Run with the settings of each data.
func (c *Communities) run(ctx context.Context, settings func(data string) *edpSettings, dir string, to *study.Table[CommunitiesRow], w run.Progress) (rows []CommunitiesRow, err error) {
	for _, data := range []string{CommunitiesFixed, CommunitiesRandom} {
		r := settings(data)
		print, err := fingerprint(r)
		if err != nil {
			return rows, err
		}
		row := CommunitiesRow{Data: data, Preset: c.Preset, Seed: c.Seed, Settings: print, Samples: c.samples()}
		k := slices.IndexFunc(to.Rows, func(x CommunitiesRow) bool {
			return x.Data == row.Data && x.Preset == row.Preset && x.Seed == row.Seed && x.Settings == row.Settings && x.Samples == row.Samples
		})
		if k >= 0 {
			rows = append(rows, to.Rows[k])
			continue
		}
		own := c.folder(dir, row)
		if err := os.MkdirAll(filepath.Join(own, samplesDir), 0o755); err != nil {
			return rows, fmt.Errorf("table1: communities: %w", err)
		}
		if err := writeJSON(filepath.Join(own, settingsFile), r); err != nil {
			return rows, err
		}
		if err := c.measure(ctx, r, dir, own, &row, w); err != nil {
			return rows, err
		}
		if err := to.Add(row); err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// folder is the row's in the study's folder dir.
func (c *Communities) folder(dir string, row CommunitiesRow) string {
	return filepath.Join(dir, fmt.Sprintf("communities-%s-%s-%d", strings.ReplaceAll(row.Data, " ", "-"), row.Preset, row.Seed), row.Settings)
}
