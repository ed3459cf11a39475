package run

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/d3pm"
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

// dnaPaths is how many sequences MakeData draws at the paper's size, which has none of its own.
const dnaPaths = 100_000

// MakeData makes the data of the paper's experiment on the graph of that name: all paths of "toy", "rq1" and "example",
// paths repeated with memory of "heights" and "ridge", as many as the paper's at its size, 20,000 at that of quick, and
// for "dna" promoters (datasets.PromoterLaw) of datasets.DNALength letters, 100,000 or
// 20,000. "names" are those to train with of Names, at any size.
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

// The names that the model of names is fitted to, and those to test it with.
//
//go:embed weights/names-train.txt.gz weights/names-test.txt.gz
var names embed.FS

// Names returns 25,626 first names to train with and 6,407 to test with, a letter a place, on the graph of the moves of
// both (makemore's names.txt, MIT licence, © 2022 Andrej Karpathy).
func Names() (train, test *datasets.Data, err error) {
	var sets []*sequences.Walks
	for _, name := range []string{"names-train.txt", "names-test.txt"} {
		data, err := names.ReadFile("weights/" + name + ".gz")
		if err != nil {
			return nil, nil, fmt.Errorf("run: names: %w", err)
		}
		z, err := gzip.NewReader(bytes.NewReader(data))
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
