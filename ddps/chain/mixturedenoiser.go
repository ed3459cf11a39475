package chain

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/ddps-go/ddps/ddps"
)

// MixtureDenoiser is the exact denoiser, row by row, of a path law that is a mixture of chains, under uniform noise of
// every row. Given x_t the path is again such a mixture. On a lift to each of whose states s one edge into(s) of the
// graph leads, with b(e) = 1−ᾱ_t + ᾱ_t·D_v·1[x_t^v = e] and the messages
//
//	m_k(s) = b(into(s)) Σ_{s→r} P_k(s→r) m_k(r), with a sum of 1 on the last layer,
//	f_k(r) = Σ_{s→r} b(into(s)) f_k(s) P_k(s→r), f_k(v¹) = ω_k,
//
// the row law of the paths through v is π_v(e) ∝ Σ_k f_k(s) m_k(s), summed over the states s with into(s) = e.
// A chain of these rows is not the law of the path: that is Paths. Safe for concurrent use.
type MixtureDenoiser struct {
	graph *ddps.LayeredGraph // of the paths
	lift  *Lift
	at    []int // by edge of lift: that of the mixture's
	abar  []float64
	lanes           // pieces filled up with classes of weight 0
	omega []lane    // [n]
	rows  []float64 // [E] the law's rows before any x_t: what a vertex keeps that no path visits
	pool  sync.Pool // *mixtureScratch
}

type mixtureScratch struct {
	b    []float64 // [E]
	m, r []lane    // [state, n]
	sums []float64 // [state + 1]
}

// NewMixtureDenoiser makes the exact denoiser of m. abar[t] is ᾱ_t for t in 0…T.
func NewMixtureDenoiser(m *Mixture, abar []float64) *MixtureDenoiser {
	g, K := m.Base(), len(m.Weight)
	l, at := m.Lift, upTo(len(m.Lift.Edge))
	if entries(l) == nil {
		line := Line(g)
		at = line.Edge
		if l.Graph != g { // a chain of first order needs no product
			l, _, at, _ = product(line, l, func(int, int) bool { return true })
		} else {
			l = line
		}
	}
	n := (K + 3) / 4
	d := &MixtureDenoiser{graph: g, lift: l, at: at, abar: abar, omega: make([]lane, n), rows: make([]float64, g.NumEdges()),
		lanes: lanes{g: l.Graph, into: entries(l), n: n, p: make([]lane, len(l.Edge)*n)}}
	d.pool.New = func() any {
		states := l.Graph.NumVertices()
		return &mixtureScratch{b: make([]float64, g.NumEdges()), m: make([]lane, states*n), r: make([]lane, states*n), sums: make([]float64, states+1)}
	}
	d.Refill(m)
	return d
}

// Refill takes over the numbers of m, a mixture of as many classes on the same lift as the denoiser was made of. While
// any other method runs it is a race.
func (d *MixtureDenoiser) Refill(m *Mixture) {
	K, first := len(m.Weight), make([]float64, len(d.rows))
	for k, w := range m.Weight {
		d.omega[k/4][k%4] = w
		for e, mine := range d.at {
			d.p[e*d.n+k/4][k%4] = m.P[mine*K+k]
			first[d.lift.Edge[e]] += w * m.P[mine*K+k]
		}
	}
	even := make([]float64, len(d.rows)) // of vertices that no path of the lift visits
	for e := range even {
		even[e] = 1 / float64(d.graph.Degree(d.graph.Tail(e)))
	}
	d.normalise(first, even)
	copy(d.rows, first)
	d.posterior(d.pool.New().(*mixtureScratch), first, make(ddps.PALM, d.graph.NumVertices()), 0)
	copy(d.rows, first)
}

// entries returns of each state of l the one edge of the base by which paths come to it, −1 of the first state and of
// states to which none do; nil where a state has several.
func entries(l *Lift) []int32 {
	into := slices.Repeat([]int32{-1}, l.Graph.NumVertices())
	for k, e := range l.Edge {
		s := l.Graph.Head(k)
		if into[s] >= 0 && into[s] != int32(e) {
			return nil
		}
		into[s] = int32(e)
	}
	return into
}

// Graph returns the graph whose paths are denoised.
func (d *MixtureDenoiser) Graph() *ddps.LayeredGraph { return d.graph }

// Rows returns the row laws, by edge, of the path law before any x_t: the live array, to be read only.
func (d *MixtureDenoiser) Rows() []float64 { return d.rows }

