// Package net is what denoising networks have in common: the Network interface, batches, the loss on the rows of a
// path, the features of time, and the first layer's input for vector lanes. Networks live in packages below: mlp,
// unet.
//
//	network.go    Network, its settings (Config), and its vector and graph forms
//	batch.go      what a training step reads: noise, targets, posteriors
//	loss.go       the training loss, on the host and as a GoMLX graph; onpath.go what the graph takes in
//	optim.go      parameters and the optimiser's settings
//	sinusoids.go  features of time
//	blocks.go     up to vec.Lanes samples through a network together
//
// Axes are [batch, edge] for outputs, edges in the graph's own numbering. Time t runs 1…T. Everything is float32.
package net
