package tracks

import (
	"errors"
	"fmt"

	"github.com/ddps-go/ddps/datasets/internal/earth"
	"github.com/ddps-go/ddps/ddps"
)

// wayfinder finds paths of a graph by fixes.
type wayfinder struct {
	g     *ddps.LayeredGraph
	first int          // layer of the first places
	begin []int        // its vertices on some path
	start []int        // [V] up to that layer: the vertex before it on the way from v¹, −1 for none
	on    []bool       // [V] on some path
	real  []bool       // [V] on some path, in a layer of places
	at    []earth.Spot // [V] where the vertex lies; nil without coordinates
	long  []float64    // [E] metres; without coordinates 0 for staying and 1 for going
	cost  []cost       // [V]
	back  []int        // [V] the vertex before
	stamp []int        // [V] of which search the two are
	now   int
}

// cost is what a way costs, first things first: squared metres from its fixes, its length, and how far it is from going
// steadily where there are no fixes, in squared chords.
type cost struct{ fit, length, drift float64 }

func (a cost) less(b cost) bool {
	if a.fit != b.fit {
		return a.fit < b.fit
	}
	if a.length != b.length {
		return a.length < b.length
	}
	return a.drift < b.drift
}

func newWayfinder(g *ddps.LayeredGraph) (*wayfinder, error) {
	meta, V := g.Meta(), g.NumVertices()
	w := &wayfinder{g: g, on: g.Reachable(), real: make([]bool, V), cost: make([]cost, V), back: make([]int, V),
		stamp: make([]int, V)}
	for w.first = 0; meta.Place != nil && meta.Place[w.layer(w.first)[0]] < 0; {
		if w.first++; w.first == g.NumLayers() {
			return nil, errors.New("the graph has no places")
		}
	}
	pads := g.Pads()
	for v := range V {
		padding := pads != nil && pads[v]
		if w.real[v] = w.on[v] && g.LayerOf(v) >= w.first && !padding; w.real[v] && meta.Place != nil && meta.Place[v] < 0 {
			return nil, fmt.Errorf("the graph's vertex %s in layer %d has no place", g.Name(v), g.LayerOf(v)+1)
		}
	}
	if meta.XY != nil && meta.Place != nil && meta.Attr["crs"] == "EPSG:4326" {
		for v, p := range meta.XY {
			w.at = append(w.at, earth.NewSpot(p[0], p[1], meta.Place[v]))
		}
	}
	w.long = make([]float64, g.NumEdges())
	for e := range w.long {
		switch a, b := g.Tail(e), g.Head(e); {
		case w.at != nil:
			w.long[e] = earth.Metres(w.at[a].Distance(w.at[b]))
		case w.place(a) != w.place(b):
			w.long[e] = 1
		}
	}
	w.begin = w.layer(w.first)
	w.lead()
	return w, nil
}

// layer lists the vertices of a layer that are on some path.
func (w *wayfinder) layer(l int) (list []int) {
	lo, hi := w.g.Layer(l)
	for v := lo; v < hi; v++ {
		if w.on[v] {
			list = append(list, v)
		}
	}
	return list
}

// place returns a vertex's place; without places all vertices are of one of their own by their name.
func (w *wayfinder) place(v int) int {
	if p := w.g.Meta().Place; p != nil {
		return p[v]
	}
	return -2 - v
}

// lead finds the way from v¹ to each vertex of the first layer of places, by first edges.
func (w *wayfinder) lead() {
	w.start = make([]int, w.g.NumVertices())
	for v := range w.start {
		w.start[v] = -1
	}
	for l := range w.first {
		for _, v := range w.layer(l) {
			for _, to := range w.g.From(v) {
				if w.start[to] < 0 {
					w.start[to] = v
				}
			}
		}
	}
}

