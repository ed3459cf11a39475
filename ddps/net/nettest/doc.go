// Package nettest holds what tests of networks share: random graphs and batches, and the loss said plainly in float64.
// Tests alone import it.
package nettest
