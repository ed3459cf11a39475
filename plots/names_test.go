package plots

import (
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/ddps-go/ddps/ddps"
)

// Of names cut short as much stays as can be read, and names that fit stay as they are.
func TestCutName(t *testing.T) {
	for name, r := range map[string]vg.Length{"EMSI": 12, "STAGECOACH": 12, "Äußere Ringstraße": 9, "A": 5} {
		cut := cutName(name, r)
		if nameSize(cut, r) < leastName {
			t.Errorf("%q at %v: %q cannot be read", name, r, cut)
		}
		letters := []rune(name)
		if nameSize(name, r) >= leastName {
			if cut != name {
				t.Errorf("%q at %v fits, and is cut to %q", name, r, cut)
			}
			continue
		}
		n := len([]rune(cut)) - 1
		if !strings.HasSuffix(cut, "…") || string(letters[:n])+"…" != cut || nameSize(string(letters[:n+1])+"…",
			r) >= leastName {
			t.Errorf("%q at %v is cut to %q", name, r, cut)
		}
	}
}

// Edges are drawn thinner where they are more than lines have room.
func TestThin(t *testing.T) {
	c := draw.NewCanvas(vgimg.New(400, 400), 400, 400)
	if w := (Graph{Graph: ddps.Example()}).thin(c); w != 1 {
		t.Errorf("few edges have lines of %v", w)
	}
	c.Max.Y = c.Min.Y + 9
	if w := (Graph{Graph: ddps.Example()}).thin(c); !(w < 1 && w >= .1) {
		t.Errorf("edges without room have lines of %v", w)
	}
}
