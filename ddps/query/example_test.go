package query_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/query"
	"github.com/ddps-go/ddps/ddps/run"
)

// How likely a condition is under a model, the most likely path that meets it, and what follows a beginning.
func Example() {
	data, err := datasets.All(ddps.Example(), 100)
	if err != nil {
		log.Fatal(err)
	}
	cfg := run.MapConfig()
	cfg.Hold = 0 // all paths to fit
	m, err := run.Fit(data, cfg)
	if err != nil {
		log.Fatal(err)
	}
	x, err := where.Parse(`visit("F")`)
	if err != nil {
		log.Fatal(err)
	}
	e, err := query.Explain(context.Background(), m, nil, x, query.ExplainConfig{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v of %v paths, probability %.2f; the most likely:", e.Paths, e.All, e.Model)
	for _, v := range e.Best[0].Path {
		fmt.Print(" ", m.Graph.Name(v))
	}
	fmt.Println()
	row, _, err := query.NewNext(m).After(ddps.Path{0})
	if err != nil {
		log.Fatal(err)
	}
	for i, v := range m.Graph.From(0) {
		fmt.Printf("%s %.2f\n", m.Graph.Name(v), row[i])
	}
	// Output:
	// 2 of 10 paths, probability 0.25; the most likely: A B F I
	// B 0.31
	// C 0.38
	// D 0.31
}
