// Package mlp is a residual multilayer perceptron from x_t and t to one number for each edge.
//
//	mlp.go config.go          the network, its weights and settings
//	forward.go input.go       inference: vec.Lanes samples together; the first layer as a sum of embeddings
//	native.go block.go back.go           the loss (net/loss.go) and its gradient by the weights, on the host
//	train.go host.go graph.go device.go  the same on a GoMLX backend, and reverse steps there
package mlp
