package page

import (
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// digits are what slots are written in, to the base of 64.
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// packed is a set as text: of each distinct path, the most frequent first, the slots of its out-edges, each in so many
// digits as the graph needs, the highest first.
type packed struct {
	Name   string  `json:"name"`
	Guide  string  `json:"guide,omitempty"`
	Lambda float64 `json:"lambda"`
	Sample bool    `json:"sample"`
	Prob   float64 `json:"prob,omitempty"`
	Text   string  `json:"text"`
	Counts []int   `json:"counts,omitempty"` // none: all 1
	Total  int     `json:"total"`
}

// width returns how many digits a slot takes.
func width(g *ddps.LayeredGraph) int {
	w := 1
	for most := len(digits); most < g.MaxDegree(); most *= len(digits) {
		w++
	}
	return w
}

// pack writes a set, the paths of which were checked.
func pack(g *ddps.LayeredGraph, s Set) packed {
	paths, counts := merge(s.Paths, s.Counts)
	p := packed{Name: s.Name, Guide: s.Guide, Lambda: s.Lambda, Sample: s.Sample, Prob: s.Prob}
	w := width(g)
	text := make([]byte, 0, len(paths)*(g.NumLayers()-1)*w)
	for i, path := range paths {
		for l := 1; l < len(path); l++ {
			e, _ := g.EdgeBetween(path[l-1], path[l])
			lo, _ := g.Edges(path[l-1])
			for k, slot := w-1, e-lo; k >= 0; k-- {
				text = append(text, digits[slot>>(6*k)&63])
			}
		}
		p.Total += counts[i]
	}
	if p.Text = string(text); slices.Max(counts) > 1 {
		p.Counts = counts
	}
	return p
}

// merge returns each distinct path once with its count, the most frequent first and else in the order of their coming.
func merge(paths []ddps.Path, counts []int) ([]ddps.Path, []int) {
	type tally struct{ path, count int } // path is the first that is like it
	at, list := make(map[string]int, len(paths)), []tally(nil)
	key := make([]byte, 0, 64)
	for i, p := range paths {
		key = key[:0]
		for _, v := range p {
			key = append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
		}
		n := 1
		if counts != nil {
			n = counts[i]
		}
		k, seen := at[string(key)]
		if !seen {
			k = len(list)
			at[string(key)] = k
			list = append(list, tally{path: i})
		}
		list[k].count += n
	}
	slices.SortStableFunc(list, func(a, b tally) int { return b.count - a.count })
	out, n := make([]ddps.Path, len(list)), make([]int, len(list))
	for k, t := range list {
		out[k], n[k] = paths[t.path], t.count
	}
	return out, n
}
