package safetensors

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/x448/float16"
)

// halves returns x as float16, in bits, each rounded to the nearest. The error names a number that is beyond its range.
func halves(x []float32) ([]uint16, error) {
	y := make([]uint16, len(x))
	for i, z := range x {
		h := float16.Fromfloat32(z)
		if h.IsInf(0) && !math.IsInf(float64(z), 0) {
			return nil, fmt.Errorf("entry %d: %g is beyond the range of float16", i, z)
		}
		y[i] = h.Bits()
	}
	return y, nil
}

// wholes returns the float16 of data as float32.
func wholes(data []byte) []float32 {
	y := make([]float32, len(data)/2)
	for i := range y {
		y[i] = float16.Frombits(binary.LittleEndian.Uint16(data[2*i:])).Float32()
	}
	return y
}
