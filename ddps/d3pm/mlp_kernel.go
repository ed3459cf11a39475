//go:build !goexperiment.simd || !amd64

package d3pm

import "github.com/ddps-go/ddps/ddps/internal/octet"

// mlpLanes is how many samples go through the network together. Four keep the kernel's eight sums, four inputs
// and two weights in registers; without vector instructions more gains nothing (32 lanes: half the speed).
const mlpLanes = 4

// mlpDense is y[j][:] = b[j] + Σ_i w[j, i]·x[i][:], two outputs at a time.
func mlpDense(y []mlpLane, w, b []float32, x []mlpLane) {
	n, j := len(x), 0
	for ; j+1 < len(y); j += 2 {
		u, v := w[j*n:][:len(x)], w[(j+1)*n:][:len(x)]
		p0, p1, p2, p3 := b[j], b[j], b[j], b[j]
		q0, q1, q2, q3 := b[j+1], b[j+1], b[j+1], b[j+1]
		for i := range x {
			a, c := u[i], v[i]
			x0, x1, x2, x3 := x[i][0], x[i][1], x[i][2], x[i][3]
			p0 += a * x0
			q0 += c * x0
			p1 += a * x1
			q1 += c * x1
			p2 += a * x2
			q2 += c * x2
			p3 += a * x3
			q3 += c * x3
		}
		y[j], y[j+1] = mlpLane{p0, p1, p2, p3}, mlpLane{q0, q1, q2, q3}
	}
	if j < len(y) {
		mlpDensePlain(y[j:], w[j*n:], b[j:], x)
	}
}

func mlpAdd(sum, row []float32)                 { mlpAddPlain(sum, row) }
func mlpGather(sum, from []float32, at []int32) { mlpGatherPlain(sum, from, at, 0) }
func mlpAxpy(sum, row []float32, a float32)     { mlpAxpyPlain(sum, row, a) }
func mlpSilu(h, y []mlpLane, keep bool)         { mlpSiluPlain(h, y, keep) }
func mlpSiluBack(d, y []mlpLane)                { mlpSiluBackPlain(d, y) }
func mlpTurnAdd(y []mlpLane, rows []float32)    { mlpTurnAddPlain(y, rows, 0) }
func mlpAddLane(sum []float32, x *mlpLane)      { mlpAddPlain(sum, x[:]) }

// mlpInput is the first layer: h[:][k] = silu(bias + Σ_r the row of in that starts at at[k, r]) for k below n. sum is room.
func mlpInput(h []mlpLane, sum, bias, in []float32, at []int32, n int) {
	mlpInputPlain(h, sum, bias, in, at, n)
}

// mlpSingles is y as groups of eight lanes; there are none here.
func mlpSingles([]mlpLane) []octet.Single { return nil }
