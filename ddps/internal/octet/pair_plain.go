//go:build !goexperiment.simd || !amd64

package octet

// Vectors tells whether the processor has what the vector kernels need.
func Vectors() bool { return false }

// Pair sets out, by edge, to what d3pm's Pair gives for pi, given its a and γ_t ⊙ b, [V, H]. There must be Vectors: without, samples
// one by one are faster.
func (p *Pairs) Pair(out []Single, pi []Lane, a, gb []float32) { panic("octet: no vectors") }
