package vec

import (
	"math"

	"github.com/ddps-go/ddps/ddps/internal/vec/abi"
)

// Exp is e^x in float32, to about two units in the last place for |x| ≤ 87 and clamped beyond: 2ⁿ·e^r with
// |r| ≤ ½ log 2 and the polynomial of expf in Moshier's Cephes library. Vector kernels fuse its products into its sums.
func Exp(x float32) float32 {
	x = max(-87, min(87, x))
	n := float32(int32(x*math.Log2E+128.5)) - 128
	r := x - n*abi.Ln2Hi - n*abi.Ln2Lo
	c := &expPoly
	p := ((((c[0]*r+c[1])*r+c[2])*r+c[3])*r+c[4])*r + c[5]
	return (p*r*r + r + 1) * math.Float32frombits(uint32(int32(n)+127)<<23)
}

// Exps replaces each x by e^x, as Exp says. A number's place does not matter: with vectors, the last few are worked on
// in one too.
func Exps(x []float32) {
	whole := len(x) &^ 7
	switch at {
	case avx512:
		expsAVX512(first(x), first(x), whole)
	case avx2:
		expsAVX2(first(x), first(x), whole)
	default:
		for i, z := range x {
			x[i] = Exp(z)
		}
		return
	}
	if whole < len(x) {
		var y [8]float32
		copy(y[:], x[whole:])
		expsAVX2(&y[0], &y[0], 8)
		copy(x[whole:], y[:])
	}
}

// Silu is h = silu(y), with keep h += silu(y), of the same length: silu(z) = z/(1 + e^−z). h and y may be the same.
func Silu(h, y []Block, keep bool) {
	to, from := Flat(h), Flat(y[:len(h)])
	switch {
	case at == avx512 && keep:
		siluAddAVX512(first(to), first(from), len(to))
	case at == avx512:
		siluAVX512(first(to), first(from), len(to))
	case at == avx2 && keep:
		siluAddAVX2(first(to), first(from), len(to))
	case at == avx2:
		siluAVX2(first(to), first(from), len(to))
	default:
		siluPlain(to, from, keep)
	}
}

func siluPlain(to, from []float32, keep bool) {
	for j, z := range from {
		s := z / (1 + Exp(-z))
		if keep {
			s += to[j]
		}
		to[j] = s
	}
}

// SiluBack is d *= silu'(y), of the same length: silu'(z) = s·(1 + z·(1 − s)) with s = 1/(1 + e^−z).
func SiluBack(d, y []Block) {
	to, from := Flat(d), Flat(y[:len(d)])
	switch at {
	case avx512:
		siluBackAVX512(first(to), first(from), len(to))
	case avx2:
		siluBackAVX2(first(to), first(from), len(to))
	default:
		for j, z := range from {
			s := 1 / (1 + Exp(-z))
			to[j] *= s * (1 + z*(1-s))
		}
	}
}
