package plots

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawNames writes the names of the vertices; where most fit, those that do not are cut short.
func (f Graph) drawNames(c draw.Canvas, lay columns) {
	fit := 0
	if lay.pads != nil { // letters fit a little larger
		lay.radius *= 1.15
	}
	for v := range lay.at {
		if !lay.way.none(v) && nameSize(f.Graph.Name(v), lay.radius) >= leastName {
			fit++
		}
	}
	for v, pt := range lay.at {
		if lay.way.none(v) {
			continue
		}
		name := f.Graph.Name(v)
		if 2*fit > len(lay.at) {
			name = cutName(name, lay.radius)
		}
		nodeName(c, name, pt, lay.radius)
	}
}

// leastName is the least size of a vertex's name that can be read.
const leastName = 5

// nameSize is the size at which a name fits a disc.
func nameSize(name string, r vg.Length) vg.Length {
	size := min(12, 1.15*r)
	if w := label(size, black, false).Width(name); w > 1.7*r {
		size *= 1.7 * r / w
	}
	return size
}

// cutName takes letters off the end of a name until it can be read in a disc.
func cutName(name string, r vg.Length) string {
	letters := []rune(name)
	for n := len(letters) - 1; n > 0 && nameSize(name, r) < leastName; n-- {
		name = string(letters[:n]) + "…"
	}
	return name
}

// nodeName writes a vertex's name into its disc, as large as fits.
func nodeName(c draw.Canvas, name string, at vg.Point, r vg.Length) {
	if size := nameSize(name, r); size >= leastName {
		c.FillText(label(size, black, false), at, name)
	}
}
