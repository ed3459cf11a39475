//go:build !goexperiment.simd || !amd64

package d3pm

func pairGather(dst, base, src []pairVec, at []int32, w []float32) {
	pairGatherPlain(dst, base, src, at, w)
}
func pairDots(out []float32, x, src []pairVec, at []int32) { pairDotsPlain(out, x, src, at) }
func pairMul(dst, x, y []pairVec)                          { pairMulPlain(dst, x, y) }
func pairAxpy(dst, x []pairVec, w float32)                 { pairAxpyPlain(dst, x, w) }
func pairTriple(c, x, u, b []pairVec) float32              { return pairTriplePlain(c, x, u, b) }
func pairBackS(s, db, c, a []pairVec, t float32)           { pairBackSPlain(s, db, c, a, t) }
func pairBackA(da, dc, s, u, b, a, c []pairVec, t float32) { pairBackAPlain(da, dc, s, u, b, a, c, t) }
