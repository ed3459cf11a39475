package datasets_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/ddps"
)

// A map of one's own, from file to layered graph.
func ExampleExpand() {
	w, err := maps.Read("helsinki.osm.pbf", bytes.NewReader(datasets.HelsinkiMap()), maps.Options{})
	if err != nil {
		log.Fatal(err)
	}
	w, err = w.Merge(10)
	if err != nil {
		log.Fatal(err)
	}
	start := w.Nodes[w.Nearest(24.9509076, 60.1707699)].ID
	g, err := maps.Expand(w, maps.ExpandOptions{Start: start, Depth: 10, Dummies: true, All: true, Nodes: 42})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.NumLayers(), "layers,", g.NumVertices(), "vertices,", ddps.NewIndex(g).Count(), "paths")
	// Output: 12 layers, 423 vertices, 1217906 paths
}
