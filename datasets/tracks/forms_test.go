package tracks

import (
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/fixture"
	"github.com/ddps-go/ddps/ddps"
)

// TestTrackForms: as TestPathForms, of tracks; and their places as a graph calls them.
func TestTrackForms(t *testing.T) {
	g := fixture.Must[*ddps.LayeredGraph](t)(ddps.Example().WithMeta(ddps.Meta{Names: []string{"Käpylä", "B", "C", "D",
		"E", "F", "G", "H", "I", "J"}}))
	text := "Stop;Trip ID;speed\nKa\u0308pyla\u0308;a;3\nC;a;3\nG;a;3\nH;a;3\nKäpylä;b;3\nC;b;3\ng;b;3\nH;b;3\n"
	list := fixture.Must[*Tracks](t)(ReadCSV("x", strings.NewReader(text)))
	if !slices.Equal(list.Layout, []string{`x: track from "Trip ID", place from "Stop"; not used: speed`}) {
		t.Errorf("%q", list.Layout)
	}
	d, r, err := Match(g, list, Options{})
	if err != nil || len(d.Paths) != 2 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0],
		`1 name is in another form of Unicode, like "Käpylä"`) {
		t.Errorf("%v, %+v, %v", d, r, err)
	}
	if bad := r.Refused(); len(bad) != 1 || bad[0].Detail != `no vertex is called "g", did you mean "G"?` {
		t.Errorf("%+v", bad)
	}
	for text, want := range map[string]string{
		"Wagen,Zeit,Breite,Länge\na,1,60,24\n": `x:1: is "Wagen,Zeit,Breite,Länge" a header? none of its names is known`,
		"Wagen,Zeit,Ort\na,1,X\n":              `x:1: is "Wagen,Zeit,Ort" a header?`,
		"track,time,lat,lon,lat\na,1,2,3,4\n":  `x:1: columns 3 and 5 are both called lat`,
	} {
		_, err := ReadCSV("x", strings.NewReader(text))
		fixture.WantError(t, text, err, want)
	}
}
