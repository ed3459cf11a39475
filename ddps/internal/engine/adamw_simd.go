//go:build goexperiment.simd && amd64

package engine

import "simd/archsimd"

// update is plain, with its bits, in AVX-512 where there is any.
func (a *adamW) update(w, g, m, v, mean []float32) (odd float32) {
	n := len(w)
	if !archsimd.X86.AVX512() {
		return a.plain(w, g, m, v, mean)
	}
	all := archsimd.BroadcastFloat64x8
	beta1, beta2, rest1, rest2 := all(a.beta1), all(a.beta2), all(1-a.beta1), all(1-a.beta2)
	scale, decay, step, eps, keep, rest := all(a.scale), all(a.decay), all(a.step), all(a.eps), all(a.keep), all(1-a.keep)
	load := func(x []float32, j int) archsimd.Float64x8 {
		return archsimd.LoadFloat32x8Slice(x[j:]).ConvertToFloat64()
	}
	sum, j := archsimd.Float32x8{}, 0
	for ; j+8 <= n; j += 8 {
		x, old := scale.Mul(load(g, j)), load(w, j)
		mj := beta1.Mul(load(m, j)).Add(rest1.Mul(x))
		vj := beta2.Mul(load(v, j)).Add(rest2.Mul(x).Mul(x))
		wj := old.Sub(decay.Mul(old).Add(step.Mul(mj).Div(vj.Sqrt().Add(eps))))
		m32, v32, w32 := mj.ConvertToFloat32(), vj.ConvertToFloat32(), wj.ConvertToFloat32()
		m32.StoreSlice(m[j:])
		v32.StoreSlice(v[j:])
		w32.StoreSlice(w[j:])
		keep.Mul(load(mean, j)).Add(rest.Mul(wj)).ConvertToFloat32().StoreSlice(mean[j:])
		sum = sum.Add(w32.Sub(w32)).Add(v32.Sub(v32))
	}
	var each [8]float32
	sum.Store(&each)
	archsimd.ClearAVXUpperBits()
	for _, x := range each {
		odd += x
	}
	return odd + a.plain(w[j:], g[j:], m[j:], v[j:], mean[j:])
}
