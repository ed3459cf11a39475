package d3pm

// mlpLanes is how many samples go through the network together. Four keep the kernel's eight sums, four inputs
// and two weights in registers; a Go compiler without vector instructions gains nothing from more.
const mlpLanes = 4

// mlpDense is y[j][:] = b[j] + Σ_i w[j, i]·x[i][:], two outputs at a time.
func mlpDense(y []mlpLane, w, b []float32, x []mlpLane) {
	n, j := len(x), 0
	for ; j+1 < len(y); j += 2 {
		u, v := w[j*n:(j+1)*n], w[(j+1)*n:(j+2)*n]
		p0, p1, p2, p3 := b[j], b[j], b[j], b[j]
		q0, q1, q2, q3 := b[j+1], b[j+1], b[j+1], b[j+1]
		for i := range x {
			xi, a, c := &x[i], u[i], v[i]
			p0 += a * xi[0]
			p1 += a * xi[1]
			p2 += a * xi[2]
			p3 += a * xi[3]
			q0 += c * xi[0]
			q1 += c * xi[1]
			q2 += c * xi[2]
			q3 += c * xi[3]
		}
		y[j], y[j+1] = mlpLane{p0, p1, p2, p3}, mlpLane{q0, q1, q2, q3}
	}
	if j < len(y) {
		y[j] = mlpLane{b[j], b[j], b[j], b[j]}
		for i, a := range w[j*n : (j+1)*n] {
			for k := range y[j] {
				y[j][k] += a * x[i][k]
			}
		}
	}
}

// mlpAdd is sum += row.
func mlpAdd(sum, row []float32) {
	row = row[:len(sum)]
	for j := range sum {
		sum[j] += row[j]
	}
}

// mlpAxpy is sum += a·row.
func mlpAxpy(sum, row []float32, a float32) {
	row = row[:len(sum)]
	for j := range sum {
		sum[j] += a * row[j]
	}
}

// mlpSilu is h = silu(h).
func mlpSilu(h []mlpLane) {
	for j := range h {
		for k, z := range h[j] {
			h[j][k] = z / (1 + mlpExp(-z))
		}
	}
}

// mlpAddSilu is h += silu(y).
func mlpAddSilu(h, y []mlpLane) {
	for j := range h {
		for k, z := range y[j] {
			h[j][k] += z / (1 + mlpExp(-z))
		}
	}
}
