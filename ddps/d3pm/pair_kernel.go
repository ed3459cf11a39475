//go:build !goexperiment.simd || !amd64

package d3pm

func pairGather(dst, base, src []pairVec, at []int32, w []float32) {
	pairGatherPlain(dst, base, src, at, w)
}
func pairDots(out []float32, x, src []pairVec, at []int32) { pairDotsPlain(out, x, src, at) }
func pairMul(dst, x, y []pairVec)                          { pairMulPlain(dst, x, y) }
func pairAxpy(dst, x []pairVec, w float32)                 { pairAxpyPlain(dst, x, w) }
func pairDotDiff(a, u, b []pairVec) float32                { return pairDotDiffPlain(a, u, b) }
func pairBackS(s, db, dc, b, c, a []pairVec, t float32)    { pairBackSPlain(s, db, dc, b, c, a, t) }
func pairBackA(da, s, u, b []pairVec, t float32)           { pairBackAPlain(da, s, u, b, t) }
