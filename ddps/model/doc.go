// Package model is a diffusion model as a whole: a graph, the chain or mixture of chains fitted to the data, the noise
// schedule, and a network or none, as one denoiser; or a stack of distributions over paths in the mixture's place.
//
//	model.go    Model: its rows, its parts, and its Sampler, which picks the engine
//	config.go   what a model is made of
//	stack.go part*.go  a model that is a stack; its parts as bytes
//	file.go     its form as bytes: Save, Load, Fingerprint
//	backend.go  which instructions and backends there are
package model
