package baselines_test

import (
	"fmt"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/baselines"
)

// What sets of edges are, and the valid rate with its interval.
func Example() {
	g, err := ddps.New([]int{1, 2, 2}, [][]int{{1, 2}, {3}, {3, 4}, nil, nil})
	if err != nil {
		panic(err)
	}
	tally := baselines.NewTally(g, []ddps.Path{{0, 1, 3}})
	for _, edges := range [][]baselines.Edge{
		{{U: 0, V: 1}, {U: 1, V: 3}},
		{{U: 0, V: 2}, {U: 2, V: 4}},
		{{U: 0, V: 2}, {U: 2, V: 3}, {U: 2, V: 4}},
		{{U: 0, V: 1}},
		{{U: 0, V: 1}, {U: 2, V: 3}},
		{{U: 0, V: 1}, {U: 1, V: 4}},
	} {
		fmt.Println(tally.Add(edges))
	}
	c := tally.Counts()
	rate, lo, hi := c.ValidRate()
	fmt.Printf("%.2f in %.2f…%.2f, %d novel\n", rate, lo, hi, c.Novel)
	// Output:
	// valid
	// valid
	// extra edges
	// broken
	// scattered
	// edge not in G
	// 0.33 in 0.10…0.70, 1 novel
}
