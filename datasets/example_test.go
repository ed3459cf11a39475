package datasets_test

import (
	"bytes"
	"fmt"
	"log"
	"os"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// A map of one's own, from file to layered graph.
func ExampleExpand() {
	w, err := datasets.ReadMap("helsinki.osm.pbf", bytes.NewReader(datasets.HelsinkiMap()), datasets.MapOptions{})
	if err != nil {
		log.Fatal(err)
	}
	w, err = w.Merge(10)
	if err != nil {
		log.Fatal(err)
	}
	start := w.Nodes[w.Nearest(24.9509076, 60.1707699)].ID
	g, err := datasets.Expand(w, datasets.ExpandOptions{Start: start, Depth: 10, Dummies: true, All: true, Nodes: 42})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.NumLayers(), "layers,", g.NumVertices(), "vertices,", ddps.NewIndex(g).Count(), "paths")
	// Output: 12 layers, 423 vertices, 1217906 paths
}

// The paths of Toy, split by distinct paths and written with their counts.
func ExampleData_WriteCSV() {
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
	if err := held.WriteCSV(os.Stdout, datasets.ByName); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 956 and 107 paths
	// v1,v2,v3,v4,v5,v6,v7,v8,v9,v10,v11,count
	// 0,2,5,9,13,17,22,26,31,34,38,1
}
