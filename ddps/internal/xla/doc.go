// Package xla is the d3pm.Engine on GoMLX backends: whole reverse steps, network, kernel and guide, as one graph there
// (package reverse builds it).
//
//	device.go  the engine, and a step as a graph
//	run.go     batches under way on it
//	check.go   whether a backend computes what it should
package xla
