package modelcmd

import (
	"math"
	"testing"
)

func TestNumbersAsText(t *testing.T) {
	for got, want := range map[string]string{
		withError(.6097059, 1.2e-8): "0.609705900 ± 0.000000012", withError(.5, .0123): "0.500 ± 0.012",
		withError(1234.5, 21):      "1234 ± 21",
		withError(3.2e-9, 4.1e-10): "(3.20 ± 0.41)e-09", withError(.5, 0): "0.500 ± 0",
		withError(2e7, 3e5):        "(2.000 ± 0.030)e+07",
		probability(math.Log(.25)): "0.250", probability(-748.6): "7.71e-326 (log -748.60)", probability(math.Inf(-1)): "0",
		probability(math.NaN()):         "–",
		probability(math.Log(9.999e-9)): "1.00e-08 (log -18.42)", probability(1000): "1.97e+434 (log 1000.00)",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
