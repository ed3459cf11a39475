package compare

import (
	"math"
	"slices"
	"strconv"

	"github.com/ddps-go/ddps/ddps"
)

// walkOf is what is counted of a path: classes by feature.
type walkOf struct {
	length, start, end int
	returns, revisits  int // 0 or 1
	moves              []int
}

// counted sums walks up, a histogram a feature.
type counted struct {
	hist [6][]float64
	n    float64
}

// onTheWay stands for the place of a path that is on the way in the last layer: it ends at none.
const onTheWay = -2

// featurer classifies paths of a graph. A place is what Meta.Place says, or else a name; source, END and vertices on
// the way count for nothing. A path that is on the way in the last layer ends at no place.
type featurer struct {
	place []int // by vertex; −1 for none, onTheWay
	moves map[[2]int]int
	L     int
}

func newFeaturer(g *ddps.LayeredGraph) *featurer {
	f := &featurer{place: make([]int, g.NumVertices()), moves: map[[2]int]int{}, L: g.NumLayers()}
	no, m, number, heading := g.NoPlaces(), g.Meta(), map[string]int{}, g.Headings()
	last, _ := g.Layer(g.NumLayers() - 1)
	for v := range f.place {
		key := "name " + g.Name(v)
		if m.Place != nil && m.Place[v] >= 0 {
			key = "place " + strconv.Itoa(m.Place[v])
		}
		k, ok := number[key]
		if !ok {
			k = len(number)
			number[key] = k
		}
		if f.place[v] = k; no != nil && no[v] {
			f.place[v] = -1
		}
		if v >= last && heading != nil && heading[v] != "" {
			f.place[v] = onTheWay
		}
	}
	return f
}

// of classifies a path.
func (f *featurer) of(p ddps.Path) (w walkOf) {
	w.start, w.end = -1, -1
	var seen []int
	for _, v := range p {
		a := f.place[v]
		if a == onTheWay {
			w.end = -1
			return w
		}
		if a < 0 {
			continue
		}
		w.length++
		if w.start < 0 {
			w.start = a
		} else {
			w.moves = append(w.moves, f.move(w.end, a))
		}
		if a != w.end && slices.Contains(seen, a) {
			w.revisits = 1
		}
		seen, w.end = append(seen, a), a
	}
	if w.start == w.end && w.length > 1 {
		w.returns = 1
	}
	return w
}

func (f *featurer) move(a, b int) int {
	k, ok := f.moves[[2]int{a, b}]
	if !ok {
		k = len(f.moves)
		f.moves[[2]int{a, b}] = k
	}
	return k
}

// add counts a walk n times.
func (c *counted) add(w walkOf, n float64) {
	if n == 0 {
		return
	}
	c.n += n
	for i, k := range [5]int{w.length, w.start, w.end, w.returns, w.revisits} {
		c.bin(i, k, n)
	}
	for _, m := range w.moves {
		c.bin(5, m, n)
	}
}

func (c *counted) bin(i, k int, n float64) {
	if k < 0 {
		return
	}
	for len(c.hist[i]) <= k {
		c.hist[i] = append(c.hist[i], 0)
	}
	c.hist[i][k] += n
}

// distance is half the L1 distance of the normalised histograms of feature i; NaN where one has nothing.
func (c *counted) distance(d *counted, i int) float64 {
	a, b := c.hist[i], d.hist[i]
	sa, sb, sum := total(a), total(b), 0.0
	if sa == 0 || sb == 0 {
		return math.NaN()
	}
	for k := range max(len(a), len(b)) {
		x, y := 0.0, 0.0
		if k < len(a) {
			x = a[k] / sa
		}
		if k < len(b) {
			y = b[k] / sb
		}
		sum += math.Abs(x - y)
	}
	return sum / 2
}

func total(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

// mean is that of feature i, NaN where it has none.
func (c *counted) mean(i int) float64 {
	if i == 1 || i == 2 || i == 5 || c.n == 0 {
		return math.NaN()
	}
	s := 0.0
	for k, n := range c.hist[i] {
		s += float64(k) * n
	}
	return s / c.n
}
