// Package model is a diffusion model as a whole: a graph, the chain or mixture of chains fitted to the data, the noise
// schedule, and a network or none, as one denoiser.
//
//	model.go    Model: its rows, its parts, and its Sampler, which picks the engine
//	config.go   what a model is made of
//	file.go     its form as bytes: Save, Load, Fingerprint
//	backend.go  which instructions and backends there are
package model
