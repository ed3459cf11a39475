package octet

import "math"

// Exp is e^x in float32, to about two units in the last place for |x| ≤ 87 and clamped beyond: 2ⁿ·e^r with
// |r| ≤ ½ log 2 and the polynomial of expf in Moshier's Cephes library. Vector kernels fuse its products into its sums.
func Exp(x float32) float32 {
	x = max(-87, min(87, x))
	n := float32(int32(x*math.Log2E+128.5)) - 128
	r := x - n*ln2Hi - n*ln2Lo
	c := &expPoly
	p := ((((c[0]*r+c[1])*r+c[2])*r+c[3])*r+c[4])*r + c[5]
	return (p*r*r + r + 1) * math.Float32frombits(uint32(int32(n)+127)<<23)
}

const ln2Hi, ln2Lo = 0.693359375, -2.12194440e-4

var expPoly = [6]float32{
	1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
}

func expsPlain(x []float32) {
	for i, z := range x {
		x[i] = Exp(z)
	}
}
