// Package markov holds context models: distributions over the paths of a layered graph whose vertices have places, in
// which the next place depends on contexts of the walk so far, tied over layers.
//
// A context is what a view keeps of the walk (view.go): the last d places for d = 0…k, the start and the last d
// places, the layer and the last places, how long the walk has stayed, the places visited. The estimate of a view is
// interpolated with that of its parent, a coarser view, by modified Kneser–Ney discounts (Chen and Goodman 1999,
// without their lower-order counts),
//
//	p_j(x | c) = [n(c,x) − D(n(c,x)) + Σ_y D(n(c,y))·p_parent(x)]/n(c),
//
// and the views are interpolated log-linearly (Klakow 1998) over the out-edges of the vertex v,
//
//	p(e | walk) ∝ exp(Σ_j θ_j(n(c_j))·log(p_j/p_parent) + θ_relation),
//
// with θ_j by six classes of the context's count: θ = 1 for the views of last places, and 0 for the others, is the
// interpolated back-off itself. θ_relation are weights of how the edge's place relates to the walk: it goes back, to
// the start, along the mirrored walk, to a place visited, or ends. All θ are fitted at once, on the steps of the
// training walks with the walk's own counts left out of the tables (Ney, Essen and Kneser 1994): a concave problem.
//
// What is remembered of a walk is a state of a deterministic automaton (state.go), the longest stored context of last
// places the greater part of it. So rows are normalised at every vertex, the probabilities of all paths sum to 1, and
// [Model.Chain] is the model as a chain on a product graph: conditions, counts, the k most likely paths and posteriors
// given x_t are exact by package chain.
//
//	config.go places.go           settings; what ties the vertices of different layers
//	trie.go view.go state.go      contexts of last places; kinds of context; what is remembered
//	counts.go tables.go           counts and discounts; the tables of a set of paths
//	walk.go left.go index.go      a path's contexts; what is left out of the tables; hash tables
//	known.go relation.go row.go   what a state knows; relations of places; the distribution of a row
//	steps.go loss.go fit.go       the weights' fit
//	file.go                       files
//	model.go states.go product.go log-probabilities and draws; step by step; the product graph
//	tune.go                       settings by validation paths
package markov
