// Package query answers questions of a fitted model: how probable a condition is, what paths are like given it, which
// come next, and how a sampler is guided by name.
//
//	guide.go    reverse steps and guides by name; where.go conditions as text
//	given.go    a mixture of chains given a condition
//	explain*.go the probability of a condition, and what paths are like given it
//	next.go     the distribution of the next vertex after a beginning
//
// Nothing here reads files, prints or draws.
package query
