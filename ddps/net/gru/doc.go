// Package gru is a distribution over the paths of a layered graph: a gated recurrent unit (GRU; Cho et al. 2014, in the
// form of cuDNN and PyTorch) that reads the places a path visits and gives the probabilities of the next edge.
//
// # The network
//
// With P places, L layers, H units and embeddings of E numbers, the state h, at first 0, is taken on at step t, from
// vertex v in layer t to the next, by
//
//	x = place(v) + position(t) + start                 embeddings
//	r = σ(W_r x + b_r + U_r h + d_r)
//	z = σ(W_z x + b_z + U_z h + d_z)
//	c = tanh(W_c x + b_c + r ⊙ (U_c h + d_c))
//	h ← (1 − z) ⊙ c + z ⊙ h
//	p(e | v¹ … v) = softmax over the edges e of v of (O h + o) at the place of e's head,
//	                plus Σ_k (R h + r)_k over the relations k of that place to v¹ … v
//
// so that −log p of a path is the sum over its steps. A place is that of the graph's meta data; a vertex without one is
// a place of its own. start is an embedding of the place in the second layer, for graphs with a source before all
// starts: it is 0 at t = 0, and everywhere unless Shape.Start is set. Relations are that the walk has visited the place
// before, that it is the place at hand, the start, or one step back along the way (relation.go): the network learns
// when walks come back without learning it for each place, as a pointer network does (Vinyals et al. 2015). They need
// Shape.Relations. A row of one edge costs nothing, and once a single path leads on, nothing is computed: an end that
// absorbs is free. If two edges of a vertex lead to the same place, they have the same probability.
//
// Several networks are one distribution: at each step the mean of their rows.
//
// # Training
//
// Fit minimises the mean NLL with AdamW (Loshchilov and Hutter 2019), batches of mixed lengths and dropout (Srivastava
// et al. 2014) of x and of what the output reads, drawn at each step. The weights kept are a moving average, at the
// evaluation that is best on the validation paths. block.go and back.go hold the way through the network and back,
// vec.Lanes walks at a time; backend.go builds the same as a GoMLX graph.
//
// # Rates
//
// The walks of a network drift away from those it was trained on, and with them the share of walks that return to their
// start, of those that come back to a place, and the lengths. Calibrate finds factors of the rows' edges, a Tilt, with
// which samples have these rates; rows stay normalised, so LogProb, Sample and States stay exact for the tilted model.
//
// # Reading
//
// LogProb, Sample and States take vec.Lanes paths at a time through the networks. The products of the input's weights
// with the embeddings are tables (lanes.go), so that a step costs 3H² + P·H products.
package gru
