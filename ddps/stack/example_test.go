package stack_test

import (
	"context"
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide/where"
	"github.com/ddps-go/ddps/ddps/markov"
	"github.com/ddps-go/ddps/ddps/stack"
)

// A stack is fitted to walks and conditioned: "visit E, and end in H".
func Example() {
	g := ddps.Example()
	data := chain.Sample{Weights: []float64{60, 30, 10, 60, 40}}
	for _, names := range []string{"ABEH", "ABFI", "ACEH", "ACGJ", "ADGH"} {
		p := ddps.Path{0}
		for l, name := range names[1:] {
			v, _ := g.VertexByName(l+1, string(name))
			p = append(p, v)
		}
		data.Paths = append(data.Paths, p)
	}
	train, validation, err := stack.Split(g, data, .2, 1)
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	parts := []stack.Fitter{stack.FirstOrder(g), stack.ContextOf(g, markov.Default(), 0)}
	s, err := stack.Fit(ctx, parts, train, validation, true, nil)
	if err != nil {
		panic(err)
	}
	expr, err := where.Parse(`visit("E") and end("H")`)
	if err != nil {
		panic(err)
	}
	c, err := expr.Condition(g, nil)
	if err != nil {
		panic(err)
	}
	given, err := s.Given(ctx, stack.Condition{Product: c.Product().Product, LogW: c.Product().LogW}, stack.Options{})
	if err != nil {
		panic(err)
	}
	paths := make([]ddps.Path, 1000)
	if err := given.Sample(ctx, paths, 1, 0); err != nil {
		panic(err)
	}
	met := 0
	for _, p := range paths {
		if g.Name(p[2]) == "E" && g.Name(p[3]) == "H" {
			met++
		}
	}
	fmt.Println(met, "of", len(paths), "draws meet the condition")
	// Output: 1000 of 1000 draws meet the condition
}
