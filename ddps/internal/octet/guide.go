package octet

const limit = 1e300 // keeps −Inf + λ·g from being NaN

// Guide multiplies the law of each of the graph's rows by exp(lambda·grad), by edge, nil for none, and normalises it; where logs
// is set law holds logarithms.
func Guide(g *Graph, law, grad []Lane, lambda float64, logs bool) { guide(g, law, grad, lambda, logs) }

// Annealed sets law, by edge, of the graph's rows to the logarithms that d3pm's Algorithm2 does.
func Annealed(g *Graph, s *Step, pi, law []Lane) { annealed(g, s, pi, law) }

// Ascend sets grad, by edge, to guide's Ascend of the rewards u, by edge, under pi. p and w, by vertex, are room.
func Ascend(g *Graph, u []float64, pi, grad, p, w []Lane) {
	reach(g, pi, p)
	ascend(g, u, pi, grad, p, w)
}

// guidePlain is Guide.
func guidePlain(g *Graph, law, grad []Lane, lambda float64, logs bool) {
	for _, v := range g.Rows {
		a, b := g.First[v], g.First[v+1]
		if !logs {
			for e := a; e < b; e++ {
				for k, q := range law[e] {
					law[e][k] = Log(q)
				}
			}
		}
		for e := a; e < b && grad != nil; e++ {
			for k, d := range grad[e] {
				law[e][k] += min(max(lambda*d, -limit), limit)
			}
		}
		softmax(law[a:b], 1<<Width-1)
	}
}

// softmax is SoftmaxRow on the lanes that are in which.
func softmax(row []Lane, which uint8) {
	z := make([]float64, 0, 64)
	for k := range Width {
		if which>>k&1 == 0 {
			continue
		}
		z = z[:0]
		for i := range row {
			z = append(z, row[i][k])
		}
		SoftmaxRow(z, z)
		for i := range row {
			row[i][k] = z[i]
		}
	}
}

// annealedPlain is Annealed.
func annealedPlain(g *Graph, s *Step, pi, law []Lane) {
	for _, v := range g.Rows {
		a, b := g.First[v], g.First[v+1]
		var sum, n Lane
		for e := a; e < b; e++ {
			for k, p := range pi[e] {
				if law[e][k] = Log(p); p > 0 {
					sum[k] += law[e][k]
					n[k]++
				}
			}
		}
		for e := a; e < b; e++ {
			for k := range sum {
				law[e][k] = float64(s.At[k]*law[e][k]) + s.Rest[k]*sum[k]/n[k]
			}
		}
	}
}

// ascendPlain is Ascend where p is known.
func ascendPlain(g *Graph, u []float64, pi, grad, p, w []Lane) {
	for v := len(g.First) - 2; v >= 0; v-- {
		var sum Lane
		for e := g.First[v]; e < g.First[v+1]; e++ {
			next := &w[g.Head[e]]
			for k, q := range pi[e] {
				sum[k] += float64(q * (u[e] + next[k]))
			}
		}
		w[v] = sum
	}
	for v := range len(g.First) - 1 {
		for e := g.First[v]; e < g.First[v+1]; e++ {
			next := &w[g.Head[e]]
			for k, q := range pi[e] {
				grad[e][k] = p[v][k] * q * (u[e] + next[k] - w[v][k])
			}
		}
	}
}
