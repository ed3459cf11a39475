package octet

import "math"

// correctPlain is Correct.
func correctPlain(g *Graph, pi []Lane, out []Single, stride int, exps []Single, hard Hard) (bad uint8) {
	for v := range len(g.First) - 1 {
		a, b := int(g.First[v]), int(g.First[v+1])
		if b-a < 2 {
			continue
		}
		row, out, exps := pi[a:b], out[a*stride:], exps[:b-a]
		top := Single{}
		for k := range top {
			top[k] = float32(math.Inf(-1))
		}
		for i := range row {
			for k, o := range out[i*stride] {
				if row[i][k] > 0 && o > top[k] {
					top[k] = o
				}
				if o != o {
					bad |= 1 << k
				}
			}
		}
		for i := range exps {
			for k, o := range out[i*stride] {
				exps[i][k] = Exp(o - top[k])
			}
		}
		correctRow(row, out, stride, exps, 1<<Width-1, hard)
	}
	return bad
}

// correctRow is Correct on those lanes of one row that are in which; its exponentials are known.
func correctRow(pi []Lane, out []Single, stride int, exps []Single, which uint8, hard Hard) {
	var sum Lane
	var lost uint8
	for i := range pi {
		row, x := &pi[i], &exps[i]
		for k, p := range row {
			sum[k] += float64(p * float64(x[k]))
			if x[k] < 0x1p-120 && p > 0 { // e^−87 stands for all that is less
				lost |= 1 << k
			}
		}
	}
	for k, s := range sum {
		if sum[k] = 1 / s; !(s > 0x1p-900 && s < math.MaxFloat64) {
			lost |= 1 << k
		}
	}
	for k := range Width {
		if which>>k&1 == 0 {
			continue
		}
		if lost>>k&1 != 0 {
			correctHard(pi, out, stride, k, hard)
			continue
		}
		for i := range pi {
			pi[i][k] *= sum[k] * float64(exps[i][k])
		}
	}
}

// correctHard has lane k of a row corrected by hard.
func correctHard(pi []Lane, out []Single, stride, k int, hard Hard) {
	p, o := make([]float64, len(pi)), make([]float32, len(pi))
	for i := range pi {
		p[i], o[i] = pi[i][k], out[i*stride][k]
	}
	hard(p, o)
	for i := range pi {
		pi[i][k] = p[i]
	}
}

// Hard corrects a row of one sample: it multiplies pi by exp(out) and normalises it.
type Hard func(pi []float64, out []float32)
