package datasets_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// A list of edges with names becomes a layered graph.
func ExampleReadMap() {
	roads := "from,to,length\nBath,Bristol,19\nBristol,Wells,34\nWells,Bath,31\nWells,Wells,2\n"
	w, err := datasets.ReadMap("roads.csv", strings.NewReader(roads), datasets.MapOptions{})
	if err != nil {
		log.Fatal(err)
	}
	bath, _ := w.FindLabel("Bath")
	g, err := datasets.Expand(w, datasets.ExpandOptions{Start: w.Nodes[bath].ID, Depth: 4, NoWait: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(w.Nodes), "towns,", len(w.Edges), "roads,", w.Skipped.Loops, "loop left out,", ddps.NewIndex(g).Count(), "walks of 3 roads")
	// Output: 3 towns, 3 roads, 1 loop left out, 8 walks of 3 roads
}

// Paths are written one by one, in any format.
func ExampleNewPathWriter() {
	g := ddps.Example()
	w, err := datasets.NewPathWriter(os.Stdout, g, datasets.PathJSONL, datasets.ByName)
	if err != nil {
		log.Fatal(err)
	}
	for p := range g.Paths() {
		if err := w.Write(p, 1); err != nil {
			log.Fatal(err)
		}
		break
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output: {"path":["A","B","E","H"],"count":1}
}

// Graphviz draws what WriteGraph writes as DOT.
func ExampleWriteGraph() {
	g, err := ddps.New([]int{1, 2}, [][]int{{1, 2}, {}, {}})
	if err != nil {
		log.Fatal(err)
	}
	if err := datasets.WriteGraph(os.Stdout, g, datasets.GraphDOT); err != nil {
		log.Fatal(err)
	}
	// Output:
	// digraph "" {
	//   rankdir=LR;
	//   subgraph layer1 {
	//     rank=same;
	//     n0 [label="0" layer="1"];
	//   }
	//   subgraph layer2 {
	//     rank=same;
	//     n1 [label="1" layer="2"];
	//     n2 [label="2" layer="2"];
	//   }
	//   n0 -> n1;
	//   n0 -> n2;
	// }
}
