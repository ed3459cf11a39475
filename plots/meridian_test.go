package plots

import (
	"math"
	"testing"
)

// TestMapAcross180: a town across the 180th meridian has the picture of the same town elsewhere.
func TestMapAcross180(t *testing.T) {
	a := Map{Places: [][2]float64{{179.999, -16.8}, {-179.999, -16.8}, {180, -16.799}}}
	b := Map{Places: [][2]float64{{9.999, -16.8}, {10.001, -16.8}, {10, -16.799}}}
	a.unwrap()
	b.unwrap()
	for i := range a.Places {
		for k := range 2 {
			if d := a.Places[i][k] - a.Places[0][k] - b.Places[i][k] + b.Places[0][k]; math.Abs(d) > 1e-9 {
				t.Errorf("place %d: %v against %v", i, a.Places, b.Places)
			}
		}
	}
}
