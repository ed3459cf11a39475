package run_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
)

// The recommended model of some paths, and samples that meet a condition.
func ExampleFit() {
	data, err := datasets.All(ddps.Example(), 100)
	if err != nil {
		log.Fatal(err)
	}
	m, err := run.Fit(data, run.MapConfig())
	if err != nil {
		log.Fatal(err)
	}
	s := m.Sampler()
	if err := (query.Guide{Where: `visit("F")`}).Apply(s, nil); err != nil {
		log.Fatal(err)
	}
	paths, err := s.Sample(context.Background(), 3, 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range paths {
		fmt.Println(m.Graph.Check(p) == nil, m.Graph.Name(p[2]))
	}
	// Output:
	// true F
	// true F
	// true F
}
