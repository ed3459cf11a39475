// Package d3pm is the method: discrete diffusion (D3PM, Austin et al. 2021) over PALMs, the paper's §2, §3, Algorithm
// 2 of §4 and appendix, in scalar Go, with no network and no file.
//
//	schedule.go    ᾱ_t, the cosine schedule, strided times
//	forward.go     q(x_t | x_s), noise of every row towards uniform
//	step.go        one reverse step; kernel.go its kinds: Joint, Occupancy, Eq2, Austin, and the paper's Algorithm2
//	sampler.go     the reverse process: its settings, and the paper's Algorithm 2 line by line (Scalar.reverse)
//	scalar.go      what those lines do; run.go batches, each.go several samplers, stream.go any number of paths
//	condition.go   exact conditions inside it; direct.go draws without reverse steps; mixed.go mixtures
//	particles*.go  twisted SMC: exact conditioning of a model with more memory than a chain
//	bound*.go      the bound on −log p(path) under Joint
//	engine.go      what draws batches in place of the scalar code, with the same results
//
// Axes are [batch, edge] for distributions, edges in the graph's own numbering, and [batch, vertex] for PALMs. Time t
// runs 1…T, and 0 is clean data. Random numbers come from a stream for each item (ddps.Rand): a seed gives the same
// bytes, whatever the batch size and the number of threads. Run, ParticleRun, Scalar, Proposal and
// ParticleWeights are for engines.
package d3pm