// path returns the path that the slots ask for, or why there is none.
func (m *matcher) path(slots []slot) (ddps.Path, Outcome) {
	w := m.wayfinder
	w.now++
	var front []int
	fits := m.fits(slots[0])
	for _, v := range w.begin {
		if d, ok := fits(v); ok {
			w.cost[v], w.stamp[v] = cost{fit: d}, w.now
			front = append(front, v)
		}
	}
	last, done := 0, ended(slots) // the last slot with a fix so far, and of all
	for k := 1; k < len(slots); k++ {
		if front = m.step(front, slots, k, done); len(front) == 0 && k > done {
			return nil, Outcome{Fate: TooShort, Detail: fmt.Sprintf("no path ends where it does, by the fix at line %d",
				slots[done].fix.Line)}
		} else if len(front) == 0 { // never where there is no fix: all have a way on
			a, b := slots[last].fix, slots[k].fix
			return nil, Outcome{Fate: NoWay, Detail: fmt.Sprintf("no way in %d steps from the fix at line %d to that at line %d",
				k-last, a.Line, b.Line)}
		}
		if slots[k].fix != nil {
			last = k
		}
	}
	best := front[0]
	for _, v := range front[1:] {
		if w.cost[v].less(w.cost[best]) {
			best = v
		}
	}
	p := make(ddps.Path, w.g.NumLayers())
	for l := len(p) - 1; l >= 0; l-- {
		if p[l] = best; l > w.first {
			best = w.back[best]
		} else if l > 0 {
			best = w.start[best]
		}
	}
	return p, Outcome{}
}

// ended returns the last slot that has a fix.
func ended(slots []slot) int {
	k := len(slots) - 1
	for k > 0 && slots[k].fix == nil {
		k--
	}
	return k
}

// step continues from the vertices of a layer to those of slot k that fit, and returns them; after the slot done, the
// last with a fix, only END fits.
func (m *matcher) step(front []int, slots []slot, k, done int) (next []int) {
	w := m.wayfinder
	fits, drift := m.fits(slots[k]), m.drift(slots, k, done)
	for _, v := range front {
		lo, hi := w.g.Edges(v)
		for e := lo; e < hi; e++ {
			to := w.g.Head(e)
			d, ok := fits(to)
			if !ok || m.ends && m.pads[to] != (k > done) {
				continue
			}
			c := w.cost[v]
			c.fit, c.length, c.drift = c.fit+d, c.length+w.long[e], c.drift+drift(to)
			if w.stamp[to] != w.now {
				w.stamp[to] = w.now
				next = append(next, to)
			} else if !c.less(w.cost[to]) {
				continue
			}
			w.cost[to], w.back[to] = c, v
		}
	}
	return next
}

// fits returns whether a vertex is near enough to a slot's fix, and the square of how far it is, in metres.
func (m *matcher) fits(s slot) func(v int) (float64, bool) {
	if s.fix == nil {
		return func(int) (float64, bool) { return 0, true }
	}
	if s.fix.Place != "" {
		return func(v int) (float64, bool) { return 0, m.g.Name(v) == s.fix.Place }
	}
	here := earth.NewSpot(s.fix.Lon, s.fix.Lat, 0)
	most := earth.SquaredChord(m.report.Radius) * (1 + 1e-12)
	return func(v int) (float64, bool) {
		chord2 := here.Distance(m.at[v])
		if chord2 > most {
			return 0, false
		}
		d := earth.Metres(chord2)
		return d * d, true
	}
}

// drift returns how far a vertex of slot k, which has no fix, is from where going steadily between the fixes about it
// would be.
func (m *matcher) drift(slots []slot, k, done int) func(v int) float64 {
	if k > done {
		return func(int) float64 { return 0 }
	}
	i, j := k, k
	for ; slots[i].fix == nil; i-- {
	}
	for ; slots[j].fix == nil; j++ {
	}
	a, b := slots[i].fix, slots[j].fix
	if i == j || !m.points || a.Place != "" || b.Place != "" {
		return func(int) float64 { return 0 }
	}
	from, to, share := earth.NewSpot(a.Lon, a.Lat, 0), earth.NewSpot(b.Lon, b.Lat, 0), float64(k-i)/float64(j-i)
	for d := range from.At {
		from.At[d] += share * (to.At[d] - from.At[d])
	}
	return func(v int) float64 { return from.Distance(m.at[v]) }
}
