package vec

import (
	"math"

	"github.com/ddps-go/ddps/ddps/internal/vec/abi"
)

var logSeries, expSeries, expPoly = abi.LogSeries(), abi.ExpSeries(), abi.ExpPoly()

// Log is the logarithm of a finite x ≥ 0, to about a unit in the last place; vector kernels give the same bits. With
// x = 2ᵏ·m, m in [√½, √2), and s = (m−1)/(m+1) it is k·log 2 + log((1+s)/(1−s)).
func Log(x float64) float64 {
	if x == 0 {
		return math.Inf(-1)
	}
	less := 0.0
	if x < 0x1p-1022 {
		x, less = x*0x1p54, 54
	}
	b := math.Float64bits(x)
	k := math.Float64frombits(b>>52|abi.WholeBits) - (0x1p52 + 1022) - less
	m := math.Float64frombits(b&abi.Fraction | abi.HalfBits)
	if m < math.Sqrt2/2 {
		m, k = m+m, k-1
	}
	f := m - 1
	s := f / (2 + f)
	z, c := float64(s*s), &logSeries
	p := float64(float64(float64(c[6]*z)+c[5])*z) + c[4]
	p = float64(float64(float64(p*z)+c[3])*z) + c[2]
	p = float64(float64(float64(p*z)+c[1])*z) + c[0]
	h := float64(0.5 * f * f)
	low := float64(s*(h+float64(p*z))) + float64(k*abi.Ln2Low)
	return float64(k*abi.Ln2High) - ((h - low) - f)
}

// ExpDown is e^x for x ≤ 0, to about a unit in the last place and 0 below −708; vector kernels give the same bits. With
// x = k·log 2 + r it is 2ᵏ·e^r, by the power series.
func ExpDown(x float64) float64 {
	if x < abi.Lowest {
		return 0
	}
	t := float64(x*math.Log2E) + abi.Rounder
	k := t - abi.Rounder
	r := (x - float64(k*abi.Ln2High)) - float64(k*abi.Ln2Low)
	c := &expSeries
	p := float64(float64(float64(c[11]*r)+c[10])*r) + c[9]
	p = float64(float64(float64(p*r)+c[8])*r) + c[7]
	p = float64(float64(float64(p*r)+c[6])*r) + c[5]
	p = float64(float64(float64(p*r)+c[4])*r) + c[3]
	p = float64(float64(float64(p*r)+c[2])*r) + c[1]
	p = float64(p*r) + c[0]
	e := 1 + (r + float64(float64(r*r)*p))
	return e * math.Float64frombits(math.Float64bits(t)<<52+0x3ff<<52)
}

// SoftmaxRow sets p to the softmax of the logits z, both a row of more than one; they may be the same. A logit of −Inf
// gives exactly 0; where the greatest is infinite it is even over those that reach it.
func SoftmaxRow(z, p []float64) {
	top := math.Inf(-1)
	for _, x := range z {
		top = max(top, x)
	}
	sum := 0.0
	for i, x := range z {
		switch {
		case !math.IsInf(top, 0):
			p[i] = ExpDown(x - top)
		case x == top:
			p[i] = 1
		default:
			p[i] = 0
		}
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
}
