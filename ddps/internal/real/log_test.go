package real

import (
	"math"
	"testing"
)

// The logarithm of each power of two, of the numbers beside it, and of what has none.
func TestLog(t *testing.T) {
	for k := -1074; k < 1024; k++ {
		x, want := math.Ldexp(1, k), float64(k)*math.Ln2
		if got := Log(x); math.Abs(got-want) > 4e-16*math.Abs(want) {
			t.Errorf("2^%d: %v, want %v", k, got, want)
		}
		if k >= -1022 {
			for _, y := range []float64{x, math.Nextafter(x, 2), 1.3 * x} {
				if Log(y) != math.Log(y) {
					t.Errorf("%v: other bits than math.Log's", y)
				}
			}
		}
	}
	if x := Log(1e-310); math.Abs(x+310*math.Ln10) > 1e-10 {
		t.Error(x)
	}
	if !math.IsInf(Log(0), -1) || !math.IsNaN(Log(-1e-310)) || !math.IsNaN(Log(math.NaN())) ||
		!math.IsInf(Log(math.Inf(1)), 1) {
		t.Error("0, negative numbers, NaN or infinity")
	}
}
