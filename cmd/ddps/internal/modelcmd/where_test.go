package modelcmd

import (
	"math"
	"math/big"
	"testing"
)

func TestNumbersAsText(t *testing.T) {
	for got, want := range map[string]string{
		probability(math.Log(.25)): "0.250", probability(-748.6): "7.71e-326 (log -748.60)", probability(math.Inf(-1)): "0",
		probability(math.NaN()):         "–",
		probability(math.Log(9.999e-9)): "1.00e-08 (log -18.42)", probability(1000): "1.97e+434 (log 1000.00)",
		probability(3e19): "e^(3e+19)", probability(-3e19): "e^(-3e+19)", probability(1e308): "e^(1e+308)",
		probability(math.Ln10 * 1e11): "1.00e+100000000000 (log 230258509299.40)", probability(1e12): "e^(1e+12)",
		withError(3e19, .1): "e^(3e+19) ± 10.0%", withError(math.Log(.5), math.NaN()): "0.500",
		withError(math.Log(.5), .02): "0.500 ± 0.010", withError(-800, .5): "3.67e-348 (log -800.00) ± 50.0%",
		ofAll(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(361), nil)): "1 of about 1.000e+361 (less than " +
			"1e-300%)",
		ofAll(big.NewInt(1), big.NewInt(3)): "1 of 3 (33.3%)", ofAll(big.NewInt(0), big.NewInt(3)): "0 of 3 (0%)",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
