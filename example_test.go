package ddps_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps/guide"
	"github.com/ddps-go/ddps/ddps/run"
)

func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

// The Go API from a graph to guided paths; the README shows this function.
func Example() {
	data := must(datasets.All(must(datasets.Toy(1)), 10_000)).Prune() // no vertex off paths; or pathfile.ReadFile
	m := must(run.Fit(data, run.MapConfig()))                         // a chain, on maps a mixture; walks: StackConfig()

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
