// Package baselines is what the paper's baselines share (§5.1): methods that generate adjacency matrices, not paths,
// with networks over real numbers, and round what comes out. Packages edpgnn and swingnn are the two.
//
//	adjacency.go  a path as a symmetric matrix of 0 and 1, to and from −1 and 1, thresholds, noise
//	check.go      whether a set of edges is exactly one path; if not, why
//	graph.go      undirected graphs; community.go a data set of them
//	mmd.go        discrepancies of degrees and clustering; orbit.go of orbits
//	tally.go      valid rate with its interval, unique and novel shares
//	config.go     settings of training, the order of the examples
//	train.go      the training loop: Adam, learning rate, averaged weights
//	file.go       networks and checkpoints as bytes
//
// Matrices are flat float32, [n, n] or [batch, n, n] row-major, n the number of vertices of the layered graph. All
// randomness is drawn on the host from streams of their own an item (ddps.Rand), so that the same seed gives the same
// numbers for any batch size and number of threads.
package baselines