// Posterior sets pi, by edge, to the row laws of the path given x_t at time t in 1…T. Of vertices whose evidence is
// under 1e-300 of the layer's greatest it gives the law's rows before any x_t. O(edges of the lift · K).
func (d *MixtureDenoiser) Posterior(pi []float64, xt ddps.PALM, t int) {
	s := d.pool.Get().(*mixtureScratch)
	d.posterior(s, pi, xt, d.abar[t]/(1-d.abar[t]))
	d.pool.Put(s)
}

// evidence sets b, by edge, to 1 + ratio·D_v·1[x_t^v = e], times c where that is not nil.
func (d *MixtureDenoiser) evidence(b, c []float64, xt ddps.PALM, ratio float64) {
	if c != nil {
		copy(b, c)
	} else {
		for e := range b {
			b[e] = 1
		}
	}
	for v := range d.graph.NumVertices() {
		if lo, hi := d.graph.Edges(v); hi > lo {
			b[lo+int(xt[v])] *= 1 + ratio*float64(hi-lo)
		}
	}
}

// posterior is Posterior at the ratio ᾱ_t/(1−ᾱ_t).
func (d *MixtureDenoiser) posterior(s *mixtureScratch, pi []float64, xt ddps.PALM, ratio float64) {
	d.evidence(s.b, nil, xt, ratio)
	d.messages(s.m, s.b)
	clear(s.r)
	copy(s.r, d.omega)
	for l := range d.g.NumLayers() - 1 {
		lo, hi := d.g.Layer(l)
		d.meet(s.r, s.m, s.sums, lo, hi)
		top := d.ahead(s.r, s.b, lo, hi)
		lo, hi = d.g.Layer(l + 1)
		rescale(s.r[lo*d.n:hi*d.n], top)
	}
	lo, hi := d.g.Layer(d.g.NumLayers() - 1)
	d.meet(s.r, s.m, s.sums, lo, hi)
	clear(pi)
	for q, e := range d.into {
		if e >= 0 {
			pi[e] += s.sums[q]
		}
	}
	d.normalise(pi, d.rows)
}

// messages sets m to the backward messages with factors f, each layer up to a number, and returns the logarithm of the
// product of those numbers.
func (l *lanes) messages(m []lane, f []float64) (logScale float64) {
	L := l.g.NumLayers()
	last, end := l.g.Layer(L - 1)
	var top lane
	for s := last; s < end; s++ {
		b := factor(f, l.into[s])
		for c := range l.n {
			m[s*l.n+c] = lane{b, b, b, b}
		}
		top[0] = max(top[0], b)
	}
	logScale += rescale(m[last*l.n:end*l.n], top)
	for k := L - 2; k >= 0; k-- {
		lo, hi := l.g.Layer(k)
		top := l.back(m, f, lo, hi)
		logScale += rescale(m[lo*l.n:hi*l.n], top)
	}
	return logScale
}

// normalise makes each row of pi sum to 1; one that sums to 0 becomes that of rows.
func (d *MixtureDenoiser) normalise(pi, rows []float64) {
	for v := range d.graph.NumVertices() {
		lo, hi := d.graph.Edges(v)
		row, sum := pi[lo:hi], 0.0
		for _, y := range row {
			sum += y
		}
		if !(sum > 0) {
			copy(row, rows[lo:hi])
			continue
		}
		for i := range row {
			row[i] /= sum
		}
	}
}

// rescale divides x by its greatest number, one of top, where that is far from 1, and returns the logarithm of what it
// divided by.
func rescale(x []lane, top lane) float64 {
	most := max(top[0], top[1], top[2], top[3])
	if most == 0 || most > 0x1p-100 && most < 0x1p100 {
		return 0
	}
	for i := range x {
		for k := range x[i] {
			x[i][k] /= most
		}
	}
	return math.Log(most)
}

// Posteriors sets pi, [batch, edge] row-major, to Posterior for each of xt.
func (d *MixtureDenoiser) Posteriors(pi []float64, xt []ddps.PALM, t int) error {
	E := d.graph.NumEdges()
	if len(pi) != len(xt)*E {
		return fmt.Errorf("chain: denoiser: %d numbers for %d samples of %d edges", len(pi), len(xt), E)
	}
	if t < 1 || t >= len(d.abar) {
		return fmt.Errorf("chain: denoiser: time %d is not in 1…%d", t, len(d.abar)-1)
	}
	for i, x := range xt {
		d.Posterior(pi[i*E:(i+1)*E], x, t)
	}
	return nil
}

// Logits sets z, [batch, edge] row-major, to the logarithms of Posterior for each of xt.
func (d *MixtureDenoiser) Logits(z []float32, xt []ddps.PALM, t int) error {
	pi := make([]float64, len(z))
	if err := d.Posteriors(pi, xt, t); err != nil {
		return err
	}
	for i, p := range pi {
		z[i] = float32(math.Log(p))
	}
	return nil
}
