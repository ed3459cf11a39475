package abi

// LogSeries returns that of log((1+s)/(1−s))/s − 2, in s², of Sun's fdlibm.
func LogSeries() [7]float64 {
	return [7]float64{6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
		2.222219843214978396e-01,
		1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01}
}

// ExpSeries returns 1/n! for n in 2…13.
func ExpSeries() [12]float64 {
	return [12]float64{1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800,
		1. / 39916800, 1. / 479001600, 1. / 6227020800}
}

// Constants of vec.Log and vec.ExpDown: log 2 in two parts, below which ExpDown is 0, and bits of float64.
const (
	Ln2High, Ln2Low = 6.93147180369123816490e-01, 1.90821492927058770002e-10
	Lowest          = -708.0
	Rounder         = 3 << 51 // added and taken away again, it rounds to a whole number
	Fraction        = 1<<52 - 1
	HalfBits        = 0x3fe << 52
	WholeBits       = 0x433 << 52
)

// Ln2Hi + Ln2Lo is log 2 in vec.Exp.
const Ln2Hi, Ln2Lo = 0.693359375, -2.12194440e-4

// ExpPoly returns the polynomial of vec.Exp, the greatest power first.
func ExpPoly() [6]float32 {
	return [6]float32{
		1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
	}
}

// The range within which messages need no logarithms; the least number with a finite inverse; the bound of λ·g.
const Least, Most, Normal, Limit = 0x1p-960, 0x1p960, 0x1p-1022, 1e300
