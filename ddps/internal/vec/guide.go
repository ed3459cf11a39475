package vec

// Guide multiplies each row of q, by edge, by exp(lambda·grad), by edge (nil: none), and normalises it; where logs is
// set q holds logarithms. λ·g beyond ±1e300 counts as that. odd is scratch, of at least twice the number of rows.
func Guide(g *Graph, q, grad []Lane, lambda float64, logs bool, odd []uint8) {
	a := g.args()
	a.Out, a.Grad, a.Lambda, a.Odd, a.OddSize = first(q), first(grad), lambda, first(odd), len(odd)/2
	if logs {
		a.Logs = 1
	}
	guide(&a)
	if a.Lost == 0 {
		return
	}
	for r, v := range g.Rows {
		if which := lanesOf(odd, r); which != 0 {
			softmax(q[g.First[v]:g.First[v+1]], which)
		}
	}
}

// lanesOf returns the lanes that a kernel reported for row i in odd.
func lanesOf(odd []uint8, i int) uint8 {
	if at == avx512 {
		return odd[i]
	}
	return odd[i] | odd[len(odd)/2+i]<<4
}

// softmax is SoftmaxRow on the lanes that are in which.
func softmax(row []Lane, which uint8) {
	z := make([]float64, len(row))
	for k := range Width {
		if which>>k&1 == 0 {
			continue
		}
		for i := range row {
			z[i] = row[i][k]
		}
		SoftmaxRow(z, z)
		for i := range row {
			row[i][k] = z[i]
		}
	}
}

// Gradient sets grad, by edge, to that of the expected total of the rewards u, by edge, by the logits of π (guide). p
// and w, by vertex, are scratch.
func Gradient(g *Graph, u []float64, pi, grad, p, w []Lane) {
	Reach(g, pi, p)
	a := g.args()
	a.P, a.Pi, a.Out, a.Reach, a.M = first(u), first(pi), first(grad), first(p), first(w)
	values(&a)
	a = g.args()
	a.P, a.Pi, a.Out, a.Reach, a.M = first(u), first(pi), first(grad), first(p), first(w)
	gradient(&a)
}

// Correct multiplies each row of pi, by edge, by exp(out) and normalises it, as d3pm does; edge e's output is
// out[e·stride]. Rows that need logarithms log corrects. exps is scratch for an edge of a row each, odd for two bytes a
// vertex. Bit k of bad reports that an output of lane k is not a number; its row holds no result.
func Correct(g *Graph, pi []Lane, out []Single, stride int, exps []Single, odd []uint8, log Row) (bad uint8) {
	clear(odd)
	a := g.args()
	a.Pi, a.Single, a.Stride, a.Exps, a.Odd, a.OddSize = first(pi), first(out), stride*4*Width, first(exps), first(odd),
		len(odd)/2
	correct(&a)
	if a.Lost == 0 {
		return uint8(a.Bad)
	}
	for v := range g.NumVertices() {
		which := lanesOf(odd, v)
		lo, hi := int(g.First[v]), int(g.First[v+1])
		for k := 0; which != 0; k, which = k+1, which>>1 {
			if which&1 != 0 {
				correctLane(pi[lo:hi], out[lo*stride:], stride, k, log)
			}
		}
	}
	return uint8(a.Bad)
}

// Row corrects a row of one sample: it multiplies pi by exp(out) and normalises it.
type Row func(pi []float64, out []float32)

// correctLane has lane k of a row corrected by log.
func correctLane(pi []Lane, out []Single, stride, k int, log Row) {
	p, o := make([]float64, len(pi)), make([]float32, len(pi))
	for i := range pi {
		p[i], o[i] = pi[i][k], out[i*stride][k]
	}
	log(p, o)
	for i := range pi {
		pi[i][k] = p[i]
	}
}
