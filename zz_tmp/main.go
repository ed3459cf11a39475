package main

import (
	"fmt"
	"time"

	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/markov"
	"github.com/ddps-go/ddps/ddps/run"
)

func main() {
	r, err := run.Open("/tmp/best/run-flights0")
	if err != nil {
		panic(err)
	}
	d, _ := r.Split()
	s := chain.Sample{Paths: d.Paths, Weights: run.Counts(d)}
	fmt.Println(d.Graph.NumLayers(), d.Graph.NumVertices(), d.Graph.NumEdges(), len(d.Paths))
	for _, c := range []markov.Config{{Order: 1, Position: true}, {Order: 1, Start: true, Position: true}, {Order: 2, Position: true}, {Order: 3, Position: true}, {Order: 2, Start: true, Position: true, MinCount: 20}, {Order: 2, Start: true, Position: true, MinCount: 100},{Order: 3, Start: false, Position: true, MinCount: 100}} {
		if c.MinCount == 0 {
			c.MinCount = 1
		}
		c.Ridge = 3
		t := time.Now()
		m, err := markov.Fit(d.Graph, s, c)
		if err != nil {
			panic(err)
		}
		fit := time.Since(t)
		out := make([]float64, len(d.Paths))
		m.LogProb(d.Paths, out)
		nll, n := 0., 0.
		for i, w := range s.Weights {
			nll -= w * out[i]
			n += w
		}
		t = time.Now()
		ch, err := m.Chain(1 << 23)
		if err != nil {
			fmt.Println(c, fit, nll/n, "too large", time.Since(t))
			continue
		}
		fmt.Println(c, fit, nll/n, "edges", len(ch.P), time.Since(t))
	}
}
