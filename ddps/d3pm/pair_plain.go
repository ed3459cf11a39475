package d3pm

// The kernels of Pair in plain Go: what the vector kernels (GOEXPERIMENT=simd) are tested against and fall back
// on. Vectors are n pairVecs, n the length of the destination; the compiler keeps the eight sums in registers.

// pairGatherPlain is dst = base + Σ_i w[i]·(the vector of src that starts at at[i]). dst and base may be the same.
func pairGatherPlain(dst, base, src []pairVec, at []int32, w []float32) {
	w, base = w[:len(at)], base[:len(dst)]
	for k := range dst {
		x := &base[k]
		s0, s1, s2, s3, s4, s5, s6, s7 := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
		for i, j := range at {
			q, y := w[i], &src[int(j)+k]
			s0 += q * y[0]
			s1 += q * y[1]
			s2 += q * y[2]
			s3 += q * y[3]
			s4 += q * y[4]
			s5 += q * y[5]
			s6 += q * y[6]
			s7 += q * y[7]
		}
		d := &dst[k]
		d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7] = s0, s1, s2, s3, s4, s5, s6, s7
	}
}

// pairDotsPlain is out[i] = ⟨x, the vector of src that starts at at[i]⟩.
func pairDotsPlain(out []float32, x, src []pairVec, at []int32) {
	for i, j := range at {
		ys := src[int(j):][:len(x)]
		var s0, s1, s2, s3, s4, s5, s6, s7 float32
		for k := range x {
			x, y := &x[k], &ys[k]
			s0 += x[0] * y[0]
			s1 += x[1] * y[1]
			s2 += x[2] * y[2]
			s3 += x[3] * y[3]
			s4 += x[4] * y[4]
			s5 += x[5] * y[5]
			s6 += x[6] * y[6]
			s7 += x[7] * y[7]
		}
		out[i] = ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
	}
}

// pairMulPlain is dst = x ⊙ y.
func pairMulPlain(dst, x, y []pairVec) {
	x, y = x[:len(dst)], y[:len(dst)]
	for k := range dst {
		d, x, y := &dst[k], &x[k], &y[k]
		for i := range d {
			d[i] = x[i] * y[i]
		}
	}
}

// pairAxpyPlain is dst += w·x.
func pairAxpyPlain(dst, x []pairVec, w float32) {
	x = x[:len(dst)]
	for k := range dst {
		d, x := &dst[k], &x[k]
		for i := range d {
			d[i] += w * x[i]
		}
	}
}

// pairDotDiffPlain is ⟨a, u − b⟩.
func pairDotDiffPlain(a, u, b []pairVec) float32 {
	u, b = u[:len(a)], b[:len(a)]
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for k := range a {
		x, u, b := &a[k], &u[k], &b[k]
		s0 += x[0] * (u[0] - b[0])
		s1 += x[1] * (u[1] - b[1])
		s2 += x[2] * (u[2] - b[2])
		s3 += x[3] * (u[3] - b[3])
		s4 += x[4] * (u[4] - b[4])
		s5 += x[5] * (u[5] - b[5])
		s6 += x[6] * (u[6] - b[6])
		s7 += x[7] * (u[7] - b[7])
	}
	return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
}

// pairBackSPlain is db += c ⊙ s and dc += b ⊙ s, then s += t·a.
func pairBackSPlain(s, db, dc, b, c, a []pairVec, t float32) {
	db, dc, b, c, a = db[:len(s)], dc[:len(s)], b[:len(s)], c[:len(s)], a[:len(s)]
	for k := range s {
		s, db, dc, b, c, a := &s[k], &db[k], &dc[k], &b[k], &c[k], &a[k]
		for i := range s {
			x := s[i]
			db[i] += c[i] * x
			dc[i] += b[i] * x
			s[i] = x + t*a[i]
		}
	}
}

// pairBackAPlain is da += s + t·(u − b).
func pairBackAPlain(da, s, u, b []pairVec, t float32) {
	s, u, b = s[:len(da)], u[:len(da)], b[:len(da)]
	for k := range da {
		da, s, u, b := &da[k], &s[k], &u[k], &b[k]
		for i := range da {
			da[i] += s[i] + t*(u[i]-b[i])
		}
	}
}
