package vec

import "unsafe"

// Lanes is how many samples the kernels of networks work on together: sixteen at a time in AVX-512, eight in AVX2.
const Lanes = 32

// Block is one unit's value in each of the samples.
type Block = [Lanes]float32

// Dense sets y[j][:] = b[j] + Σ_i w[j, i]·x[i][:] for every output j; w is [len(y), len(x)]. Each lane's sum runs over
// i in order, so that AVX-512 and AVX2, which fuse each product into its sum, give the same bits.
func Dense(y []Block, w, b []float32, x []Block) { DensePart(y, w, len(x), b, x) }

// DensePart is Dense with some columns of w, whose rows are stride numbers apart.
func DensePart(y []Block, w []float32, stride int, b []float32, x []Block) {
	if len(y) == 0 {
		return
	}
	w, b = w[:(len(y)-1)*stride+len(x)], b[:len(y)]
	switch at {
	case avx512:
		denseAVX512(unsafe.SliceData(y), first(w), first(b), unsafe.SliceData(x), len(y), len(x), stride)
	case avx2:
		denseAVX2(unsafe.SliceData(y), first(w), first(b), unsafe.SliceData(x), len(y), len(x), stride)
	default:
		densePlain(y, w, stride, b, x)
	}
}

// first returns a pointer to the first entry of x.
func first[T any](x []T) *T { return unsafe.SliceData(x) }

// densePlain is Dense, of four lanes at a time: more sums leave no registers for the products.
func densePlain(y []Block, w []float32, stride int, b []float32, x []Block) {
	from, to := quarters(x), quarters(y)
	for j := range to {
		for k := range to[j] {
			denseFour(&to[j][k], w[j*stride:], b[j], from, k)
		}
	}
}

// quarters returns the lanes of x by fours.
func quarters(x []Block) [][8][4]float32 {
	return unsafe.Slice((*[8][4]float32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// denseFour sets y to an output of weights w and bias b, in the lanes 4k…4k+3.
func denseFour(y *[4]float32, w []float32, b float32, x [][8][4]float32, k int) {
	s0, s1, s2, s3 := b, b, b, b
	w = w[:len(x)]
	for i := range x {
		a, z := w[i], &x[i][k&7]
		s0 += a * z[0]
		s1 += a * z[1]
		s2 += a * z[2]
		s3 += a * z[3]
	}
	*y = [4]float32{s0, s1, s2, s3}
}

// DenseInput is a first layer of embeddings: h[j][k] = silu(bias[j] + Σ_r in[at[k, r] + j]) for the lanes k below n.
// at, [Lanes, rows], is where in in each embedding starts; sum is room for [Lanes, len(h)].
func DenseInput(h []Block, sum, bias, in []float32, at []int32, n int) {
	H, rows := len(h), len(at)/Lanes
	sumRows(sum[:n*H], bias[:H], in, at[:n*rows], 1, n)
	turn(Flat(h), sum, Lanes, H, (n+7)&^7, H, false)
	Silu(h, h, false)
}

// Flat returns the numbers of x.
func Flat(x []Block) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*Lanes)
}

// Singles returns x as groups of eight lanes: unit j of lanes 8i…8i+7 at 4·j + i.
func Singles(x []Block) []Single {
	return unsafe.Slice((*Single)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*Lanes/8)
}
