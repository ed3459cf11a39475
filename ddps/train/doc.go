// Package train trains the network of a model.
//
//	source.go      batches drawn on the host from weighted paths
//	train.go       Trainer, on the loop of all networks (internal/engine/loop.go); resident.go its steps on XLA
//	evaluate.go    losses and bounds on validation paths
//	checkpoint.go  the form of a training that is resumed
//	config.go      settings; memory.go what training takes
package train
