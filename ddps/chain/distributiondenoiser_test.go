package chain

import (
	"slices"
	"testing"

	"github.com/ddps-go/ddps/ddps"
)

// Row posteriors by Bayes' rule over all paths.
func TestDistributionDenoiserAgainstBayes(t *testing.T) {
	abar := []float64{1, 1 - 1e-9, 0.9, 0.4, 1e-6}
	for i, f := range fixtures() {
		g := f.dist.Base()
		d := NewDistributionDenoiser(f.dist, abar)
		x, pi := make(ddps.PALM, g.NumVertices()), make([]float64, g.NumEdges())
		for tm := 1; tm < len(abar); tm++ {
			g.Uniform(x, ddps.Rand(61, uint64(10*i+tm)))
			post, total := slices.Clone(f.p), 0.0
			for j := range post {
				for _, e := range f.edges[j] {
					lo, hi := g.Edges(g.Tail(e))
					q := (1 - abar[tm]) / float64(hi-lo)
					if lo+int(x[g.Tail(e)]) == e {
						q += abar[tm]
					}
					post[j] *= q * float64(hi-lo) // off-path rows are uniform: divide their 1/D out
				}
				total += post[j]
			}
			if err := d.Posterior(pi, []ddps.PALM{x}, tm); err != nil {
				t.Fatal(err)
			}
			for v := range g.NumVertices() {
				lo, hi := g.Edges(v)
				row, sum := make([]float64, hi-lo), 0.0
				for j, edges := range f.edges {
					for _, e := range edges {
						if e >= lo && e < hi {
							row[e-lo] += post[j] / total
							sum += post[j] / total
						}
					}
				}
				for e := lo; e < hi; e++ {
					want := row[e-lo] / sum
					if sum > 0 && !close9(pi[e], want) {
						t.Errorf("%s, t = %d, row %d: %v, want %v", f.name, tm, v, pi[e], want)
					}
					if sum == 0 && pi[e] != d.prior[e] {
						t.Errorf("%s: row %d, which no path visits, changed", f.name, v)
					}
				}
			}
		}
		for _, bad := range []int{0, len(abar), -1} {
			if d.Posterior(pi, []ddps.PALM{x}, bad) == nil {
				t.Errorf("time %d must fail", bad)
			}
		}
		if d.Posterior(pi[:len(pi)-1], []ddps.PALM{x}, 1) == nil {
			t.Error("short pi must fail")
		}
	}
}

// Of a first-order distribution it is Denoiser.
func TestDistributionDenoiserFirstOrder(t *testing.T) {
	c, _, _ := dists(62)
	abar := []float64{1, 0.9, 0.5}
	a, b := NewDenoiser(c, abar), NewDistributionDenoiser(c.Distribution(), abar)
	x, p, q := make(ddps.PALM, c.Graph.NumVertices()), make([]float64, len(c.P)), make([]float64, len(c.P))
	for i := range 20 {
		c.Graph.Uniform(x, ddps.Rand(63, uint64(i)))
		a.Posterior(p, []ddps.PALM{x}, 1+i%2)
		b.Posterior(q, []ddps.PALM{x}, 1+i%2)
		if !slices.EqualFunc(p, q, near) {
			t.Errorf("%v, want %v", q, p)
		}
	}
}

// Rows of states that are next to never reached: logarithms, and the same numbers where both work.
func TestRowsLog(t *testing.T) {
	for _, f := range fixtures() {
		g, l := f.dist.Base(), f.dist.Product
		prior := make([]float64, g.NumEdges())
		reach, a, b := make([]float64, l.Graph.NumVertices()), make([]float64, g.NumEdges()), make([]float64, g.NumEdges())
		l.rows(f.dist.P, prior, reach, a)
		l.rowsLog(f.dist.P, prior, reach, b)
		if !slices.EqualFunc(a, b, close9) {
			t.Errorf("%s: %v, want %v", f.name, b, a)
		}
		p := slices.Clone(f.dist.P) // every path alike, out of range
		for k := range p {
			p[k] *= 1e-200
		}
		l.rows(p, prior, reach, b)
		if !slices.EqualFunc(a, b, close9) {
			t.Errorf("%s, out of range: %v, want %v", f.name, b, a)
		}
	}
}
