package maps_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

// A list of edges with names becomes a layered graph.
func ExampleRead() {
	roads := "from,to,length\nBath,Bristol,19\nBristol,Wells,34\nWells,Bath,31\nWells,Wells,2\n"
	w, err := maps.Read("roads.csv", strings.NewReader(roads), maps.Options{})
	if err != nil {
		log.Fatal(err)
	}
	bath, _ := w.FindLabel("Bath")
	g, err := maps.Expand(w, maps.ExpandOptions{Start: w.Nodes[bath].ID, Depth: 4, NoWait: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(w.Nodes), "towns,", len(w.Edges), "roads,", w.Skipped.Loops, "loop left out,",
		ddps.NewIndex(g).Count(), "walks of 3 roads")
	// Output: 3 towns, 3 roads, 1 loop left out, 8 walks of 3 roads
}
