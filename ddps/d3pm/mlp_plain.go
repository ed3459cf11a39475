package d3pm

import "github.com/ddps-go/ddps/ddps/internal/octet"

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
			s := z / (1 + octet.Exp(-z))
			if keep {
				s += h[j][k]
			}
			h[j][k] = s
		}
	}
}

// mlpSiluBackPlain is d *= silu'(y).
func mlpSiluBackPlain(d, y []mlpLane) {
	for j := range d {
		for k, z := range y[j] {
			s := 1 / (1 + octet.Exp(-z))
			d[j][k] *= s * (1 + z*(1-s))
		}
	}
}

// mlpTurnAddPlain adds rows, [lane, unit], to y, units from j on.
func mlpTurnAddPlain(y []mlpLane, rows []float32, j int) {
	for ; j < len(y); j++ {
		for k := range y[j] {
			y[j][k] += rows[k*len(y)+j]
		}
	}
}

// mlpInputPlain is mlpInput.
func mlpInputPlain(h []mlpLane, sum, bias, in []float32, at []int32, n int) {
	rows := len(at) / mlpLanes
	sum = sum[:len(h)]
	for k := range n {
		copy(sum, bias)
		for _, a := range at[k*rows : (k+1)*rows] {
			mlpAddPlain(sum, in[a:][:len(sum)])
		}
		for j, z := range sum {
			h[j][k] = z
		}
	}
	mlpSiluPlain(h, h, false)
}
