// Package guide steers the reverse process to a reward (the paper's §4), and conditions it exactly.
//
//	expected.go   R̄, reach and value-to-go: Algorithm 1 as its text means it
//	gradient.go   ∇_z R̄ in closed form; Algorithm 1 as printed, by name
//	condition.go  exact conditions, and product.go what they make of the graph
//	automaton.go  a condition as an automaton that reads a path edge by edge
//	diagram.go    sets of paths as decision diagrams; combine.go and, or, not
//	reward.go     MaxReward, Boltzmann
//	total.go      AtLeast, Exactly, Budget, Within: the total of a path; decimal.go, spans.go
//	stops.go      MustVisit, Avoid, Through, InOrder, EndIn: where a path goes
//	runs.go       counts, which comes before which, how near, how long
//	pattern.go    regular expressions, Motif, NoMotif
//	all.go        All of several together, and which of them are in conflict
//	given.go      the distribution of a chain given a condition, and how many paths meet it
//	where/        conditions as text
//
// Both kinds see one sample's π, the row softmax of the denoiser's logits, by edge, under which the path is a
// Markov chain. A Gradient is additive and has a guidance scale λ; a Condition tilts the chain and has none. Package
// d3pm takes either as a function; the two packages do not know each other.
//
// # Exact conditions
//
// With weights w_s(k) ≥ 0 on the edges k of the product of graph and states s, the backward messages
//
//	m_s = Σ_k π(edge under k) w_s(k) m_{head(k)},  m = 1 on the last layer,
//
// make π(k) w_s(k) m_{head(k)} / m_s a chain on the product, which is exactly the distribution of the path given the
// condition, and m at the start its probability under π. Every pass is linear in the
// edges of the product. Where no vertex has two states, the product is the graph.
//
// The product is minimal. A condition is read, joined with others and negated as a decision diagram whose nodes are
// at the graph's vertices; since the graph has layers, two states from which the same ways on are left are found to be
// one as soon as they are made. Weights are kept as logarithms, and taken relative to the best path of the product.
package guide
