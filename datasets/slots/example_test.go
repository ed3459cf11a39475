package slots_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/ddps-go/ddps/datasets/maps"
	"github.com/ddps-go/ddps/datasets/sequences"
	"github.com/ddps-go/ddps/datasets/slots"
)

// Two depots, a hospital, and travel times: walks by minutes.
func Example() {
	roads := `from,to,travel_time
North,Bridge,60
South,Bridge,110
Bridge,Hospital,55
South,Hospital,240
`
	w, err := maps.Read("roads.csv", strings.NewReader(roads), maps.Options{Direction: maps.Directed})
	if err != nil {
		log.Fatal(err)
	}
	w, times, _, err := slots.ReadTimes("roads.csv", strings.NewReader(roads), w)
	if err != nil {
		log.Fatal(err)
	}
	at := func(name string) int { i, _ := w.FindLabel(name); return i }
	g, err := slots.Expand(w, slots.Options{
		Starts: []slots.Start{{Node: at("North")}, {Node: at("South")}}, Ends: []int{at("Hospital")}, Absorb: true,
		Depth: 5, Slot: 60, Times: times, NoWait: true, From: "8:00",
		Note: func(text string) { fmt.Println(text) },
	})
	if err != nil {
		log.Fatal(err)
	}
	name := sequences.Names(g)
	for p := range g.Paths() {
		fmt.Println(strings.Join(name(p), ", "))
	}
	// Output:
	// 5 layers every 1m0s: 4m0s from the first to the last
	// moves take slots by travel times, rounded: 3.8 s off on average, 10.0 s at most (South to Bridge: 110.0 s are 2)
	// slots to the nearest end: 2 from North, 3 from South; the layers have 4
	// at most 22 vertices and 26 edges
	// North, Bridge, Hospital
	// South, Bridge, Hospital
	// South, Hospital
}
