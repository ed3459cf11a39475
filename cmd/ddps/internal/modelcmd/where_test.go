package modelcmd

import (
	"math"
	"testing"
)

func TestNumbersAsText(t *testing.T) {
	for got, want := range map[string]string{
		probability(math.Log(.25)): "0.250", probability(-748.6): "7.71e-326 (log -748.60)", probability(math.Inf(-1)): "0",
		probability(math.NaN()):         "–",
		probability(math.Log(9.999e-9)): "1.00e-08 (log -18.42)", probability(1000): "1.97e+434 (log 1000.00)",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
