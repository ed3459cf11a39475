// Package edpgnn is EDP-GNN (Niu, Song, Song, Zhao, Grover and Ermon 2020, "Permutation Invariant Graph Generation via
// Score-Based Generative Modeling"), a baseline of the paper's §5.1: a graph network that learns the score of noisy
// adjacency matrices, from which annealed Langevin dynamics draw. Entries are rounded at 1/2.
//
//	config.go   settings, with the publication's defaults
//	model.go    the network's parameters; files; init.go its first weights
//	nodes.go    the network as a GoMLX graph
//	data.go     graphs as matrices, noise
//	train.go    denoising score matching; bound.go what its loss is compared with
//	sample.go   annealed Langevin dynamics
//	search.go   its step and noise, chosen on validation graphs
//
// Matrices are float32, [batch, n, n] row-major outside, with the channels first inside: [channel, batch, n, n]. n is
// the most vertices that a graph may have; a smaller one is masked. All are symmetric with a diagonal of 0.
//
// Where the publication is silent, this follows what its authors' program does: all levels of noise in one batch, a
// batch normalisation inside the edgewise network, the loss a sum over levels, half-normal starts, the noise before the
// step of the gradient, the choice of step and noise by the sum of three discrepancies.
package edpgnn
