// Command bench compares the speed of this project with PyTorch's, and writes what it finds to docs/speed.md.
//
//	go run ./bench            all of it, about an hour
//	go run ./bench -quick     fewer rounds, sizes and compilations: minutes
//	go run ./bench -report    the page and the figure again, from the results of the last run
//
// It builds this program three times over (plain Go, with GOEXPERIMENT=simd, and with XLA), sets up PyTorch in a Python
// environment of its own (torch/setup.sh), and starts one process an engine and number of threads. A process answers
// requests, a JSON object a line; only one works at a time, and engines take turns, round by round, so that what else
// the machine does falls on all alike. Before anything is timed, each engine is held to the same outputs on the same
// weights, x_t and t. What an engine lacks to run is said, and the others are compared without it.
package main
