// Package fast is the d3pm.Engine on vector lanes (package vec): samples and particles eight at a time, for the exact
// denoisers of chains and mixtures, alone or corrected by a network, and for networks alone. A sample has the bits of
// the scalar code.
//
//	lanes.go net.go            the engine, and a worker's batches; networks on groups of eight
//	denoise.go condition.go    π, and π given a condition
//	step.go signal.go          the kernels, the guide, the draws
//	particles.go gain.go       groups of particles and their weights
//	chain.go mixture.go        exact denoisers for eight samples at a time
package fast
