// Package swingnn is a baseline of the paper's experiment on validity (§5.1): SwinGNN (Yan, Liang, Song, Liao and Wang
// 2024, "SwinGNN: Rethinking Permutation Invariance in Diffusion Models for Graph Generation"), a diffusion of
// adjacency matrices as images with a transformer of shifted windows, in the frame of EDM (Karras, Aittala, Aila and
// Laine 2022).
//
//	config.go     settings, published and small
//	plan.go       the network's layers and parameters
//	forward.go    the network as a graph; attention.go its windows
//	model.go      Model and what runs it; denoise.go D(x; σ) and its gradient; loss.go
//	edm.go        preconditioning, noise levels; exact.go the denoiser of a list of points
//	sampler.go    EDM's sampler, with guidance; guide.go rewards of matrices
//	train.go      examples; file.go
//
// # Matrices
//
// A path of a layered graph of V vertices is the symmetric matrix with 1 at its edges, −1 at all other pairs of
// vertices and 0 on the diagonal. Only the entries above the diagonal are free: the coordinates, V(V−1)/2 of them, row
// after row. Noise, samplers and guides work on coordinates, [sample, coordinate] in float64, so that all that is
// sampled is symmetric; the network sees matrices padded with zeros, [batch, N, N] in float32. A sample's edges are the
// coordinates above 0.
//
// # Where this departs from the published code
//
//   - All V vertices are there in every matrix. The published loader takes vertices without an edge for padding; of a
//     path those would be all that are not on it, and the mask would tell the path.
//   - The correction of a step is EDM's (CorrectHeun). The published code evaluates the network at the step's start a
//     second time (CorrectPublished).
//   - In sampling the network is conditioned on the estimate before, as Chen, Zhang and Hinton (2023) do. The published
//     code throws that away and asks the network once more, at the same point, in half of the evaluations.
//   - Sampling starts from σ_max times normal noise, not its absolute value.
//   - The last three layers, which are linear, are multiplied together before they are applied.
//   - Windows are clamped to the grid, as published, and the side of the matrix is padded until they divide it.
package swingnn
