package datasets_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
)

// The paper's lattice, where G may not follow an A in "the 4th and 5th location", and a sequence of it.
func ExampleDNA() {
	g, err := datasets.DNA(6, datasets.ForbiddenPair{Pair: "AG", At: 4})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.NumLayers(), "layers,", ddps.NewIndex(g).Count(), "sequences of", 4*4*4*4*4*4)
	d, err := datasets.ReadFASTA("mine.fa", strings.NewReader(">first\nacg\ntac\n"), g)
	if err != nil {
		log.Fatal(err)
	}
	if err := d.WriteFASTA(os.Stdout); err != nil {
		log.Fatal(err)
	}
	_, err = datasets.ReadFASTA("mine.fa", strings.NewReader(">second\nACGAGT\n"), g)
	fmt.Println(err)
	// Output:
	// 7 layers, 3840 sequences of 4096
	// >1
	// ACGTAC
	// datasets: mine.fa:1: record "second": position 5: no G may follow the A there
}

// Tracks of two walkers: one is seen at three of the four layers of places, the other ends too early.
func ExampleMatchTracks() {
	w, err := datasets.NewWorld([]datasets.Node{{ID: 1}, {ID: 2, Lon: .001}, {ID: 3, Lon: .002}}, []datasets.Edge{{From: 0, To: 1}, {From: 1, To: 2}}, false)
	if err != nil {
		log.Fatal(err)
	}
	g, err := datasets.Expand(w, datasets.ExpandOptions{Start: 1, Depth: 4})
	if err != nil {
		log.Fatal(err)
	}
	tracks, err := datasets.ReadTrackCSV("walks.csv", strings.NewReader(`user,time,lat,lon
ann,2026-05-01T10:00:00Z,0.00001,0.00002
ann,2026-05-01T10:02:03Z,0.00004,0.00197
ann,2026-05-01T10:03:00Z,0.00001,0.00201
bob,0,0,0
bob,60,0,0.001
`))
	if err != nil {
		log.Fatal(err)
	}
	d, report, err := datasets.MatchTracks(g, tracks, datasets.MatchOptions{Every: 60})
	if err != nil {
		log.Fatal(err)
	}
	if err := d.WriteCSV(os.Stdout, datasets.ByName); err != nil {
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
