package table1

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/baselines"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/study"
)

// Study measures how often methods draw a path (the paper's §5.1, table 1): each learns from the same paths of RQ1, or
// of the example graph, a fifth kept for validation, and its samples are counted as sets of edges.
type Study struct {
	Graph   string   // one of Graphs
	Preset  string   // one of run.Presets
	Seed    uint64   // of the validation paths, first weights, training and samples
	Samples int      // of each method; 0: as many as the preset says
	Methods []string // of Methods; nil: all
	Backend string   // what networks of adjacency matrices run on
	Train   int      // training steps of each network; 0: the preset's
}

// Row is a method's row. What says how a number came about is before the numbers.
type Row struct {
	Method   string `csv:"method"`
	Graph    string `csv:"graph"`
	Preset   string `csv:"preset"`
	Seed     uint64 `csv:"seed"`
	Settings string `csv:"settings"` // a fingerprint of them all; they are in the method's directory
	Samples  int    `csv:"samples"`

	Train   int    `csv:"train_paths"`
	Held    int    `csv:"validation_paths"`
	Weights int    `csv:"weights"` // of the network
	Chosen  string `csv:"chosen"`  // on the validation paths

	Valid     int     `csv:"valid"`
	ValidRate float64 `csv:"valid_rate"`      // in [0, 1]
	ValidLow  float64 `csv:"valid_rate_low"`  // of its 95% interval (baselines.Wilson)
	ValidHigh float64 `csv:"valid_rate_high"` //
	Foreign   int     `csv:"edge_not_in_g"`   // the outcomes of package baselines
	Extra     int     `csv:"extra_edges"`
	Broken    int     `csv:"broken"`
	Scattered int     `csv:"scattered"`
	Unique    int     `csv:"unique"`     // distinct paths among the valid samples
	Novel     int     `csv:"novel"`      // valid samples whose path is not among those trained on
	MeanEdges float64 `csv:"mean_edges"` // of a sample; a path has one fewer than layers

	TrainSeconds  float64 `csv:"train_seconds"`  // over all runs; NaN: not known
	TrainExamples int     `csv:"train_examples"` // seen, repeats counted
	SampleSeconds float64 `csv:"sample_seconds"`
}

// set fills in what the samples were.
func (r *Row) set(c baselines.Counts) {
	o := c.Outcomes
	r.Valid, r.Foreign, r.Extra, r.Broken, r.Scattered = o[baselines.Valid], o[baselines.Foreign], o[baselines.Extra],
		o[baselines.Broken], o[baselines.Scattered]
	r.ValidRate, r.ValidLow, r.ValidHigh = c.ValidRate()
	r.Unique, r.Novel = c.Unique, c.Novel
}

// Counts returns the row's counts of outcomes.
func (r Row) Counts() baselines.Counts {
	return baselines.Counts{Unique: r.Unique, Novel: r.Novel, Outcomes: [baselines.NumOutcomes]int{
		baselines.Valid:   r.Valid,
		baselines.Foreign: r.Foreign, baselines.Extra: r.Extra, baselines.Broken: r.Broken, baselines.Scattered: r.Scattered}}
}

// splitData is what every method learns from.
type splitData struct {
	graph       *ddps.LayeredGraph // pruned
	all         *datasets.Data     // on the graph as it was made
	train, held *datasets.Data     // on the pruned one
	seed        uint64
}

// newData makes the data of a graph, without the vertices that lie on no path, and holds a fifth out.
func newData(graph string, seed uint64) (*splitData, error) {
	data, err := run.MakeData(graph, run.PresetPaper)
	if err != nil {
		return nil, err
	}
	train, held := data.Prune().Split(hold, seed)
	return &splitData{graph: train.Graph, all: data, train: train, held: held, seed: seed}, nil
}

// Run adds to the table the rows that it lacks, and to curve those of SwinGNN's training, unless it is nil. Networks
// are kept in dir, and each method has a directory of its own in it, where what it chose and its samples are kept, so
// that a study that was stopped resumes. It returns the rows of this study, in the order of the methods.
func (t *Study) Run(ctx context.Context, dir string, to *study.Table[Row], curve *study.Table[SwinRow],
	w run.Progress) (rows []Row, err error) {
	if w == nil {
		w = run.NoProgress{}
	}
	list, err := t.list(curve)
	if err != nil {
		return nil, err
	}
	data, err := newData(t.Graph, t.Seed)
	if err != nil {
		return nil, err
	}
	g := study.Grid[Row]{Same: Row.same, Name: func(r Row) string { return r.Method }}
	methods := map[string]method{}
	for _, r := range list {
		print, err := fingerprint(r.settings())
		if err != nil {
			return nil, err
		}
		methods[r.name()] = r
		g.Points = append(g.Points, Row{Method: r.name(), Graph: t.Graph, Preset: t.Preset, Seed: t.Seed, Settings: print,
			Samples: t.samples(),
			Train:   len(data.train.Paths), Held: len(data.held.Paths)})
	}
	g.Measure = func(ctx context.Context, row *Row) error {
		slug := strings.NewReplacer(" ", "-", ",", "").Replace(strings.ToLower(row.Method))
		directory := filepath.Join(dir, fmt.Sprintf("%s-%s-%s-%d", slug, t.Graph, t.Preset, t.Seed), row.Settings)
		return measureMethod(ctx, methods[row.Method], dir, directory, data, row, w)
	}
	err = g.Run(ctx, to, nil)
	return g.Results(to), err
}

// same reports whether x is of the same grid point.
func (r Row) same(x Row) bool {
	return x.Method == r.Method && x.Graph == r.Graph && x.Preset == r.Preset && x.Seed == r.Seed &&
		x.Settings == r.Settings &&
		x.Samples == r.Samples
}

// samples returns how many samples each method draws, of a study that list has checked.
func (t *Study) samples() int {
	if t.Samples > 0 {
		return t.Samples
	}
	switch n, _ := sizeOf(t.Graph, t.Preset); n {
	case sizePaper:
		return 8192
	case sizeExample:
		return 64
	}
	return 512
}

// fingerprint identifies settings: 8 hexadecimal digits.
func fingerprint(settings any) (string, error) {
	text, err := json.Marshal(settings)
	if err != nil {
		return "", fmt.Errorf("table1: table 1: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4]), nil
}
