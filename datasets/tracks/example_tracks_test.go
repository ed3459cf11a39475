package tracks_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/pathfile"
	"github.com/ddps-go/ddps/datasets/tracks"
)

// Tracks of two walkers: one is seen at three of the four layers of places, the other ends too early.
func ExampleMatch() {
	w, err := maps.NewWorld([]maps.Node{{ID: 1}, {ID: 2, Lon: .001}, {ID: 3, Lon: .002}}, []maps.Edge{{From: 0, To: 1},
		{From: 1, To: 2}}, false)
	if err != nil {
		log.Fatal(err)
	}
	g, err := maps.Expand(w, maps.ExpandOptions{Start: 1, Depth: 4})
	if err != nil {
		log.Fatal(err)
	}
	list, err := tracks.ReadCSV("walks.csv", strings.NewReader(`user,time,lat,lon
ann,2026-05-01T10:00:00Z,0.00001,0.00002
ann,2026-05-01T10:02:03Z,0.00004,0.00197
ann,2026-05-01T10:03:00Z,0.00001,0.00201
bob,0,0,0
bob,60,0,0.001
`))
	if err != nil {
		log.Fatal(err)
	}
	d, report, err := tracks.Match(g, list, tracks.Options{Every: 60})
	if err != nil {
		log.Fatal(err)
	}
	if err := pathfile.WriteCSV(os.Stdout, d, pathfile.ByName); err != nil {
		log.Fatal(err)
	}
	for _, o := range report.Outcomes {
		fmt.Println(o)
	}
	// Output:
	// v1,v2,v3,v4,count
	// 1,2,3,3,1
	// walks.csv:2: track ann: matched: 1 of 4 layers without a fix
	// walks.csv:5: track bob: too short: its last fix in time is of layer 2 of 4
}
