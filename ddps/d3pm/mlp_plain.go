package d3pm

import "math"

// The kernels of the MLP in plain Go: what the vector kernels (GOEXPERIMENT=simd) are tested against and fall
// back on.

// mlpDensePlain is y[j][:] = b[j] + Σ_i w[j, i]·x[i][:].
func mlpDensePlain(y []mlpLane, w, b []float32, x []mlpLane) {
	for j := range y {
		var sum mlpLane
		for k := range sum {
			sum[k] = b[j]
		}
		for i, a := range w[j*len(x) : (j+1)*len(x)] {
			for k := range sum {
				sum[k] += a * x[i][k]
			}
		}
		y[j] = sum
	}
}

// mlpAddPlain is sum += row.
func mlpAddPlain(sum, row []float32) {
	row = row[:len(sum)]
	for j := range sum {
		sum[j] += row[j]
	}
}

// mlpGatherPlain adds to sum the rows of from, of its length, whose numbers are in at; entries from j on.
func mlpGatherPlain(sum, from []float32, at []int32, j int) {
	n := len(sum)
	sum = sum[j:]
	for _, r := range at {
		row := from[int(r)*n+j:][:len(sum)]
		for i, x := range row {
			sum[i] += x
		}
	}
}

// mlpAxpyPlain is sum += a·row.
func mlpAxpyPlain(sum, row []float32, a float32) {
	row = row[:len(sum)]
	for j := range sum {
		sum[j] += a * row[j]
	}
}

// mlpSiluPlain is h = silu(y), with keep h += silu(y). h and y may be the same.
func mlpSiluPlain(h, y []mlpLane, keep bool) {
	for j := range h {
		for k, z := range y[j] {
			s := z / (1 + mlpExp(-z))
			if keep {
				s += h[j][k]
			}
			h[j][k] = s
		}
	}
}

// mlpExpsPlain is x = e^x.
func mlpExpsPlain(x []float32) {
	for i, z := range x {
		x[i] = mlpExp(z)
	}
}

// mlpExp is e^x in float32, to about two units in the last place for |x| ≤ 87 and clamped beyond: 2ⁿ·e^r with
// |r| ≤ ½ log 2 and the polynomial of expf in Moshier's Cephes library.
func mlpExp(x float32) float32 {
	x = max(-87, min(87, x))
	n := float32(int32(x*math.Log2E+128.5)) - 128
	r := x - n*mlpLn2Hi - n*mlpLn2Lo
	c := &mlpExpPoly
	p := ((((c[0]*r+c[1])*r+c[2])*r+c[3])*r+c[4])*r + c[5]
	return (p*r*r + r + 1) * math.Float32frombits(uint32(int32(n)+127)<<23)
}

const mlpLn2Hi, mlpLn2Lo = 0.693359375, -2.12194440e-4

var mlpExpPoly = [6]float32{
	1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
}
