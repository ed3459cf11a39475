package page

import (
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// contents are the page's data: vertices and edges in the graph's numbers.
type contents struct {
	Layers  []int     `json:"layers"`  // [L+1] first vertex of each
	Degrees []int     `json:"degrees"` // [V]
	Heads   []int     `json:"heads"`   // [E]
	Names   []string  `json:"names"`   // [V]
	IDs     []int     `json:"ids"`     // [V]
	Spot    []int     `json:"spot"`    // [V] number of the spot
	Spots   []spot    `json:"spots"`
	Metres  bool      `json:"metres"` // coordinates are in metres
	Mapped  bool      `json:"mapped"` // spots have coordinates
	Reward  []float64 `json:"reward"` // [E]; null for none
	Best    float64   `json:"best"`   // the greatest reward of a path
	Width   int       `json:"width"`  // digits a slot
	Pads    []int     `json:"pads"`   // vertices that are no places of a walk: source and END
	Way     []int     `json:"way"`    // vertices on the way between two places
	First   int       `json:"first"`  // the first layer of places, from 0
	Sets    []packed  `json:"sets"`
}

// spot is what a filter names: a place of the world in all layers, or a vertex of no place.
type spot struct {
	Name  string      `json:"name"`
	Label string      `json:"label"` // what people call it; "" where the graph does not say
	Place int         `json:"place"` // −1 for none
	XY    *[2]float64 `json:"xy"`    // east and north; null for none
}

// data returns what the script reads.
func (p Page) data(sets []packed) contents {
	g, m := p.Graph, p.Graph.Meta()
	c := contents{Names: []string{}, Heads: []int{}, Reward: p.Reward, Width: width(g), Sets: sets,
		Mapped: m.XY != nil && m.Place != nil}
	c.walks(g)
	for l := range g.NumLayers() {
		lo, _ := g.Layer(l)
		c.Layers = append(c.Layers, lo)
	}
	c.Layers = append(c.Layers, g.NumVertices())
	for e := range g.NumEdges() {
		c.Heads = append(c.Heads, g.Head(e))
	}
	var project func([2]float64) [2]float64
	if c.Mapped {
		m.XY = m.Unwrapped()
		project, c.Metres = projection(m)
	}
	at, labels, to := map[int]int{}, g.Labels(), g.Headings()
	for v := range g.NumVertices() {
		name := g.Name(v)
		if to != nil && to[v] != "" {
			name = "to " + to[v]
		}
		c.Degrees, c.Names, c.IDs = append(c.Degrees, g.Degree(v)), append(c.Names, name), append(c.IDs, g.ID(v))
		place := -1
		if m.Place != nil {
			place = m.Place[v]
		}
		k, seen := at[place]
		if place < 0 || !seen {
			k = len(c.Spots)
			s := spot{Name: name, Place: place}
			if labels != nil {
				s.Label = labels[v]
			}
			if place >= 0 {
				at[place] = k
			}
			if place >= 0 && c.Mapped && !slices.Contains(c.Pads, v) {
				xy := project(m.XY[v])
				s.XY = &xy
			}
			c.Spots = append(c.Spots, s)
		}
		c.Spot = append(c.Spot, k)
	}
	if p.Reward != nil {
		c.Best = g.Best(p.Reward)
	}
	return c
}

// walks says which vertices are no places, where paths are walks.
func (c *contents) walks(g *ddps.LayeredGraph) {
	c.Pads, c.Way = []int{}, []int{}
	if g.Walks() {
		for v, pad := range g.Pads() {
			if pad {
				c.Pads = append(c.Pads, v)
			}
		}
		c.First = g.FirstPlace()
	}
	for v, on := range g.Transit() {
		if on {
			c.Way = append(c.Way, v)
		}
	}
}

// projection takes coordinates to east and north of their middle, to a decimetre: to metres where they are degrees
// (Meta.Degrees).
func projection(m ddps.Meta) (f func([2]float64) [2]float64, metres bool) {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for v, xy := range m.XY {
		for k := range xy {
			if m.Place[v] >= 0 {
				lo[k], hi[k] = min(lo[k], xy[k]), max(hi[k], xy[k])
			}
		}
	}
	degrees := m.Degrees()
	scale := [2]float64{1, 1}
	if degrees {
		const degree = 111195 // metres
		scale = [2]float64{degree * math.Cos((lo[1]+hi[1])/2*math.Pi/180), degree}
	}
	return func(xy [2]float64) [2]float64 {
		for k := range xy {
			xy[k] = (xy[k] - (lo[k]+hi[k])/2) * scale[k]
			if degrees {
				xy[k] = math.Round(10*xy[k]) / 10
			}
		}
		return xy
	}, degrees
}
