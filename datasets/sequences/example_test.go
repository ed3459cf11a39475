package sequences_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/ddps-go/ddps/datasets/sequences"
)

// A list of walks becomes a graph and paths; names of a path are those of the walk again.
func Example() {
	file := `Lisbon,Porto,Madrid
Porto,Madrid
Lisbon,Madrid,Porto,Lisbon
Porto,Madrid
`
	walks, err := sequences.Read("trips.csv", strings.NewReader(file), sequences.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	made, err := sequences.Make(sequences.Options{MaxLength: 3}, walks)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(walks.Notes)
	fmt.Println(made.Report.List())
	g, data := made.Graph, made.Data[0]
	fmt.Println(g.NumLayers(), "layers,", g.NumVertices(), "vertices")
	name := sequences.Names(g)
	for i, p := range data.Paths {
		fmt.Println(data.Counts[i], name(p))
	}
	// Output:
	// [trips.csv: a walk a row, a place a column, tokens separated by ","]
	// [left out 1: longer than the maximum length (first: trips.csv:3: 4 places)]
	// 4 layers, 7 vertices
	// 1 [Lisbon Porto Madrid]
	// 2 [Porto Madrid]
}

// New walks on a graph made earlier: those that are no paths of it are counted.
func ExampleOn() {
	read := func(text string) *sequences.Walks {
		w, err := sequences.Read("walks.txt", strings.NewReader(text), sequences.ReadOptions{})
		if err != nil {
			log.Fatal(err)
		}
		return w
	}
	made, err := sequences.Make(sequences.Options{}, read("A B C\nB C\n"))
	if err != nil {
		log.Fatal(err)
	}
	data, report := sequences.On(made.Graph, read("A B\nB C\nC B\nA D\n"))
	fmt.Println(data.Total(), "walks,", report.Total(), "impossible")
	for _, l := range report.List() {
		fmt.Println(l)
	}
	// Output:
	// 2 walks, 2 impossible
	// left out 1: no path of the graph begins there (first: walks.txt:3: "C")
	// left out 1: a place that the graph lacks (first: walks.txt:4: "D", at place 2)
}
