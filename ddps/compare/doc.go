// Package compare compares samples of paths with an exact target distribution.
//
//	target.go     the target: paths with their probabilities
//	listed.go     targets of listed paths, and of all paths of a map
//	distances.go  the paper's distances of a sample from a target
//	evaluate.go   all metrics of a sample, each beside its sampling floor
//	rows.go       a table of samples of one size, with sampling floors
//	front.go      the least divergence that any sampler can have for its mean reward
//
// The sampling floor of a metric is its value for exact samples of the same size.
package compare
