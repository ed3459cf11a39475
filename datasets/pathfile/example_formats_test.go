package pathfile_test

import (
	"fmt"
	"log"
	"os"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/ddps"
)

// Paths are written one by one, in any format.
func ExampleNewWriter() {
	g := ddps.Example()
	w, err := pathfile.NewWriter(os.Stdout, g, pathfile.JSONL, pathfile.ByName)
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
	if err := pathfile.WriteGraph(os.Stdout, g, pathfile.GraphDOT); err != nil {
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

// The paths of Toy, split by distinct paths and written with their counts.
func ExampleWriteCSV() {
	g, err := datasets.Toy(datasets.ToySeed)
	if err != nil {
		log.Fatal(err)
	}
	all, err := datasets.All(g, 10_000)
	if err != nil {
		log.Fatal(err)
	}
	train, held := all.Split(.1, 0)
	fmt.Println(len(train.Paths), "and", len(held.Paths), "paths")
	held.Paths, held.Counts = held.Paths[:1], held.Counts[:1]
	if err := pathfile.WriteCSV(os.Stdout, held, pathfile.ByName); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 956 and 107 paths
	// v1,v2,v3,v4,v5,v6,v7,v8,v9,v10,v11,count
	// 0,2,5,9,13,17,22,26,31,34,38,1
}
