package vec

import "unsafe"

// Logs replaces each x by Log(x), with its bits.
func Logs(x []float64) {
	whole, p := len(x)&^7, unsafe.SliceData(x)
	switch at {
	case avx512:
		logsAVX512(p, p, whole)
	case avx2:
		logsAVX2(p, p, whole)
	default:
		whole = 0
	}
	for i, z := range x[whole:] {
		x[whole+i] = Log(z)
	}
}

// ExpsDown replaces each x by ExpDown(x), with its bits.
func ExpsDown(x []float64) {
	whole, p := len(x)&^7, unsafe.SliceData(x)
	switch at {
	case avx512:
		expsDownAVX512(p, p, whole)
	case avx2:
		expsDownAVX2(p, p, whole)
	default:
		whole = 0
	}
	for i, z := range x[whole:] {
		x[whole+i] = ExpDown(z)
	}
}
