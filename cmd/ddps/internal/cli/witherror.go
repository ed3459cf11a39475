package cli

import (
	"fmt"
	"math"
)

// WithError writes x and its standard error, rounded to two digits of the error; x alone where the error is not known
// (NaN), or no more than rounding.
func WithError(x, err float64) string {
	if math.IsNaN(err) || err > 0 && err < 1e-12*math.Abs(x) && !math.IsInf(x, 0) {
		return Real3(x)
	}
	if !(err > 0) || math.IsInf(err, 0) || math.IsNaN(x) || math.IsInf(x, 0) {
		return Real3(x) + " ± " + Real3(err)
	}
	scale, power := 1.0, ""
	if size := max(math.Abs(x), err); size < 1e-3 || size >= 1e6 {
		n := int(math.Floor(math.Log10(size)))
		scale, power = math.Pow(10, float64(n)), fmt.Sprintf("e%+03d", n)
	}
	digits := min(17, max(0, 1-int(math.Floor(math.Log10(err/scale)))))
	out := fmt.Sprintf("%.*f ± %.*f", digits, x/scale, digits, err/scale)
	if power != "" {
		out = "(" + out + ")" + power
	}
	return out
}

// NLL writes a negative log-likelihood in nats and its standard error: to four decimals, and to two digits of an error
// that four do not show. The error is left out where it is not known (NaN), as of one walk;
// without a number it is a dash.
func NLL(x, err float64) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case math.Abs(x) >= 1e15:
		return WithError(x, err)
	case math.IsNaN(err):
		return fmt.Sprintf("%.4f", x)
	}
	if err > 0 && err < 5e-4 {
		return WithError(x, err)
	}
	return fmt.Sprintf("%.4f ± %.4f", x, err)
}
