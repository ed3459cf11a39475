//go:build !goexperiment.simd || !amd64

package engine

func (a *adamW) update(w, g, m, v, mean []float32) (odd float32) { return a.plain(w, g, m, v, mean) }
