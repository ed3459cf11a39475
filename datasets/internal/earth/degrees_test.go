package earth_test

import (
	"math"
	"testing"

	"github.com/ddps-go/ddps/datasets/internal/earth"
)

func TestDegrees(t *testing.T) {
	bad := math.NaN()
	for _, c := range []struct {
		text  string
		limit float64
		want  float64
	}{
		{"60.17", 90, 60.17}, {" -24.5 ", 180, -24.5}, {"24,95", 180, 24.95}, {"-24,95", 180, -24.95},
		{"60.17°", 90, 60.17}, {"60.17° N", 90, 60.17}, {"S 33.5", 90, -33.5}, {"0.5W", 180, -.5},
		{"60°10'12\"N", 90, 60.17}, {"24° 57′ 0″ E", 180, 24.95}, {"60°10.2'", 90, 60.17}, {"-60°10'12''", 90, -60.17},
		{"-0°30'", 90, -.5}, {"24 E", 90, bad}, {"N 24", 180, bad}, {"91", 90, bad}, {"-5 S", 90, bad},
		{"60°61'", 90, bad}, {"60.5°10'", 90, bad}, {"NaN", 90, bad}, {"", 90, bad}, {"N", 90, bad}, {"1,2,3", 90, bad},
		{"60 10", 90, bad}, {"1.234,5", 180, bad}, {"10'", 90, bad}, {"5°5", 90, bad},
	} {
		x, comma, ok := earth.Degrees(c.text, c.limit)
		if ok == math.IsNaN(c.want) || ok && math.Abs(x-c.want) > 1e-12 {
			t.Errorf("%q: %v, %v, expected %v", c.text, x, ok, c.want)
		}
		if want := c.text == "24,95" || c.text == "-24,95"; ok && comma != want {
			t.Errorf("%q: comma %v", c.text, comma)
		}
	}
}

func TestPair(t *testing.T) {
	for text, want := range map[string][2]string{"60.17,24.95": {"60.17", "24.95"}, "(60.17, 24.95)": {"60.17", "24.95"},
		"60,17; 24,95": {"60,17", "24,95"}, "60,17, 24,95": {"60,17", "24,95"}, "60.17 24.95": {"60.17", "24.95"}} {
		if a, b, ok := earth.Pair(text); !ok || a != want[0] || b != want[1] {
			t.Errorf("%q: %q, %q", text, a, b)
		}
	}
	if _, _, ok := earth.Pair("60,17,24,95"); ok {
		t.Error("four numbers are a pair")
	}
}
