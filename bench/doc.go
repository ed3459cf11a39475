// Command bench compares the speed of this project with PyTorch's, and writes what it finds to docs/speed.md.
//
//	go run -C bench .            all of it, about an hour
//	go run -C bench . -quick     fewer rounds, sizes and compilations: minutes
//	go run -C bench . -report    the page and the figure again, from the results of the last run
//
// It is a module of its own, works in the directory above it, and takes names of files and directories from there.
//
// It builds this program as it is and with XLA, and ddps, sets up PyTorch in a Python environment of its own
// (torch/setup.sh), and starts a process for each engine and number of threads. The native engine is measured with all
// of the CPU's vector instructions and, by GODEBUG, with AVX2 alone and with none. A process answers requests, a JSON
// object a line; only one works at a time, and engines take turns, round by round, so that other work on the machine
// falls on all alike. Before anything is timed, each engine's outputs are compared on the same weights, x_t and t. An
// engine that cannot run is named with the reason, and the others are compared without it.
//
// With -before DIR, DIR/bench and DIR/ddps, built from an earlier revision, are measured beside the present ones:
//
//	git worktree add ../before e23adf2 && cd ../before
//	CGO_ENABLED=0 GOEXPERIMENT=simd GOTOOLCHAIN=go1.26.8 go build -o DIR/ ./bench ./cmd/ddps
//
// (that revision has ./bench in its main module; later ones: go build -C bench -o DIR/bench .)
package main
