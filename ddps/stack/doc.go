// Package stack mixes distributions over the paths of a layered graph, and conditions the mixture.
//
// A [Stack] is a mixture of whole paths, P(path) = Σ_k ω_k P_k(path): one part is drawn, and it draws the path. Its
// weights are the most likely ones on validation paths, by EM, and all parts are fitted again on all paths. So a
// stack is about as good as its best part, or better where each is best for other paths. Parts whose paths can be
// conditioned exactly, chains on product graphs, are [Tractable]; a part that offers its rows step by step is a
// [Stepper], such as a network.
//
// A condition C, or evidence on edges, is exact for tractable parts:
//
//	P(path | C) = Σ_k ω_k P_k(C)·P_k(path | C) / Σ_k ω_k P_k(C).
//
// For another part, paths are drawn from the conditioned mixture q of the tractable parts and resampled with the
// weights P_k/q, whose mean estimates P_k(C)/q(C). Of q a share is the first-order chain nearest to the part, which has
// all paths that the part has, so that the weights' variance shows in the draws (defensive importance sampling,
// Hesterberg 1995). Where too few effective draws remain, the part's own draws are used, or particles go step by step,
// proposed and weighted with the tractable part's exact probability that the condition will be met (twisted sequential
// Monte Carlo, Whiteley and Lee 2014). Effective sample sizes and standard errors are reported ([Estimate]). In a
// reverse process a part without an exact posterior given x_t takes part by weighted draws of the others' posterior, in
// a way that leaves no error ([Denoiser.Whole]).
//
//	distribution.go condition.go   interfaces; conditions and evidence
//	product.go context.go mixture.go   tractable parts: chains on product graphs, context models, mixtures
//	stack.go steps.go              the stack; draws of steppers
//	em.go fit.go fitters.go        weights; a stack fitted to paths
//	given.go defensive.go importance.go resample.go smc.go  the stack given a condition
//	denoiser.go denoised.go denoised_corrected.go  the path given x_t
package stack
