// Package d3pm is discrete diffusion (D3PM, Austin et al. 2021) over PALMs: the paper's §2, §3 and appendix.
//
//	schedule.go   ᾱ_t, the cosine schedule, strided times
//	forward.go    q(x_t | x_s), noise of every row towards uniform
//	kernel.go     one reverse step: Undivided, Mixture, Occupancy, Joint, and the paper's Algorithm2
//	sampler.go    the reverse process: its settings; run.go many samples, reverse.go one step of one
//	lanes*.go     the same for eight samples side by side, on chains of graphs that are not huge (internal/octet)
//	device*.go    the same as a graph on a GoMLX backend, network and all (internal/reverse)
//	condition.go  exact conditions inside it, with a memory or not; mixed.go denoisers that are mixtures of chains
//	particles*.go twisted SMC: exact conditioning of a model with more memory than a chain
//	bound.go      the bound on −log p(path) under Joint
//	batch.go      what a training step sees: noise, targets, posteriors
//	source.go     batches drawn on the host from weighted paths
//	network.go    what a network is; loss.go its loss and settings
//	mlp*.go       the MLP, to train (mlp_native.go, or a GoMLX graph) and to sample
//	unet*.go      the paper's U-Net over the vertices: a GoMLX graph to train, plain Go or that graph to sample
//	onpath.go     the loss as a GoMLX graph, which package engine runs
//	train.go      the training loop, train_resident.go its steps on XLA; evaluate.go losses and bounds on held-out paths
//	memory.go     what training takes
//	model*.go     a graph, its chain or mixture and a network as one denoiser, their settings and their form as bytes
//	checkpoint.go the form of a training that goes on
//
// Axes are [batch, edge] for logits and laws, edges in the graph's own numbering, and [batch, vertex] for PALMs.
// Time t runs 1…T, and 0 is clean data. Logits are float32, all else is float64. All randomness is drawn on the
// host from streams of their own an item (ddps.Rand): the same seed gives the same bytes, whatever the batch
// size and the number of threads.
package d3pm
