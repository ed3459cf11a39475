package gru_test

import (
	"context"
	"fmt"
	"math"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/net/gru"
)

// Walks with their counts, a network trained on them, what it says of a path, and draws.
func ExampleFit() {
	g := ddps.Example()
	var walks gru.Sample
	for p := range g.Paths() {
		count := 5.0
		if g.Name(p[1]) == "C" && g.Name(p[3]) == "H" {
			count = 60 // A C E H and A C G H
		}
		walks.Paths, walks.Weights = append(walks.Paths, p), append(walks.Weights, count)
	}
	s := gru.Setting{Shape: gru.Shape{Hidden: 32, Embed: 32}, LR: 0.01, Batch: 32, Epochs: 60, Average: 0.05,
		Patience: 1, Networks: 1}
	m, report, err := gru.Fit(context.Background(), g, walks, walks, gru.Config{Settings: []gru.Setting{s}}, 1)
	if err != nil {
		panic(err)
	}
	fmt.Printf("NLL %.1f nats per path, %d weights\n", report.NLL, report.Weights)

	logp := make([]float64, len(walks.Paths))
	if err := m.LogProb(walks.Paths, logp); err != nil {
		panic(err)
	}
	for i, p := range walks.Paths {
		if walks.Weights[i] > 5 {
			fmt.Printf("%s %s %s %s: %.1f\n", g.Name(p[0]), g.Name(p[1]), g.Name(p[2]), g.Name(p[3]), math.Exp(logp[i]))
		}
	}
	draws := make([]ddps.Path, 1000)
	if err := m.Sample(context.Background(), draws, 2, 0); err != nil {
		panic(err)
	}
	fmt.Println(len(draws), "draws")
	// Output:
	// NLL 1.6 nats per path, 7082 weights
	// A C E H: 0.4
	// A C G H: 0.4
	// 1000 draws
}
