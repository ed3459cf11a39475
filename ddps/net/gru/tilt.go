package gru

import (
	"math"
	"slices"

	"github.com/ddps-go/ddps/ddps"
)

// Tilt is logarithms of factors by which the probabilities of a row's edges are multiplied before they are divided by
// their sum, by what an edge does to a walk. Its zero value changes nothing.
type Tilt struct {
	End   []float64 `json:"end,omitempty"`   // a walk of 1, 2, … places ends; the last for longer ones, too
	Close float64   `json:"close,omitempty"` // a walk ends where it started
	Home  float64   `json:"home,omitempty"`  // a walk comes back to its start, on a graph whose walks have one length
	Back  float64   `json:"back,omitempty"`  // a walk comes back to a place for the first time
}

// What an edge does to a walk, by bit: the factors of a Tilt that it has.
const (
	ends = 1 << iota
	endsHome
	comesHome
	comesBack
	classes = 1 << iota
)

// class returns what an edge to vertex w, of place p, does to the walk.
func (t *trail) class(y *layout, w int, p int32) (c uint8) {
	n := len(t.way)
	if n == 0 {
		return 0
	}
	if !y.real[p] {
		if y.single[w] {
			if c = ends; t.returns() {
				c |= endsHome
			}
		}
		return c
	}
	last, _ := y.g.Layer(y.g.NumLayers() - 1)
	if p == t.start && w >= last {
		c |= endsHome
	}
	if p == t.way[n-1] || !t.has(p) {
		return c
	}
	if p == t.start && !y.ends {
		c |= comesHome
	}
	if !t.came {
		c |= comesBack
	}
	return c
}

// logs returns the logarithms of a tilt's factors by class, for a walk of n places.
func (t *Tilt) logs(n int32) (l [classes]float64) {
	end := 0.0
	if len(t.End) > 0 && n > 0 {
		end = t.End[min(int(n), len(t.End))-1]
	}
	for c := range l {
		for bit, x := range [...]float64{end, t.Close, t.Home, t.Back} {
			if c>>bit&1 == 1 {
				l[c] += x
			}
		}
	}
	return l
}

func (t *Tilt) zero() bool {
	return t.Close == 0 && t.Home == 0 && t.Back == 0 && !slices.ContainsFunc(t.End,
		func(x float64) bool { return x != 0 })
}

// finite reports whether all logarithms are, and none is beyond ±20.
func (t *Tilt) finite() bool {
	for _, x := range append(slices.Clone(t.End), t.Close, t.Home, t.Back) {
		if !(math.Abs(x) <= 20) {
			return false
		}
	}
	return true
}

// Tilt returns the tilt of the rows, the zero value for none.
func (m *GRU) Tilt() Tilt { return m.tilt }

// Tilted returns the distribution of the same networks whose rows are tilted by t, in place of the tilt of m. It panics
// if a logarithm is not within ±20.
func (m *GRU) Tilted(t Tilt) *GRU {
	if !t.finite() {
		panic("gru: Tilted: a factor's logarithm is not within ±20")
	}
	tilted := m.with(m.neverTwice)
	tilted.tilt = t
	return tilted
}

// with returns m with or without neverTwice.
func (m *GRU) with(neverTwice bool) *GRU {
	c := newGRU(m.layout, m.shape, m.nets)
	c.neverTwice, c.threads, c.tilt = neverTwice, m.threads, m.tilt
	return c
}

// tilted tilts the row p of lane k.
func (l *lanes) tilted(k int, p []float64) {
	t, y, sum := &l.trail[k], l.m.layout, 0.0
	v := int(l.at[k].vertex)
	lo, _ := y.g.Edges(v)
	logs := l.m.tilt.logs(t.length)
	for c, x := range logs {
		logs[c] = math.Exp(x)
	}
	for d, w := range y.g.From(v) {
		p[d] *= logs[t.class(y, w, y.head[lo+d])]
		sum += p[d]
	}
	for d := range p {
		p[d] /= sum
	}
}

// Rates are statistics of walks of places.
type Rates struct {
	Length  []float64 // share of the walks of 1, 2, … places
	Return  float64   // of those of more than one place that end where they begin
	Revisit float64   // of those that come back to a place which they had left
}

// Rates returns those of paths with their weights, nil for ones. The error is that of an invalid path or weight.
func (m *GRU) Rates(paths []ddps.Path, weights []float64) (r Rates, err error) {
	w, sum, err := ddps.Weights(len(paths), weights)
	if err != nil {
		return r, err
	}
	var t trail
	for i, p := range paths {
		if err := m.g.Check(p); err != nil {
			return r, err
		}
		r.add(t.whole(m.layout, p), w[i]/sum)
	}
	return r, nil
}

// whole takes t along a path.
func (t *trail) whole(y *layout, p ddps.Path) *trail {
	t.begin(y.words())
	for _, v := range p {
		t.step(y, int32(v))
	}
	return t
}

// returns reports whether the walk is where it started.
func (t *trail) returns() bool { return t.length > 1 && t.way[len(t.way)-1] == t.start }

func (r *Rates) add(t *trail, w float64) {
	for len(r.Length) < int(t.length) {
		r.Length = append(r.Length, 0)
	}
	if t.length > 0 {
		r.Length[t.length-1] += w
	}
	if t.returns() {
		r.Return += w
	}
	if t.came {
		r.Revisit += w
	}
}

// Add adds w times x to r.
func (r *Rates) Add(x Rates, w float64) {
	for len(r.Length) < len(x.Length) {
		r.Length = append(r.Length, 0)
	}
	for n, share := range x.Length {
		r.Length[n] += w * share
	}
	r.Return, r.Revisit = r.Return+w*x.Return, r.Revisit+w*x.Revisit
}

// Mean returns the mean number of places.
func (r Rates) Mean() (mean float64) {
	for n, share := range r.Length {
		mean += float64(n+1) * share
	}
	return mean
}
