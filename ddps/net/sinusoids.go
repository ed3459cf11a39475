package net

import "math"

// Sinusoids are the frequencies ω_k = 10000^(−k/K), k in 0…K−1, of 2K features of time: sin(ω_k t), then cos(ω_k t).
type Sinusoids []float64

// NewSinusoids returns the frequencies of an even number of features.
func NewSinusoids(features int) (s Sinusoids) {
	for k := range features / 2 {
		s = append(s, math.Pow(10000, -2*float64(k)/float64(features)))
	}
	return s
}

// Write sets f, of length 2K, to the features of t.
func (s Sinusoids) Write(f []float32, t int) {
	for k, w := range s {
		sin, cos := math.Sincos(float64(t) * w)
		f[k], f[len(s)+k] = float32(sin), float32(cos)
	}
}
