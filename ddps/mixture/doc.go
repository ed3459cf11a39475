// Package mixture holds mixtures of Markov chains on a layered graph (latent-class chains): their fit, and what is
// exact about them.
//
//	mixture.go config.go         a mixture and its settings
//	fit.go descent.go            maximum likelihood with priors, by L-BFGS; validation paths end a fit
//	loss.go params.go sweep.go   the penalised negative log-likelihood and its gradient by forward-backward sweeps
//	tables.go walks.go           the tables that a sweep reads; the paths, sorted so that common beginnings are shared
//	turns.go size.go             the product graph of second-order moves; sizes and memory
//	weighted.go paths*.go        the mixture under a condition; the distribution of the whole path given x_t
//	denoiser.go lanes.go         the exact denoiser; the same for eight samples at a time
//
// Axes are [edge, class] for probabilities, edges in the product graph's own numbering.
package mixture
