package guide_test

import (
	"fmt"
	"log"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/chain"
	"github.com/ddps-go/ddps/ddps/guide"
)

// All paths with the greatest reward that do not visit F.
func ExampleAll() {
	g := ddps.Example()
	f, _ := g.VertexByName(2, "F")
	u := make([]float64, g.NumEdges())
	for e := range u {
		u[e] = float64(g.Head(e) % 2)
	}
	avoid, err := guide.Avoid(g, guide.Stop{Vertices: []int{f}})
	if err != nil {
		log.Fatal(err)
	}
	best, err := guide.MaxReward(g, u)
	if err != nil {
		log.Fatal(err)
	}
	both, err := guide.All(avoid, best)
	if err != nil {
		log.Fatal(err)
	}
	given, _, err := guide.Given(g, chain.Uniform(g).P, both)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(guide.Count(g, both), "paths")
	for _, s := range given.KBest(10) {
		for _, v := range s.Path {
			fmt.Print(g.Name(v), " ")
		}
		fmt.Println(g.Total(u, s.Path))
	}
	// Output:
	// 3 paths
	// A B E H 2
	// A D G H 2
	// A D G J 2
}
