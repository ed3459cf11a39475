package swingnn

import "math"

// precond returns the coefficients of the preconditioning of Karras et al. 2022 (EDM, table 1), D(x; σ) =
// skip·x + out·F(in·x; ln(σ)/4): with data of standard deviation σ_data F's input and target have variance 1 at every
// σ.
func (c Config) precond(sigma float64) (skip, out, in float64) {
	d2 := c.Sigma * c.Sigma
	total := math.Sqrt(sigma*sigma + d2)
	return d2 / (total * total), sigma * c.Sigma / total, 1 / total
}

// weight is the loss weight λ(σ) of |D − y|²: that of |F − target|² is λ·out² = 1.
func (c Config) weight(sigma float64) float64 {
	return (sigma*sigma + c.Sigma*c.Sigma) / (sigma * c.Sigma * sigma * c.Sigma)
}

// schedule returns the noise levels σ_0 > … > σ_{n−1} of EDM's Eq. 5, from hi to lo, and 0: n + 1 numbers.
func schedule(n int, lo, hi, rho float64) []float64 {
	s := make([]float64, n+1)
	a, b := math.Pow(hi, 1/rho), math.Pow(lo, 1/rho)
	for i := range n {
		s[i] = math.Pow(a+float64(i)/float64(max(n-1, 1))*(b-a), rho)
	}
	return s
}
