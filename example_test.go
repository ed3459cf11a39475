package ddps_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/model"
	"github.com/ddps-go/ddps/ddps/train"
)

func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

// The Go API from a graph to guided paths; the README shows this function.
func Example() {
	data := must(datasets.All(must(datasets.Toy(1)), 10_000)).Prune() // or pathfile.ReadGraph, pathfile.ReadFile
	c := must(chain.Fit(data.Graph, data.Paths, nil, 1))              // the baseline, and what a network corrects

	m := must(model.New(c, model.DefaultConfig(), 0))
	cfg := train.DefaultConfig()
	cfg.Steps = 20 // for show; the default is 2,000
	source := must(train.NewSource(m, data.Paths, nil))
	if err := must(train.NewTrainer(m, source, source, cfg)).Run(context.Background(), train.Hooks{}); err != nil {
		log.Fatal(err)
	}

	u := must(datasets.RewardInstance(m.Graph, 4, 0)) // by edge; the best path attains 4
	s := m.Sampler()
	s.Condition = must(guide.MaxReward(m.Graph, u)) // or s.Guide, s.Scale = must(guide.RewardGradient(m.Graph, u)), 30
	for _, p := range must(s.Sample(context.Background(), 3, 0)) {
		fmt.Println(m.Graph.Check(p) == nil, m.Graph.Total(u, p)) // a path, and its reward
	}
	// Output:
	// true 4
	// true 4
	// true 4
}
