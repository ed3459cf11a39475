package vec

import (
	"math"
	"unsafe"
)

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
func Gather(sum, from []float32, at []int32) { sumRows(sum, sum, from, at, len(sum), 1) }

// sumRows sets each of so many sums, [sums, len(bias)], to bias and the rows of in that start at scale·rows[r], added
// in order; each has its share of rows. With one sum, sum and bias may be the same.
func sumRows(sum, bias, in []float32, rows []int32, scale, sums int) {
	if len(rows) == 0 || len(bias) == 0 {
		for k := range sums {
			copy(sum[k*len(bias):], bias)
		}
		return
	}
	n, each := len(bias), len(rows)/sums
	if len(in) < n {
		panic("vec: a row out of range")
	}
	over, last := int32(0), int32(min((len(in)-n)/scale, math.MaxInt32))
	for _, r := range rows {
		over |= r | (last - r)
	}
	if over < 0 {
		panic("vec: a row out of range")
	}
	whole := n &^ 7
	from := unsafe.SliceData(rows)
	switch at {
	case avx512:
		sumRowsAVX512(first(sum), first(bias), first(in), from, scale, whole, each, sums, n)
	case avx2:
		sumRowsAVX2(first(sum), first(bias), first(in), from, scale, whole, each, sums, n)
	default:
		whole = 0
	}
	if whole == n {
		return
	}
	for k := range sums {
		to := sum[k*n+whole:][:n-whole]
		copy(to, bias[whole:])
		for _, r := range rows[k*each:][:each] {
			for j, x := range in[int(r)*scale+whole:][:len(to)] {
				to[j] += x
			}
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
