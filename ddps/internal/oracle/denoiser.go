package oracle

import "github.com/ddps-go/ddps/ddps"

// Denoiser is the exact denoiser of any distribution over the paths, by enumeration: the Bayes optimum row by row,
// π_v(e) = P(the path takes e | it visits v, x_t). Rows that no path visits are uniform.
type Denoiser struct {
	Dist *Distribution
	P    []float64
	Abar []float64
}

// Posterior implements d3pm.Denoiser.
func (d *Denoiser) Posterior(pi []float64, xt []ddps.PALM, t int) error {
	g := d.Dist.Graph
	E := g.NumEdges()
	lw, mass := make([]float64, E), make([]float64, E)
	for i, x := range xt {
		for e := range lw {
			v := g.Tail(e)
			lo, hi := g.Edges(v)
			lw[e] = 1 - d.Abar[t]
			if lo+int(x[v]) == e {
				lw[e] += d.Abar[t] * float64(hi-lo)
			}
		}
		clear(mass)
		for k, edges := range d.Dist.Edges {
			post := d.P[k]
			if post == 0 {
				continue
			}
			for _, e := range edges {
				post *= lw[e]
			}
			for _, e := range edges {
				mass[e] += post
			}
		}
		for v := range g.NumVertices() {
			lo, hi := g.Edges(v)
			sum := 0.0
			for e := lo; e < hi; e++ {
				sum += mass[e]
			}
			for e := lo; e < hi; e++ {
				if pi[i*E+e] = mass[e] / sum; sum == 0 {
					pi[i*E+e] = 1 / float64(hi-lo)
				}
			}
		}
	}
	return nil
}
