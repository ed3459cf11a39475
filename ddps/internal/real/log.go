// Package real has functions of real numbers that are right for every float64.
package real

import "math"

// Log is math.Log, right for subnormal x too: on amd64 math.Log takes an x below 2⁻¹⁰²² for (x + 2⁻¹⁰²²)/2.
func Log(x float64) float64 {
	less := 0.0
	if x < 0x1p-1022 {
		x, less = x*0x1p54, 54*math.Ln2
	}
	return math.Log(x) - less
}
