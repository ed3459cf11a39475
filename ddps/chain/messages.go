package chain

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ddps-go/ddps/ddps"
	"github.com/ddps-go/ddps/ddps/internal/real"
)

// Softmax sets pi to the row-wise softmax of the logits z, both by edge. A logit of −Inf gives exactly 0; a
// row with no finite logit becomes uniform.
func Softmax(g *ddps.LayeredGraph, z, pi []float64) {
	for v := range g.NumVertices() {
		lo, hi := g.Edges(v)
		SoftmaxRow(z[lo:hi], pi[lo:hi])
	}
}

// SoftmaxRow is Softmax on one row; z and pi may be the same slice.
func SoftmaxRow(z, pi []float64) {
	switch len(z) {
	case 0:
		return
	case 1:
		pi[0] = 1
		return
	}
	top := math.Inf(-1)
	for _, x := range z {
		top = max(top, x)
	}
	if math.IsInf(top, 0) {
		spread(z, pi, top)
		return
	}
	sum := 0.0
	for i, x := range z {
		pi[i] = math.Exp(x - top)
		sum += pi[i]
	}
	for i := range pi {
		pi[i] /= sum
	}
}

// spread is the limit of the softmax where the greatest logit is infinite: even over the entries that reach
// it, which are all where there is no finite one.
func spread(z, pi []float64, top float64) {
	n := 0.0
	for i, x := range z {
		if pi[i] = 0; x == top {
			pi[i] = 1
			n++
		}
	}
	for i := range pi {
		pi[i] /= n
	}
}

// Reach sets p to the forward messages of the chain pi: p_{v¹} = 1, p_w = Σ_{v→w} p_v π_v(v→w), by vertex. O(E).
func Reach(g *ddps.LayeredGraph, pi, p []float64) {
	clear(p)
	p[0] = 1
	last, _ := g.Layer(g.NumLayers() - 1)
	for v := range last {
		if p[v] == 0 {
			continue
		}
		lo, hi := g.Edges(v)
		for e := lo; e < hi; e++ {
			p[g.Head(e)] += float64(p[v] * pi[e]) // not fused: the lanes give the same bits
		}
	}
}

// Draw draws a path of the chain pi into p, of length L, using one random number for each vertex with a choice.
func Draw(g *ddps.LayeredGraph, pi []float64, rng *rand.Rand, p ddps.Path) {
	v := 0
	p[0] = 0
	for l := 1; l < len(p); l++ {
		lo, hi := g.Edges(v)
		e := lo
		if hi-lo > 1 {
			e += Pick(pi[lo:hi], rng.Float64())
		}
		v = g.Head(e)
		p[l] = v
	}
}

// Pick returns the index at which the running sum of the distribution p, of sum 1, passes u in [0, 1). It never picks
// an entry of probability 0, whatever the rounding.
func Pick(p []float64, u float64) int {
	last := 0
	for i, q := range p {
		if q <= 0 {
			continue
		}
		if u -= q; u < 0 {
			return i
		}
		last = i
	}
	return last
}

// Faint is the logarithm of about 2⁻⁹⁶⁰. Where m is less, messages may matter that are too small, relative to the
// greatest of their layer, for a float64.
const Faint = -665

// Tilter conditions chains of one graph by edge weights. It holds scratch space: one for each goroutine.
type Tilter struct {
	g    *ddps.LayeredGraph
	m    []float64 // [V] backward messages
	logw []float64 // [E] of tiltLog; made when first used
}

// NewTilter makes a Tilter for chains on g.
func NewTilter(g *ddps.LayeredGraph) *Tilter {
	return &Tilter{g: g, m: make([]float64, g.NumVertices())}
}

