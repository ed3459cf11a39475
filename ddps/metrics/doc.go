// Package metrics measures how far generated paths are from a target distribution: the distances of the paper's §5.3
// and appendix C.3, the valid rate of §5.1, and the sampling floor that sampling alone puts under each of them.
//
// A distribution is a []float64 of probabilities over a support; p is the target, q what was generated, both over the
// same support in the same order. [Support] makes aligned distributions from samples, with the union of the samples
// (or an enumeration of all paths) as support.
//
//	on distributions            [KL], [KLFloored], [L1], [TVSup], [HalfL1], [SFD]
//	on paths' features [FLGD], [ISL] and its four named variants
//	on samples         [ValidRate], [MeanStd], [Rewards]
//	noise              [Floor], [FloorOf]
//
// Bad data is an error, always a *[DistributionError] that wraps one of [ErrEmpty], [ErrLength], [ErrValue], [ErrMass]
// and [ErrOutside], or an error of the graph for what is no path; no function returns NaN.
package metrics
