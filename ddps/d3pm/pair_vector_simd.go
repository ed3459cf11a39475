//go:build goexperiment.simd && amd64

package d3pm

import "simd/archsimd"

// mlpVector reports whether Pair's kernels can use vectors.
var mlpVector = archsimd.X86.AVX2() && archsimd.X86.FMA()
