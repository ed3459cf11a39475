package engine

import "math"

// adamW holds the numbers of a step on one parameter.
type adamW struct{ beta1, beta2, scale, decay, step, eps, keep float64 }

// plain updates the weights w by the gradient g, its means m and v, and the averaged weights, all of one length, each
// entry in float64. It returns 0, or NaN where a weight or v is not finite then.
func (a *adamW) plain(w, g, m, v, mean []float32) (odd float32) {
	n := len(w)
	g, m, v, mean = g[:n], m[:n], v[:n], mean[:n]
	for j, old := range w {
		x := a.scale * float64(g[j])
		mj := a.beta1*float64(m[j]) + (1-a.beta1)*x
		vj := a.beta2*float64(v[j]) + (1-a.beta2)*x*x
		wj := float64(old)
		wj -= a.decay*wj + a.step*mj/(math.Sqrt(vj)+a.eps)
		m[j], v[j], w[j] = float32(mj), float32(vj), float32(wj)
		mean[j] = float32(a.keep*float64(mean[j]) + (1-a.keep)*wj)
		odd += (w[j] - w[j]) + (v[j] - v[j])
	}
	return odd
}
