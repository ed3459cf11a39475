//go:build goexperiment.simd && amd64

package d3pm

import "simd/archsimd"

func pairLoad(x *pairVec) archsimd.Float32x8 { return archsimd.LoadFloat32x8((*[pairWidth]float32)(x)) }

func pairStore(y *pairVec, x archsimd.Float32x8) { x.Store((*[pairWidth]float32)(y)) }

// pairGather is dst = base + Σ_i w[i]·(the vector of src that starts at at[i]), four pieces at a time: four sums in
// registers.
func pairGather(dst, base, src []pairVec, at []int32, w []float32) {
	if !mlpVector {
		pairGatherPlain(dst, base, src, at, w)
		return
	}
	w, base = w[:len(at)], base[:len(dst)]
	k := 0
	for ; k+3 < len(dst); k += 4 {
		b := (*[4]pairVec)(base[k : k+4])
		s0, s1, s2, s3 := pairLoad(&b[0]), pairLoad(&b[1]), pairLoad(&b[2]), pairLoad(&b[3])
		for i, j := range at {
			q, y := archsimd.BroadcastFloat32x8(w[i]), (*[4]pairVec)(src[int(j)+k:])
			s0, s1 = q.MulAdd(pairLoad(&y[0]), s0), q.MulAdd(pairLoad(&y[1]), s1)
			s2, s3 = q.MulAdd(pairLoad(&y[2]), s2), q.MulAdd(pairLoad(&y[3]), s3)
		}
		d := (*[4]pairVec)(dst[k : k+4])
		pairStore(&d[0], s0)
		pairStore(&d[1], s1)
		pairStore(&d[2], s2)
		pairStore(&d[3], s3)
	}
	for ; k < len(dst); k++ {
		s := pairLoad(&base[k])
		for i, j := range at {
			s = archsimd.BroadcastFloat32x8(w[i]).MulAdd(pairLoad(&src[int(j)+k]), s)
		}
		pairStore(&dst[k], s)
	}
	archsimd.ClearAVXUpperBits()
}

// pairDots is out[i] = ⟨x, the vector of src that starts at at[i]⟩, four at a time; out has room for a multiple of
// four. Nothing here may touch a single float32: that would switch from AVX to SSE and back, which is slow.
func pairDots(out []float32, x, src []pairVec, at []int32) {
	if !mlpVector {
		pairDotsPlain(out, x, src, at)
		return
	}
	for i := 0; i < len(at); i += 4 {
		last := len(at) - 1
		y0, y1 := src[at[i]:][:len(x)], src[at[min(i+1, last)]:][:len(x)]
		y2, y3 := src[at[min(i+2, last)]:][:len(x)], src[at[min(i+3, last)]:][:len(x)]
		a := pairLoad(&x[0])
		s0, s1, s2, s3 := a.Mul(pairLoad(&y0[0])), a.Mul(pairLoad(&y1[0])), a.Mul(pairLoad(&y2[0])), a.Mul(pairLoad(&y3[0]))
		for k := 1; k < len(x); k++ {
			a = pairLoad(&x[k])
			s0, s1 = a.MulAdd(pairLoad(&y0[k]), s0), a.MulAdd(pairLoad(&y1[k]), s1)
			s2, s3 = a.MulAdd(pairLoad(&y2[k]), s2), a.MulAdd(pairLoad(&y3[k]), s3)
		}
		pairHalf(s0).AddPairs(pairHalf(s1)).AddPairs(pairHalf(s2).AddPairs(pairHalf(s3))).Store((*[4]float32)(out[i:]))
	}
	archsimd.ClearAVXUpperBits()
}

// pairHalf adds the upper half of s to the lower.
func pairHalf(s archsimd.Float32x8) archsimd.Float32x4 { return s.GetLo().Add(s.GetHi()) }

// pairMul is dst = x ⊙ y.
func pairMul(dst, x, y []pairVec) {
	if !mlpVector {
		pairMulPlain(dst, x, y)
		return
	}
	x, y = x[:len(dst)], y[:len(dst)]
	for k := range dst {
		pairStore(&dst[k], pairLoad(&x[k]).Mul(pairLoad(&y[k])))
	}
	archsimd.ClearAVXUpperBits()
}

// pairAxpy is dst += w·x.
func pairAxpy(dst, x []pairVec, w float32) {
	if !mlpVector {
		pairAxpyPlain(dst, x, w)
		return
	}
	x = x[:len(dst)]
	q := archsimd.BroadcastFloat32x8(w)
	for k := range dst {
		pairStore(&dst[k], q.MulAdd(pairLoad(&x[k]), pairLoad(&dst[k])))
	}
	archsimd.ClearAVXUpperBits()
}

// pairDotDiff is ⟨a, u − b⟩.
func pairDotDiff(a, u, b []pairVec) float32 {
	if !mlpVector {
		return pairDotDiffPlain(a, u, b)
	}
	u, b = u[:len(a)], b[:len(a)]
	s := pairLoad(&a[0]).Mul(pairLoad(&u[0]).Sub(pairLoad(&b[0])))
	for k := 1; k < len(a); k++ {
		s = pairLoad(&a[k]).MulAdd(pairLoad(&u[k]).Sub(pairLoad(&b[k])), s)
	}
	var sum [4]float32
	pairHalf(s).Store(&sum)
	archsimd.ClearAVXUpperBits()
	return (sum[0] + sum[2]) + (sum[1] + sum[3])
}

// pairBackS is db += c ⊙ s and dc += b ⊙ s, then s += t·a.
func pairBackS(s, db, dc, b, c, a []pairVec, t float32) {
	if !mlpVector {
		pairBackSPlain(s, db, dc, b, c, a, t)
		return
	}
	db, dc, b, c, a = db[:len(s)], dc[:len(s)], b[:len(s)], c[:len(s)], a[:len(s)]
	q := archsimd.BroadcastFloat32x8(t)
	for k := range s {
		x := pairLoad(&s[k])
		pairStore(&db[k], pairLoad(&c[k]).MulAdd(x, pairLoad(&db[k])))
		pairStore(&dc[k], pairLoad(&b[k]).MulAdd(x, pairLoad(&dc[k])))
		pairStore(&s[k], q.MulAdd(pairLoad(&a[k]), x))
	}
	archsimd.ClearAVXUpperBits()
}

// pairBackA is da += s + t·(u − b).
func pairBackA(da, s, u, b []pairVec, t float32) {
	if !mlpVector {
		pairBackAPlain(da, s, u, b, t)
		return
	}
	s, u, b = s[:len(da)], u[:len(da)], b[:len(da)]
	q := archsimd.BroadcastFloat32x8(t)
	for k := range da {
		x := pairLoad(&da[k]).Add(pairLoad(&s[k]))
		pairStore(&da[k], q.MulAdd(pairLoad(&u[k]).Sub(pairLoad(&b[k])), x))
	}
	archsimd.ClearAVXUpperBits()
}
