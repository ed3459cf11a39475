//go:build goexperiment.simd && amd64

package vector

import "simd/archsimd"

// Clear clears the upper halves of the vector registers.
func Clear() { archsimd.ClearAVXUpperBits() }
