package swingnn

import "math"

// Exact returns the Bayes denoiser of the distribution that draws each of the points, [k, dim], alike: what a network
// would learn that learned them by heart. D(x; σ) = Σ_k y_k w_k, w_k ∝ exp(−|x − y_k|²/2σ²). O(k·dim) a sample.
func Exact(points []float64, dim int) Denoiser {
	K := len(points) / dim
	half := make([]float64, K) // |y_k|²/2
	for k := range K {
		for _, y := range points[k*dim : (k+1)*dim] {
			half[k] += y * y / 2
		}
	}
	return func(d, x, _ []float64, sigma float64) error {
		w := make([]float64, K)
		for lo := 0; lo < len(x); lo += dim {
			top := math.Inf(-1)
			for k := range w {
				dot := 0.0
				for c, y := range points[k*dim : (k+1)*dim] {
					dot += y * x[lo+c]
				}
				w[k] = (dot - half[k]) / (sigma * sigma)
				top = max(top, w[k])
			}
			mean, sum := d[lo:lo+dim], 0.0
			clear(mean)
			for k := range w {
				p := math.Exp(w[k] - top)
				if p < 1e-15 {
					continue
				}
				sum += p
				for c, y := range points[k*dim : (k+1)*dim] {
					mean[c] += p * y
				}
			}
			for c := range mean {
				mean[c] /= sum
			}
		}
		return nil
	}
}
