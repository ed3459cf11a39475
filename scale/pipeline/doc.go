// Package pipeline is the work of ddps that needs a shuffle, as pipelines of Apache Beam: counts of distinct paths, the
// sufficient statistics of chains, samples by shards, metrics of a sample, grids of points. Their results are those of
// the core: counts and statistics exactly, since sums of whole numbers below 2⁵³ do not depend on their order; samples
// byte for byte; metrics of distributions to rounding.
//
// Files are elements by ranges of bytes (blocks.Block), counted within a bundle before anything is shuffled, so that
// what is shuffled is distinct paths of a block and not rows, and messages stay far below the 4 MiB of gRPC. DoFns are
// registered structs; what they share (the graph) is a file that each worker reads once.
package pipeline
