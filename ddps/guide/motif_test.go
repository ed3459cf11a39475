package guide

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// A motif's paths are those on which vertices that fit are one after the other, by enumeration, from any layer on.
func TestMotif(t *testing.T) {
	g, rng := ddps.Example(), rand.New(rand.NewPCG(1, 2))
	for trial := range 300 {
		places := make([][]int, 1+rng.IntN(3))
		for j := range places {
			for v := range g.NumVertices() {
				if rng.IntN(2) == 0 {
					places[j] = append(places[j], v)
				}
			}
		}
		layer := rng.IntN(g.NumLayers()-len(places)+2) - 1
		meets := func(p ddps.Path) bool {
			for l := 0; l+len(places) <= len(p); l++ {
				fits := layer < 0 || l == layer
				for j := range places {
					fits = fits && slices.Contains(places[j], p[l+j])
				}
				if fits {
					return true
				}
			}
			return false
		}
		with, without := 0, 0
		for p := range g.Paths() {
			if meets(p) {
				with++
			} else {
				without++
			}
		}
		for _, c := range []struct {
			of   func(*ddps.LayeredGraph, [][]int, int) (Condition, error)
			want int
			met  bool
		}{{Motif, with, true}, {NoMotif, without, false}} {
			cond, err := c.of(g, places, layer)
			if (err == nil) != (c.want > 0) {
				t.Fatalf("trial %d: %v, %d paths", trial, err, c.want)
			}
			if err != nil {
				continue
			}
			if n := Count(g, cond).Int64(); n != int64(c.want) {
				t.Errorf("trial %d: %v: %d paths, want %d", trial, cond, n, c.want)
			}
			for p := range g.Paths() {
				if (cond.LogWeight(p) == 0) != (meets(p) == c.met) {
					t.Errorf("trial %d: %v: %v", trial, cond, p)
				}
			}
		}
	}
	for want, c := range map[string]struct {
		places [][]int
		layer  int
	}{"0 places": {nil, 0}, "63 places": {make([][]int, 63), -1}, "from layer 4 on: there are 4 layers": {
		[][]int{{7}, {8}}, 3},
		"no vertex 99": {[][]int{{99}}, -1}, "from layer -1 on": {[][]int{{1}}, -2}, "no path meets it": {[][]int{{1}, {6}},
			-1}} {
		if _, err := Motif(g, c.places, c.layer); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
