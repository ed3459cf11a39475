package vec

// Gates is a step of a gated recurrent unit (Cho et al. 2014, as in cuDNN) from what the input and the state give its
// gates: g, [3, units], are the input's sums for c, r and z, in this order, and a, [3, units], the state's for r, z and
// c. It sets
//
//	r = σ(g₁ + a₀)    z = σ(g₂ + a₁)    c = tanh(g₀ + r·a₂)    to = c + z·(h − c)
//
// and g to c, r and z. h and to, [units], may be the same.
func Gates(g, a, h, to []Block) {
	n := len(to)
	g, a, h = g[:3*n], a[:3*n], h[:n]
	switch at {
	case avx512:
		gatesAVX512(&Flat(g)[0], &Flat(a)[0], &Flat(h)[0], &Flat(to)[0], n*Lanes)
	case avx2:
		gatesAVX2(&Flat(g)[0], &Flat(a)[0], &Flat(h)[0], &Flat(to)[0], n*Lanes)
	default:
		gatesPlain(Flat(g), Flat(a), Flat(h), Flat(to))
	}
}

func gatesPlain(g, a, h, to []float32) {
	n := len(to)
	for j := range to {
		r := 1 / (1 + Exp(-(g[n+j] + a[j])))
		z := 1 / (1 + Exp(-(g[2*n+j] + a[n+j])))
		c := 2/(1+Exp(-2*(g[j]+r*a[2*n+j]))) - 1
		to[j] = c + z*(h[j]-c)
		g[j], g[n+j], g[2*n+j] = c, r, z
	}
}

// GatesBack is Gates' way back: from d, [units], the gradient by to, g as Gates left it, a₂ and h, both [units], it
// sets to, [4, units], to the gradients by g₀, g₁ = a₀ + …, g₂ = a₁ + … and a₂, and d to the part of the gradient by h
// that does not pass through a.
func GatesBack(d, g, a2, h, to []Block) {
	n := len(d)
	g, a2, h, to = g[:3*n], a2[:n], h[:n], to[:4*n]
	switch at {
	case avx512:
		gatesBackAVX512(&Flat(d)[0], &Flat(g)[0], &Flat(a2)[0], &Flat(h)[0], &Flat(to)[0], n*Lanes)
	case avx2:
		gatesBackAVX2(&Flat(d)[0], &Flat(g)[0], &Flat(a2)[0], &Flat(h)[0], &Flat(to)[0], n*Lanes)
	default:
		gatesBackPlain(Flat(d), Flat(g), Flat(a2), Flat(h), Flat(to))
	}
}

func gatesBackPlain(d, g, a2, h, to []float32) {
	n := len(d)
	for j, dh := range d {
		c, r, z := g[j], g[n+j], g[2*n+j]
		d[j] = dh * z
		dc := (dh - d[j]) * (1 - c*c)
		to[j], to[n+j], to[2*n+j], to[3*n+j] = dc, dc*a2[j]*(r-r*r), (h[j]-c)*dh*(z-z*z), dc*r
	}
}

// Times is to = x·y, all of the same length.
func Times(to, x, y []float32) {
	n := len(to)
	x, y = x[:n], y[:n]
	whole := n &^ 7
	switch at {
	case avx512:
		timesAVX512(first(to), first(x), first(y), whole)
	case avx2:
		timesAVX2(first(to), first(x), first(y), whole)
	default:
		whole = 0
	}
	for j := whole; j < n; j++ {
		to[j] = x[j] * y[j]
	}
}

// DenseAdd adds Σ_i w[j, i]·x[i][:] to y[j·stride : j·stride+Lanes] for the outputs j in 0…outs−1; w is [outs, len(x)].
// Sums run as in Dense.
func DenseAdd(y []float32, stride int, w []float32, x []Block) {
	outs := len(w) / max(1, len(x))
	if outs == 0 {
		return
	}
	y = y[:(outs-1)*stride+Lanes]
	switch at {
	case avx512:
		denseAddAVX512(&y[0], &w[0], &x[0], outs, len(x), stride)
	case avx2:
		denseAddAVX2(&y[0], &w[0], &x[0], outs, len(x), stride)
	default:
		from := quarters(x)
		for j := range outs {
			for k := range Lanes / 4 {
				var part [4]float32
				denseFour(&part, w[j*len(x):], 0, from, k)
				for i, s := range part {
					y[j*stride+4*k+i] += s
				}
			}
		}
	}
}
