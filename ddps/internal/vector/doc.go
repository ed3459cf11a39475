// Package vector keeps what Go's vector instructions leave behind from slowing down all else.
//
// In a build with GOEXPERIMENT=simd a goroutine that was preempted goes on with the upper halves of the vector registers
// in use, and code that does not use them, math.Exp above all, is then many times slower (6 ns become 1,000 on one
// processor, Go 1.26) until something clears them. Long loops over plain numbers call Clear every some microseconds.
package vector
