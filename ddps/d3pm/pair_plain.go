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
	out = out[:len(at)]
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
		for i := range pairWidth {
			dst[k][i] = x[k][i] * y[k][i]
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

// pairTriplePlain is ⟨c, x ⊙ (u − b)⟩.
func pairTriplePlain(c, x, u, b []pairVec) float32 {
	x, u, b = x[:len(c)], u[:len(c)], b[:len(c)]
	var s pairVec
	for k := range c {
		c, x, u, b := &c[k], &x[k], &u[k], &b[k]
		for i := range s {
			s[i] += c[i] * x[i] * (u[i] - b[i])
		}
	}
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

// pairBackSPlain is db += s, then s += t·c ⊙ a.
func pairBackSPlain(s, db, c, a []pairVec, t float32) {
	db, c, a = db[:len(s)], c[:len(s)], a[:len(s)]
	for k := range s {
		s, db, c, a := &s[k], &db[k], &c[k], &a[k]
		for i := range s {
			db[i] += s[i]
			s[i] += t * c[i] * a[i]
		}
	}
}

// pairBackAPlain is da += s + t·c ⊙ (u − b) and dc += t·a ⊙ (u − b).
func pairBackAPlain(da, dc, s, u, b, a, c []pairVec, t float32) {
	dc, s, u, b, a, c = dc[:len(da)], s[:len(da)], u[:len(da)], b[:len(da)], a[:len(da)], c[:len(da)]
	for k := range da {
		da, dc, s, u, b, a, c := &da[k], &dc[k], &s[k], &u[k], &b[k], &a[k], &c[k]
		for i := range da {
			x := t * (u[i] - b[i])
			da[i] += s[i] + c[i]*x
			dc[i] += a[i] * x
		}
	}
}
