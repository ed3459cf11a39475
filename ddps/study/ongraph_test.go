package study

import (
	"testing"

	"github.com/ddps-go/ddps/datasets"
	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/run"
)

// Runs on each of the graphs are known, of Ridge too, of which no model ships.
func TestOnGraph(t *testing.T) {
	heights, err := datasets.HeightsGraph()
	if err != nil {
		t.Fatal(err)
	}
	ridge, err := datasets.RidgeGraph()
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*ddps.LayeredGraph{"heights": heights, "ridge": ridge} {
		r := &run.Run{Data: &datasets.Data{Graph: g}}
		for _, graph := range Graphs() {
			if is, err := OnGraph(r, graph); err != nil || is != (graph == name) {
				t.Errorf("a run on %s is on %s: %v, %v", name, graph, is, err)
			}
		}
	}
	if _, err := OnGraph(&run.Run{Data: &datasets.Data{Graph: ridge}}, "moon"); err == nil {
		t.Error("a graph that there is not gives no error")
	}
}
