package d3pm_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/d3pm"
	"github.com/ddps-go/ddps/ddps/guide"
)

// The paper's Algorithm 2 with the exact denoiser of a chain: a guidance scale λ leads paths to a reward.
func ExampleSampler() {
	g := ddps.Example()
	u := make([]float64, g.NumEdges())
	e, _ := g.EdgeBetween(0, 1) // A → B
	u[e] = 1
	schedule := d3pm.Cosine(d3pm.DefaultT)
	s := &d3pm.Sampler{Graph: g, Denoiser: chain.NewDenoiser(chain.Uniform(g), schedule.Abar), Schedule: schedule,
		Kernel: d3pm.Algorithm2(), Steps: 32}
	for _, s.Scale = range []float64{0, 10} {
		var err error
		if s.Guide, err = guide.RewardGradient(g, u); err != nil {
			log.Fatal(err)
		}
		paths, err := s.Sample(context.Background(), 1000, 1)
		if err != nil {
			log.Fatal(err)
		}
		met := 0.0
		for _, p := range paths {
			met += g.Total(u, p) / 1000
		}
		fmt.Printf("λ = %v: more than half of the paths take the edge: %v\n", s.Scale, met > .5)
	}
	// Output:
	// λ = 0: more than half of the paths take the edge: false
	// λ = 10: more than half of the paths take the edge: true
}
