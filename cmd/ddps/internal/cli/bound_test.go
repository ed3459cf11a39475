package cli

import (
	"math"
	"testing"
)

// A bound never reads 0 or 100% where it is not.
func TestBound(t *testing.T) {
	for x, want := range map[float64]string{0: "0.0%", .00047: "0.05%", .0004: "0.04%", .002: "0.2%", .5: "50.0%",
		.99953: "99.95%", 1: "100.0%"} {
		if got := Bound(x); got != want {
			t.Errorf("%v: %q, expected %q", x, got, want)
		}
	}
	if got := Bound(math.NaN()); got != "–" {
		t.Errorf("NaN: %q", got)
	}
}
