package vec

import "math"

// normPlain is Norm in plain Go: the reference, and what runs where there are no vector instructions.
func normPlain(y, x []Block, film []float32, eps float32) {
	var inv Block
	for k := range inv {
		inv[k] = 1
	}
	if eps > 0 {
		inv = Block{}
		for c := range x {
			for k, z := range x[c] {
				inv[k] += float32(z * z)
			}
		}
		for k, z := range inv {
			inv[k] = 1 / float32(math.Sqrt(float64(z/float32(len(x))+eps)))
		}
	}
	for c := range y {
		scale, shift := float32(1), float32(0)
		if film != nil {
			scale, shift = film[c], film[len(x)+c]
		}
		for k, z := range x[c] {
			y[c][k] = float32(z*inv[k]*scale) + shift
		}
	}
}
