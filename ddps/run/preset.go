package run

import (
	"compress/gzip"
	"embed"
	"fmt"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/mixture"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
)

// The sizes that an experiment may have.
const (
	PresetQuick = "quick" // minutes on two CPUs: the defaults
	PresetPaper = "paper" // the paper's: T = 256 and all of its data, and ten times the steps
)

// Presets lists the sizes.
func Presets() []string { return []string{PresetQuick, PresetPaper} }

// paperTimes is how many times the steps of quick a run of the paper's size has. The paper does not state its number.
const paperTimes = 10

// Sized returns the settings at a size: those of quick as they are. At the paper's, training is evaluated and kept as
// often, in all, as in quick, and its bound ten times.
func (c Config) Sized(preset string) Config {
	if preset != PresetPaper {
		return c
	}
	c.Model.T = d3pm.DefaultT
	c.Train.Steps *= paperTimes
	c.Train.EvalEvery *= paperTimes
	c.Train.Checkpoint *= paperTimes
	c.Train.BoundEvery = c.Train.Steps / 10
	return c
}

// QuickPaths is how many paths of a map quick draws.
const QuickPaths = 20_000

const dnaPaths = 100_000 // at the paper's size, which has none of its own

// MakeData makes the data of the paper's experiment on the graph of that name: all paths of "toy", "rq1" and "example",
// paths repeated with memory of "heights" and "ridge", as many as the paper's at its size, 20,000 at that of quick, and
// for "dna" promoters (datasets.PromoterDistribution), 100,000 or 20,000. "names" are those to train with of Names.
func MakeData(graph, preset string) (*datasets.Data, error) {
	size := func(paper int) int {
		if preset == PresetPaper {
			return paper
		}
		return QuickPaths
	}
	var g *ddps.LayeredGraph
	var err error
	switch graph {
	case "heights":
		return datasets.Heights(size(datasets.HeightsPaths), 0)
	case "ridge":
		return datasets.Ridge(size(datasets.RidgePaths), 0)
	case "dna":
		if g, err = datasets.DNA(datasets.DNALength); err != nil {
			return nil, err
		}
		return datasets.Promoters(g, size(dnaPaths), 0)
	case "names":
		d, _, err := Names()
		return d, err
	case "toy":
		g, err = datasets.Toy(datasets.ToySeed)
	case "rq1":
		g, err = datasets.RQ1(datasets.RQ1Seed)
	case "example":
		g = ddps.Example()
	default:
		return nil, fmt.Errorf("run: there are no data of %q, but of %s", graph, strings.Join(DataNames(), ", "))
	}
	if err != nil {
		return nil, err
	}
	return datasets.All(g, 1<<20)
}

// DataNames lists the graphs that MakeData knows.
func DataNames() []string {
	return []string{"toy", "rq1", "heights", "ridge", "example", "dna", "names"}
}

//go:embed weights/names-train.txt.gz weights/names-test.txt.gz
var names embed.FS // to fit the model of names to, and to test it with

// Names returns 25,626 first names to train with and 6,407 to test with, a letter a place, on the graph of the moves of
// both (makemore's names.txt, MIT licence, © 2022 Andrej Karpathy).
func Names() (train, test *datasets.Data, err error) {
	var sets []*sequences.Walks
	for _, name := range []string{"names-train.txt", "names-test.txt"} {
		f, err := names.Open("weights/" + name + ".gz")
		if err != nil {
			return nil, nil, fmt.Errorf("run: names: %w", err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, nil, fmt.Errorf("run: names: %w", err)
		}
		w, err := sequences.Read(name, z, sequences.ReadOptions{})
		if err != nil {
			return nil, nil, fmt.Errorf("run: names: %w", err)
		}
		sets = append(sets, w)
	}
	r, err := sequences.Make(sequences.Options{}, sets...)
	if err != nil {
		return nil, nil, fmt.Errorf("run: names: %w", err)
	}
	return r.Data[0], r.Data[1], nil
}

// DefaultConfig returns the settings for Toy.
func DefaultConfig() Config {
	return Config{Hold: 0.1, Keep: 3, TuneKappa: true, TuneMixture: true, Model: model.DefaultConfig(),
		Train: train.DefaultConfig()}
}

// MapConfig returns settings for a street map with data that have memory: a mixture of eight chains of moves, whose
// exact denoiser no network has been seen to better there. On a graph without places Config.On makes a chain of it.
func MapConfig() Config {
	cfg := DefaultConfig()
	cfg.Model.Network, cfg.Model.Mixture = model.NetworkNone, mixture.DefaultConfig()
	return cfg
}

// DNAConfig returns settings for a lattice of DNA: a mixture of chains of letters, each of which may hold a motif at a
// place of its own.
func DNAConfig() Config {
	cfg := DefaultConfig()
	cfg.Model.Network, cfg.Model.Mixture = model.NetworkNone, dnaMixture()
	return cfg
}

// StackConfig returns settings for walks on a network of places: a stack of all parts, validation by walk.
func StackConfig() Config {
	cfg := MapConfig()
	cfg.Model.Stack.Parts = strings.Join(model.PartNames(), " ")
	cfg.ValidationBy, cfg.Refit = ByWalk, true
	return cfg
}

// dnaMixture is the mixture of DNAConfig.
func dnaMixture() mixture.Config {
	m := mixture.DefaultConfig()
	m.Order, m.Classes, m.Rounds = 1, 16, 100
	return m
}

// isDNA reports whether g is a lattice of DNA.
func isDNA(g *ddps.LayeredGraph) bool {
	_, ok := g.Letters(ddps.Bases)
	return ok
}

// ConfigFor returns the settings that serve g best: StackConfig where it has places, DNAConfig where it is a lattice of
// DNA, else DefaultConfig.
func ConfigFor(g *ddps.LayeredGraph) Config {
	if g.Meta().Place != nil {
		return StackConfig()
	}
	return MixtureConfigFor(g)
}

// MixtureConfigFor is ConfigFor without stacks: MapConfig where g has places.
func MixtureConfigFor(g *ddps.LayeredGraph) Config {
	switch {
	case g.Meta().Place != nil:
		return MapConfig()
	case isDNA(g):
		return DNAConfig()
	}
	return DefaultConfig()
}

// ConfigOf returns the settings that a network starts from: MapConfig for none; for a UNet those by which the plain one
// comes within 0.05 nats per path of the exact denoiser on Toy; DefaultConfig for the MLP.
func ConfigOf(network string) Config {
	cfg := DefaultConfig()
	switch network {
	case model.NetworkNone:
		return MapConfig()
	case model.NetworkUNet:
		cfg.Train.Batch, cfg.Train.Optim.LR, cfg.Train.Optim.Warmup = 128, 4e-3, 50
	}
	cfg.Model.Network = network
	return cfg
}

// On returns the settings as they serve for g: what goes by places is left out where it has none, and a lattice of DNA
// has its own mixture for the default one of maps.
func (c Config) On(g *ddps.LayeredGraph) Config {
	if g.Meta().Place == nil {
		m, maps := &c.Model.Mixture, mixture.DefaultConfig()
		if *m == maps && isDNA(g) {
			*m = dnaMixture()
		}
		if m.Order == maps.Order && m.Classes == maps.Classes {
			m.Classes = 1 // nobody asked for more
		}
		m.Order = 1
	}
	return c
}
