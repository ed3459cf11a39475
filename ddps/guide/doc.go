// Package guide steers the reverse process to a reward (the paper's §4), and conditions it exactly.
//
//	expected.go   R̄, reach and value-to-go: Algorithm 1 as its text means it
//	gradient.go   ∇_z R̄ in closed form; Algorithm 1 as printed, by name
//	condition.go  exact conditions, each an automaton (automaton.go) that reads a path edge by edge
//	reward.go     MaxReward, Boltzmann
//	total.go      AtLeast, Exactly, Budget, Within: the total of a path
//	stops.go      MustVisit, Avoid, Through, InOrder, EndIn: where a path goes
//	motif.go      Motif, NoMotif: places that follow each other, such as the letters of a motif of DNA
//	all.go        All of several together, and which of them are in conflict
//	given.go      the law of a chain given a condition, and how many paths meet it
//	where/        conditions as text
//
// Both kinds see one sample's π, the row softmax of the denoiser's logits, by edge, under which the path is a
// Markov chain. A Gradient is additive and has a strength λ; a Condition tilts the chain and has none. Package
// d3pm takes either as a function; the two packages do not know each other.
//
// # Exact conditions
//
// With weights w_s(k) ≥ 0 on the edges k of the product of graph and states s, the backward messages
//
//	m_s = Σ_k π(edge under k) w_s(k) m_{head(k)},  m = 1 on the last layer,
//
// make π(k) w_s(k) m_{head(k)} / m_s a chain on the product, which is exactly the law of the path given the
// condition, and m at the start its probability under π. Every pass is linear in the
// edges of the product. Where no vertex has two states, the product is the graph.
package guide
