package ddps

import (
	"slices"
	"strconv"
	"strings"
)

// AttrLabels is the attribute (Meta.Attr) with what people call places: a line for each place (Meta.Place) that has a
// label, its number, a tab and the label.
const AttrLabels = "labels"

// LabelSeparator stands between the names of a label, such as the streets that meet at a crossing.
const LabelSeparator = " / "

// LabelText returns AttrLabels of the labels of places 0, 1, …, of which those in a graph are written; "" is none.
// White space within a label is a blank.
func LabelText(labels []string, places []int) string {
	var b strings.Builder
	in := make([]bool, len(labels))
	for _, place := range places {
		if place >= 0 && place < len(labels) {
			in[place] = true
		}
	}
	for place, label := range labels {
		if label = strings.Join(strings.Fields(label), " "); label != "" && in[place] {
			b.WriteString(strconv.Itoa(place) + "\t" + label + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Labels returns by vertex what people call its place, such as the name of a stop or the streets that meet at a
// crossing (AttrLabels); "" where there is none. It returns nil where no vertex has a label. O(V).
func (g *LayeredGraph) Labels() []string {
	text := g.meta.Attr[AttrLabels]
	if text == "" || g.meta.Place == nil {
		return nil
	}
	of := map[int]string{}
	for line := range strings.Lines(text) {
		number, label, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if place, err := strconv.Atoi(number); err == nil {
			of[place] = label
		}
	}
	no, list := g.NoPlaces(), make([]string, len(g.meta.Place))
	for v, place := range g.meta.Place {
		if no == nil || !no[v] {
			list[v] = of[place]
		}
	}
	if !slices.ContainsFunc(list, func(s string) bool { return s != "" }) {
		return nil
	}
	return list
}
