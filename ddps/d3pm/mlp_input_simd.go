//go:build goexperiment.simd && amd64

package d3pm

import (
	"simd/archsimd"
	"unsafe"
)

// mlpInput is the first layer: h[:][k] = silu(bias + Σ_r the row of in that starts at at[k, r]) for k below n. sum is room.
func mlpInput(h []mlpLane, sum, bias, in []float32, at []int32, n int) {
	if !mlpVector {
		mlpInputPlain(h, sum, bias, in, at, n)
		return
	}
	rows, H := len(at)/mlpLanes, len(h)
	for k := range n {
		to := sum[k*H:][:H]
		j := 0
		if mlpWide {
			j = mlpSumWide(to, bias, in, at[k*rows:][:rows])
		}
		mlpSumNarrow(to[j:], bias[j:], in[j:], at[k*rows:][:rows])
	}
	j := 0
	for ; j+8 <= H; j += 8 {
		for k := 0; k < n; k += 8 {
			mlpTurn(h[j:j+8], k, sum[k*H+j:], H)
		}
	}
	archsimd.ClearAVXUpperBits()
	for ; j < H; j++ {
		for k := range n {
			h[j][k] = sum[k*H+j]
		}
	}
	mlpSilu(h, h, false)
}

// mlpTurn sets h[j][k+i] to sum[i·H + j], j and i in 0…7.
func mlpTurn(h []mlpLane, k int, sum []float32, H int) {
	a0, a1 := mlpPairs(mlpInts(sum, 0), mlpInts(sum, H))
	a2, a3 := mlpPairs(mlpInts(sum, 2*H), mlpInts(sum, 3*H))
	a4, a5 := mlpPairs(mlpInts(sum, 4*H), mlpInts(sum, 5*H))
	a6, a7 := mlpPairs(mlpInts(sum, 6*H), mlpInts(sum, 7*H))
	mlpTwo(&h[0], &h[4], k, a0.InterleaveLoGrouped(a2), a4.InterleaveLoGrouped(a6))
	mlpTwo(&h[1], &h[5], k, a0.InterleaveHiGrouped(a2), a4.InterleaveHiGrouped(a6))
	mlpTwo(&h[2], &h[6], k, a1.InterleaveLoGrouped(a3), a5.InterleaveLoGrouped(a7))
	mlpTwo(&h[3], &h[7], k, a1.InterleaveHiGrouped(a3), a5.InterleaveHiGrouped(a7))
}

func mlpInts(x []float32, at int) archsimd.Int32x8 {
	return archsimd.LoadFloat32x8((*[8]float32)(x[at:])).AsInt32x8()
}

// mlpPairs interleaves x and y within halves of four.
func mlpPairs(x, y archsimd.Int32x8) (lo, hi archsimd.Int64x4) {
	return x.InterleaveLoGrouped(y).AsInt64x4(), x.InterleaveHiGrouped(y).AsInt64x4()
}

// mlpTwo stores the lower halves of x and y in a and the upper in b.
func mlpTwo(a, b *mlpLane, k int, x, y archsimd.Int64x4) {
	mlpStore(a, k, x.Select128FromPair(0, 2, y).AsFloat32x8())
	mlpStore(b, k, x.Select128FromPair(1, 3, y).AsFloat32x8())
}

// mlpSumWide is sum = bias + Σ_r the row of in that starts at at[r], 64 entries at a time; it returns how many it did.
func mlpSumWide(sum, bias, in []float32, at []int32) (j int) {
	for ; j+64 <= len(sum); j += 64 {
		b := (*[4][16]float32)(unsafe.Pointer(&bias[j]))
		s0, s1 := archsimd.LoadFloat32x16(&b[0]), archsimd.LoadFloat32x16(&b[1])
		s2, s3 := archsimd.LoadFloat32x16(&b[2]), archsimd.LoadFloat32x16(&b[3])
		base := unsafe.Pointer(&in[j])
		for _, a := range at {
			row := (*[4][16]float32)(unsafe.Add(base, uintptr(a)*4))
			s0, s1 = s0.Add(archsimd.LoadFloat32x16(&row[0])), s1.Add(archsimd.LoadFloat32x16(&row[1]))
			s2, s3 = s2.Add(archsimd.LoadFloat32x16(&row[2])), s3.Add(archsimd.LoadFloat32x16(&row[3]))
		}
		to := (*[4][16]float32)(unsafe.Pointer(&sum[j]))
		s0.Store(&to[0])
		s1.Store(&to[1])
		s2.Store(&to[2])
		s3.Store(&to[3])
	}
	return j
}

// mlpSumNarrow is mlpSumWide, eight entries at a time, and then one by one.
func mlpSumNarrow(sum, bias, in []float32, at []int32) {
	j := 0
	for ; j+8 <= len(sum); j += 8 {
		s := archsimd.LoadFloat32x8((*[8]float32)(bias[j:]))
		for _, a := range at {
			s = s.Add(archsimd.LoadFloat32x8((*[8]float32)(in[int(a)+j:])))
		}
		s.Store((*[8]float32)(sum[j:]))
	}
	for ; j < len(sum); j++ {
		sum[j] = bias[j]
		for _, a := range at {
			sum[j] += in[int(a)+j]
		}
	}
}
