package vec

import "math"

// AdamW holds the numbers of a step on one parameter: the means' factors β₁ and β₂, what the gradient is multiplied by,
// the share of a weight that decays, the step's length and ε, both with the means' biases in them, and the share of the
// averaged weights that stays.
type AdamW struct{ Beta1, Beta2, Scale, Decay, Step, Eps, Keep float64 }

// Update updates the weights w by the gradient g, its means m and v, and the averaged weights, all of one length, each
// entry in float64. It reports whether all of w and v are finite then. Every kind of kernel gives the same bits.
func (a *AdamW) Update(w, g, m, v, mean []float32) (finite bool) {
	n := len(w)
	g, m, v, mean = g[:n], m[:n], v[:n], mean[:n]
	whole := n &^ 7
	var c [10][8]float64
	var odd [8]float32
	if at == plainGo {
		whole = 0
	} else {
		for i, x := range a.numbers() {
			for k := range c[i] {
				c[i][k] = x
			}
		}
	}
	switch at {
	case avx512:
		adamWAVX512(&c, first(w), first(g), first(m), first(v), first(mean), whole, &odd)
	case avx2:
		adamWAVX2(&c, first(w), first(g), first(m), first(v), first(mean), whole, &odd)
	}
	rest := a.plain(w[whole:], g[whole:], m[whole:], v[whole:], mean[whole:])
	return odd == [8]float32{} && rest == 0
}

// numbers returns what the kernels work with.
func (a *AdamW) numbers() [10]float64 {
	return [10]float64{a.Beta1, a.Beta2, 1 - a.Beta1, 1 - a.Beta2, a.Scale, a.Decay, a.Step, a.Eps, a.Keep, 1 - a.Keep}
}

// plain is Update; the conversions keep CPUs from fusing products into sums. It returns 0, or NaN where a weight
// or v is not finite.
func (a *AdamW) plain(w, g, m, v, mean []float32) (odd float32) {
	for j, old := range w {
		x := float64(a.Scale * float64(g[j]))
		mj := float64(a.Beta1*float64(m[j])) + float64((1-a.Beta1)*x)
		vj := float64(a.Beta2*float64(v[j])) + float64((1-a.Beta2)*x*x)
		wj := float64(old)
		wj -= float64(a.Decay*wj) + a.Step*mj/(math.Sqrt(vj)+a.Eps)
		m[j], v[j], w[j] = float32(mj), float32(vj), float32(wj)
		mean[j] = float32(float64(a.Keep*float64(mean[j])) + float64((1-a.Keep)*wj))
		odd += (w[j] - w[j]) + (v[j] - v[j])
	}
	return odd
}
