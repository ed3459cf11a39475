// Package guide steers the reverse process to a reward (the paper's §4), and conditions it exactly.
//
//	expected.go   R̄, reach and value-to-go: Algorithm 1 as its text means it
//	gradient.go   ∇_z R̄ in closed form; Algorithm 1 as printed, by name
//	condition.go  exact conditions: MaxReward, Boltzmann
//
// Both kinds see one sample's π, the row softmax of the denoiser's logits, by edge, under which the path is a
// Markov chain. A Gradient is additive and has a strength λ; a Condition tilts the chain and has none. Package
// d3pm takes either as a function; the two packages do not know each other.
package guide
