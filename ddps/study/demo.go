package study

import (
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/compare"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/run"
	"github.com/ddps-go/ddps/ddps/train"
)

// Demo is the paper's main job on one graph: data, a model, unguided samples, and samples guided to a reward.
type Demo struct {
	Name    string
	Shipped string         // name of the shipped model that it takes; "": it trains one
	Data    *datasets.Data // on the graph as given
	// of each path of the pruned graph, in Paths order: what made the data; nil: the data's own
	Distribution []float64
	Config       run.Config
	Samples      int // of each distribution
	Guided       int // S of Algorithm 2
	Lambda       float64
	RMax         int          // greatest reward
	Seed         uint64       // of the reward, the samples and the sampling floors
	Warn         func(string) // called with damage that was got round; may be nil
}

// ToyDemo returns the demo on Toy: all its paths, the residual MLP, shipped or trained, the paper's 256 steps for
// Algorithm 2.
func ToyDemo(train bool, seed uint64) (*Demo, error) {
	data, err := run.MakeData("toy", run.PresetQuick)
	if err != nil {
		return nil, err
	}
	d := &Demo{Name: "Toy", Shipped: "toy", Data: data, Samples: 2048, Guided: d3pm.DefaultT,
		Lambda: 100, RMax: 4, Seed: seed}
	if train {
		d.Shipped, d.Config = "", run.DefaultConfig()
		d.Config.Hold, d.Config.Model.Kappa = 0, 0
		t := &d.Config.Train
		t.Steps, t.EvalEvery, t.Checkpoint, t.Optim.Warmup = 200, 50, 100, 20
	}
	return d, d.settle()
}

// HeightsDemo returns the demo on Heights: paths of the shipped map repeated with memory, and a mixture of
// chains, shipped, or fitted to n of the paths if n is above 0.
func HeightsDemo(n int, seed uint64) (*Demo, error) {
	d := &Demo{Name: "Heights", Shipped: "heights", Samples: 4096, Guided: d3pm.DefaultSteps,
		Lambda: 100, RMax: 4, Seed: seed}
	paths := datasets.HeightsPaths
	if n > 0 {
		paths, d.Shipped, d.Config = n, "", run.MapConfig()
	}
	data, err := datasets.Heights(paths, 0)
	if err != nil {
		return nil, err
	}
	memory, err := datasets.NewMemory(data.Graph, data.Paths)
	if err != nil {
		return nil, err
	}
	pruned := data.Prune().Graph
	all, err := datasets.All(pruned, 1<<24)
	if err != nil {
		return nil, err
	}
	d.Data, d.Distribution = data, memory.Distribution(pruned, all.Paths)
	return d, d.settle()
}

// settle takes the settings of the shipped model, if that is what the demo takes.
func (d *Demo) settle() error {
	if d.Shipped == "" {
		return nil
	}
	var err error
	d.Config, err = run.ShippedConfig(d.Shipped)
	return err
}

// Report is what a demo gave.
type Report struct {
	Demo        *Demo
	Graph       *ddps.LayeredGraph // pruned: what the model and all that follows are on
	Model       *model.Model
	Steps       []train.StepInfo
	Evals       []train.EvalInfo
	U           []float64     // the reward, by edge
	PMax        float64       // probability of the greatest reward under the target
	Unguided    []compare.Row // against the true distribution
	Conditioned []compare.Row // against that distribution given the greatest reward
	Paths       map[string][]ddps.Path
}

// Slug returns the demo's name as part of a file's name.
func (d *Demo) Slug() string { return strings.ToLower(d.Name) }