// Tilt sets out to the chain pi tilted by the weights w ≥ 0 (nil: all 1): with the backward messages
//
//	m_v = Σ_e π_v(e) w_v(e) m_{head(e)},  m = 1 on the last layer,
//
// out_v(e) = π_v(e) w_v(e) m_{head(e)} / m_v, which is exactly the distribution of the path given the weights. Rows
// with m_v = 0 keep pi. It returns log m_{v¹}, −Inf if no path has weight. pi's rows need not sum to 1; out must be
// another slice. Messages are rescaled layer by layer; where that does not save them from underflow or overflow, Tilt
// goes over to logarithms. Where rows of pi sum to 1 or less and w ≤ 1, nothing that matters is lost: what is lost of a
// layer weighs less than Faint. O(E).
func (t *Tilter) Tilt(pi, w, out []float64) float64 {
	g, m := t.g, t.m
	lo, hi := g.Layer(g.NumLayers() - 1)
	for v := lo; v < hi; v++ {
		m[v] = 1
	}
	logScale := 0.0
	for l := g.NumLayers() - 2; l >= 0; l-- {
		lo, hi := g.Layer(l)
		top := 0.0
		for v := lo; v < hi; v++ {
			m[v] = t.row(v, pi, w, out)
			top = max(top, m[v])
		}
		if !(top >= 0x1p-960 && top <= 0x1p960) {
			return t.tiltLog(pi, w, out)
		}
		for v := lo; v < hi; v++ {
			m[v] /= top
		}
		logScale += real.Log(top)
	}
	if logScale < Faint {
		return t.tiltLog(pi, w, out)
	}
	return logScale
}

// row tilts row v and returns its message.
func (t *Tilter) row(v int, pi, w, out []float64) float64 {
	lo, hi := t.g.Edges(v)
	sum := 0.0
	for e := lo; e < hi; e++ {
		x := pi[e] * t.m[t.g.Head(e)]
		if w != nil {
			x *= w[e]
		}
		x = float64(x) // not fused into the sum: the lanes give the same bits
		out[e] = x
		sum += x
	}
	if sum == 0 {
		copy(out[lo:hi], pi[lo:hi])
		return 0
	}
	for e := lo; e < hi; e++ {
		out[e] /= sum
	}
	return sum
}

// any is Tilt with weights of any size.
func (t *Tilter) any(pi, w, out []float64) float64 {
	if len(w) > 0 && slices.Max(w) > 1 {
		return t.tiltLog(pi, w, out)
	}
	return t.Tilt(pi, w, out)
}

// tiltLog is Tilt in logarithms: slower, with no limit of range.
func (t *Tilter) tiltLog(pi, w, out []float64) float64 {
	if w == nil {
		return t.TiltLog(pi, nil, out)
	}
	if t.logw == nil {
		t.logw = make([]float64, len(out))
	}
	for e, x := range w {
		t.logw[e] = real.Log(x)
	}
	return t.TiltLog(pi, t.logw, out)
}

// TiltLog is Tilt with weights exp(logw) of any size, in logarithms: −Inf forbids an edge, nil is all 0. O(E), slower
// than Tilt.
func (t *Tilter) TiltLog(pi, logw, out []float64) float64 {
	g, m := t.g, t.m
	last, hi := g.Layer(g.NumLayers() - 1)
	clear(m[last:hi])
	for v := last - 1; v >= 0; v-- {
		lo, hi := g.Edges(v)
		top := math.Inf(-1)
		for e := lo; e < hi; e++ {
			out[e] = real.Log(pi[e]) + m[g.Head(e)]
			if logw != nil {
				out[e] += logw[e]
			}
			top = max(top, out[e])
		}
		if m[v] = top; math.IsInf(top, -1) {
			copy(out[lo:hi], pi[lo:hi])
			continue
		}
		sum := 0.0
		for e := lo; e < hi; e++ {
			out[e] = math.Exp(out[e] - top)
			sum += out[e]
		}
		for e := lo; e < hi; e++ {
			out[e] /= sum
		}
		m[v] = top + real.Log(sum)
	}
	return m[0]
}
