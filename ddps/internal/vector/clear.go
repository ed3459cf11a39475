//go:build !goexperiment.simd || !amd64

package vector

// Clear does nothing: without vector kernels the registers have no upper halves to clear.
func Clear() {}
