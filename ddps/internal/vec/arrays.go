package vec

import "unsafe"

// Add is sum += x, of the same length.
func Add(sum, x []float32) {
	n := len(sum)
	x = x[:n]
	whole := n &^ 7
	switch at {
	case avx512:
		plusAVX512(first(sum), first(sum), first(x), whole)
	case avx2:
		plusAVX2(first(sum), first(sum), first(x), whole)
	default:
		whole = 0
	}
	for j := whole; j < n; j++ {
		sum[j] += x[j]
	}
}

// Average is mean = (x + y)/2, all of the same length.
func Average(mean, x, y []float32) {
	n := len(mean)
	x, y = x[:n], y[:n]
	whole := n &^ 7
	switch at {
	case avx512:
		averageAVX512(first(mean), first(x), first(y), whole)
	case avx2:
		averageAVX2(first(mean), first(x), first(y), whole)
	default:
		whole = 0
	}
	for j := whole; j < n; j++ {
		mean[j] = (x[j] + y[j]) / 2
	}
}

// Axpy is sum += a·x, of the same length.
func Axpy(sum, x []float32, a float32) {
	n := len(sum)
	x = x[:n]
	whole := n &^ 7
	switch at {
	case avx512:
		axpyAVX512(first(sum), first(x), a, whole)
	case avx2:
		axpyAVX2(first(sum), first(x), a, whole)
	default:
		whole = 0
	}
	for j := whole; j < n; j++ {
		sum[j] += a * x[j]
	}
}

// Gather adds to sum the rows of from, [rows, len(sum)], whose numbers are in at.
func Gather(sum, from []float32, at []int32) { sumRows(sum, sum, from, at, len(sum)) }

// sumRows sets sum to bias and the rows of in, of its length, that start at scale·rows[r], added in order. sum and bias
// may be the same.
func sumRows(sum, bias, in []float32, rows []int32, scale int) {
	n := len(sum)
	bias = bias[:n]
	for _, r := range rows {
		_ = in[int(r)*scale:][:n]
	}
	whole := n &^ 7
	from := unsafe.SliceData(rows)
	switch at {
	case avx512:
		sumRowsAVX512(first(sum), first(bias), first(in), from, scale, whole, len(rows))
	case avx2:
		sumRowsAVX2(first(sum), first(bias), first(in), from, scale, whole, len(rows))
	default:
		whole = 0
	}
	if whole == n {
		return
	}
	copy(sum[whole:], bias[whole:])
	sum = sum[whole:]
	for _, r := range rows {
		row := in[int(r)*scale+whole:][:len(sum)]
		for j, x := range row {
			sum[j] += x
		}
	}
}

// Norm sets y to x over the root mean square of its channels, x/√(Σ x²/C + eps), if eps > 0, else to x; then, with
// film, [2, C], to film[0]·y + film[1] by channel. len(x) = len(y) = C.
func Norm(y, x []Block, film []float32, eps float32) {
	n, count := len(y), float32(0)
	x = x[:n]
	if film != nil {
		film = film[:2*n]
	}
	if eps > 0 {
		count = float32(n)
	}
	switch at {
	case avx512:
		normAVX512(unsafe.SliceData(y), unsafe.SliceData(x), first(film), n, count, eps)
	case avx2:
		normAVX2(unsafe.SliceData(y), unsafe.SliceData(x), first(film), n, count, eps)
	default:
		normPlain(y, x, film, eps)
	}
}
