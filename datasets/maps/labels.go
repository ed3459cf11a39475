package maps

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/internal/names"
)

// mostStreets is how many streets a label names.
const mostStreets = 4

// Labels returns by node what people call it: its Title, or else the streets that meet there, in alphabetical order; ""
// where the map has neither. It returns nil where no node has a label.
func (w *World) Labels() []string {
	streets := make([][]string, len(w.Nodes))
	for _, e := range w.Edges {
		for _, i := range []int{e.From, e.To} {
			if e.Street != "" && !slices.Contains(streets[i], e.Street) {
				streets[i] = append(streets[i], e.Street)
			}
		}
	}
	labels, some := make([]string, len(w.Nodes)), false
	for i, n := range w.Nodes {
		slices.Sort(streets[i])
		if labels[i] = n.Title; n.Title == "" {
			labels[i] = strings.Join(streets[i][:min(mostStreets, len(streets[i]))], ddps.LabelSeparator)
		}
		some = some || labels[i] != ""
	}
	if !some {
		return nil
	}
	return labels
}

// label puts the labels of places 0, 1, … into the attributes of a graph, where it has any of them.
func label(m *ddps.Meta, labels []string) {
	if text := ddps.LabelText(labels, m.Place); text != "" {
		m.Attr[ddps.AttrLabels] = text
	}
}

// WithTimes returns the world with other times of edges, in seconds, in the order of Edges; NaN is none, and 0 counts
// as a microsecond.
func (w *World) WithTimes(seconds []float64) (*World, error) {
	if len(seconds) != len(w.Edges) {
		return nil, fmt.Errorf("datasets: world: %d times for %d edges", len(seconds), len(w.Edges))
	}
	edges := slices.Clone(w.Edges)
	for i, t := range seconds {
		switch {
		case math.IsNaN(t):
			edges[i].Time = 0
		case t < 0 || math.IsInf(t, 0):
			return nil, fmt.Errorf("datasets: world: edge %d: time %v", i, t)
		default:
			edges[i].Time = max(t, leastTime)
		}
	}
	return w.derive(slices.Clone(w.Nodes), edges)
}

// leastTime stands for a time of 0 that a file has, since Edge.Time 0 is none.
const leastTime = 1e-6

// parseTime reads a travel time in a unit of so many seconds; "" is none.
func parseTime(text string, unit float64) (float64, error) {
	if text = strings.TrimSpace(text); text == "" {
		return 0, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0) || math.IsInf(x*unit, 0) {
		return 0, fmt.Errorf("travel time %q is not a finite number of 0 or more%s", text, names.CommaHint(text))
	}
	return max(x*unit, leastTime), nil
}

// TimesNote is the beginning of the note on a column or an attribute of travel times.
const TimesNote = "travel times from "

// timesNote is the note on travel times, with what they are called there; none where no edge has one.
func timesNote(edges []Edge, from string) []string {
	timed := 0
	for _, e := range edges {
		if e.Time > 0 {
			timed++
		}
	}
	switch missing := len(edges) - timed; {
	case timed == 0:
		return nil
	case missing > 0:
		return []string{fmt.Sprintf("%s%s; %d of %d edges have none", TimesNote, from, missing, len(edges))}
	}
	return []string{TimesNote + from}
}

// streetName is a name of a street as a label has it: of a list, as OSMnx writes it, the names with a comma between.
func streetName(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		var list []string
		for _, part := range strings.Split(text[1:len(text)-1], ",") {
			list = append(list, strings.Trim(strings.TrimSpace(part), `'"`))
		}
		text = strings.Join(list, ", ")
	}
	text = strings.Join(strings.Fields(text), " ")
	if ddps.CheckText(text) != nil {
		return ""
	}
	return text
}
