package maps

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// named are the paths of a graph by names, without source and END.
func named(g *ddps.LayeredGraph) map[string]bool {
	all, walk := map[string]bool{}, g.WalkNamer()
	for p := range g.Paths() {
		all[strings.Join(walk(p).Names, " ")] = true
	}
	return all
}

// Paths that end at a stop are those of the timetable that are there in the last layer, or, where they end as soon as
// they come to one, those cut off there.
func TestTimetableEnds(t *testing.T) {
	path := feedFile(t, map[string]string{"stops.txt": "stop_id,stop_lat,stop_lon,stop_name\na,60,25,Market\n" +
		"b,60.005,25,\nc,60.015,25,\"Park,  East\"\n"})
	for _, starts := range [][]string{{"a"}, {"a", "c"}} {
		o := TimetableOptions{Start: starts[0], From: "8:00", Slot: 300, Depth: 6, Date: "20240103", Walk: 600}
		if len(starts) > 1 {
			o.Starts = starts
		}
		all, err := Timetable(path, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, ends := range [][]string{{"c"}, {"b", "c"}} {
			at, cut := map[string]bool{}, map[string]bool{}
			for p := range named(all) {
				list := strings.Fields(strings.ReplaceAll(p, "on ", "on_"))
				for i := range list {
					list[i] = strings.ReplaceAll(list[i], "on_", "on ")
				}
				if slices.Contains(ends, list[len(list)-1]) {
					at[p] = true
				}
				for k, name := range list {
					if k > 0 && slices.Contains(ends, name) {
						cut[strings.Join(list[:k+1], " ")] = true
						break
					}
				}
			}
			for absorb, want := range map[bool]map[string]bool{false: at, true: cut} {
				o.Ends, o.Absorb, o.Labels = ends, absorb, true
				g, err := Timetable(path, o)
				if err != nil {
					t.Fatal(starts, ends, absorb, err)
				}
				if got := named(g); !maps.Equal(got, want) || len(want) == 0 {
					t.Errorf("from %v to %v, absorbed %v: %d paths, want %d", starts, ends, absorb, len(got), len(want))
				}
				if slices.Contains(g.Reachable(), false) {
					t.Error("a vertex is on no path")
				}
				if v, ok := g.VertexByName(g.FirstPlace(), "a"); !ok || g.Labels()[v] != "Market" {
					t.Errorf("labels %q", g.Labels())
				}
			}
		}
	}
	o := TimetableOptions{Start: "a", From: "8:00", Slot: 60, Depth: 3, Date: "20240103", Ends: []string{"c"}}
	for want, change := range map[string]func(*TimetableOptions){
		"from start a no end is reached in 3 layers": func(*TimetableOptions) {},
		`end "x" is none of the 3 stops`:             func(o *TimetableOptions) { o.Ends = []string{"x"} },
		`end "c" is given twice`:                     func(o *TimetableOptions) { o.Ends = []string{"c", "c"} },
		"no end, where paths are to end at one":      func(o *TimetableOptions) { o.Ends, o.Absorb = nil, true },
	} {
		o := o
		change(&o)
		if _, err := Timetable(path, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestTimetableMissedEnds: a note names the ends at which no path ends.
func TestTimetableMissedEnds(t *testing.T) {
	path := feedFile(t, map[string]string{"stops.txt": "stop_id,stop_lat,stop_lon\na,60,25\nb,60.005,25\nc,60.015,25\n" +
		"d,61,25\n"})
	for _, absorb := range []bool{false, true} {
		var notes []string
		_, err := Timetable(path, TimetableOptions{Start: "a", From: "8:00", Slot: 300, Depth: 6, Date: "20240103",
			Ends: []string{"d", "b"}, Absorb: absorb, Note: func(text string) { notes = append(notes, text) }})
		if all := strings.Join(notes, "\n"); err != nil || !strings.HasSuffix(all, "no path ends at d") {
			t.Errorf("%v, %v, want a note on d alone", all, err)
		}
	}
}
