//go:build goexperiment.simd && amd64

package octet

import "math"

// logWide is Log of each. A shift of all by one number would go through an instruction of SSE.
func logWide(x vecWide, k int) vecWide {
	zero, small := x.Equal(vecWide{}), x.Less(broadcastWide(bitsOfNormal))
	x = x.Mul(loadWide(&logNumbers[0], k)).Merge(x, small)
	b := bitsWide(x)
	n := numberWide(b.ShiftRight(broadcastBitsWide(52)).Or(broadcastBitsWide(wholeBits))).Sub(loadWide(&logNumbers[2], k))
	n = n.Sub(loadWide(&logNumbers[1], k).Merge(vecWide{}, small))
	m := numberWide(b.And(broadcastBitsWide(fraction)).Or(broadcastBitsWide(halfBits)))
	one := loadWide(&logNumbers[4], k)
	low := m.Less(loadWide(&logNumbers[3], k))
	m, n = m.Add(m).Merge(m, low), n.Sub(one).Merge(n, low)
	f := m.Sub(one)
	s := f.Div(loadWide(&logNumbers[5], k).Add(f))
	z := s.Mul(s)
	c := (*[7]Lane)(logPoly)
	p := loadWide(&c[6], k)
	p = p.Mul(z).Add(loadWide(&c[5], k))
	p = p.Mul(z).Add(loadWide(&c[4], k))
	p = p.Mul(z).Add(loadWide(&c[3], k))
	p = p.Mul(z).Add(loadWide(&c[2], k))
	p = p.Mul(z).Add(loadWide(&c[1], k))
	p = p.Mul(z).Add(loadWide(&c[0], k))
	h := loadWide(&logNumbers[6], k).Mul(f).Mul(f)
	rest := s.Mul(h.Add(p.Mul(z))).Add(n.Mul(loadWide(&logNumbers[8], k)))
	y := n.Mul(loadWide(&logNumbers[7], k)).Sub(h.Sub(rest).Sub(f))
	return broadcastWide(bitsOfLowest).Merge(y, zero)
}

// expDownWide is ExpDown of each.
func expDownWide(x vecWide, k int) vecWide {
	none := x.Less(loadWide(&expNumbers[0], k))
	round := loadWide(&expNumbers[2], k)
	t := x.Mul(loadWide(&expNumbers[1], k)).Add(round)
	n := t.Sub(round)
	r := x.Sub(n.Mul(loadWide(&expNumbers[3], k))).Sub(n.Mul(loadWide(&expNumbers[4], k)))
	c := (*[12]Lane)(expPowers)
	p := loadWide(&c[11], k)
	p = p.Mul(r).Add(loadWide(&c[10], k))
	p = p.Mul(r).Add(loadWide(&c[9], k))
	p = p.Mul(r).Add(loadWide(&c[8], k))
	p = p.Mul(r).Add(loadWide(&c[7], k))
	p = p.Mul(r).Add(loadWide(&c[6], k))
	p = p.Mul(r).Add(loadWide(&c[5], k))
	p = p.Mul(r).Add(loadWide(&c[4], k))
	p = p.Mul(r).Add(loadWide(&c[3], k))
	p = p.Mul(r).Add(loadWide(&c[2], k))
	p = p.Mul(r).Add(loadWide(&c[1], k))
	p = p.Mul(r).Add(loadWide(&c[0], k))
	e := loadWide(&expNumbers[5], k).Add(r.Add(r.Mul(r).Mul(p)))
	scale := numberWide(bitsWide(t).ShiftLeft(broadcastBitsWide(52)).Add(broadcastBitsWide(bitsOfOne)))
	return vecWide{}.Merge(e.Mul(scale), none)
}

// guideWide is Guide.
func guideWide(g *Graph, law, grad []Lane, lambda float64, logs bool) {
	by, most, least := broadcastWide(math.Float64bits(lambda)), broadcastWide(bitsOfLimit), broadcastWide(bitsOfLowLimit)
	for _, v := range g.Rows {
		a, b := g.First[v], g.First[v+1]
		row := law[a:b]
		odd := uint8(0)
		for k := 0; k < Width; k += stepWide {
			top := broadcastWide(bitsOfLowest)
			for i := range row {
				z := loadWide(&row[i], k)
				if !logs {
					z = logWide(z, k)
				}
				if grad != nil {
					z = z.Add(by.Mul(loadWide(&grad[int(a)+i], k)).Max(least).Min(most))
				}
				storeWide(&row[i], k, z)
				top = z.Max(top)
			}
			fine := top.Less(broadcastWide(bitsOfGreatest)).And(top.Greater(broadcastWide(bitsOfLeastOfAll)))
			if all := uint8(1<<stepWide - 1); fine.ToBits() != all {
				odd |= all << k
			} else {
				softmaxWide(row, top, k)
			}
		}
		if odd != 0 {
			guideOdd(row, odd)
		}
	}
}

// softmaxWide is SoftmaxRow of rows whose greatest is top, a finite number.
func softmaxWide(row []Lane, top vecWide, k int) {
	var sum vecWide
	for i := range row {
		p := expDownWide(loadWide(&row[i], k).Sub(top), k)
		storeWide(&row[i], k, p)
		sum = sum.Add(p)
	}
	for i := range row {
		storeWide(&row[i], k, loadWide(&row[i], k).Div(sum))
	}
}

// annealedWide is Annealed.
func annealedWide(g *Graph, s *Step, pi, law []Lane) {
	for k := 0; k < Width; k += stepWide {
		at, rest, one := loadWide(&s.At, k), loadWide(&s.Rest, k), broadcastWide(bitsOfOne)
		for _, v := range g.Rows {
			row, from := law[g.First[v]:g.First[v+1]], pi[g.First[v]:g.First[v+1]]
			from = from[:len(row)]
			var sum, n, zero vecWide
			for i := range row {
				p := loadWide(&from[i], k)
				z := logWide(p, k)
				storeWide(&row[i], k, z)
				some := p.Greater(zero)
				sum = sum.Add(z).Merge(sum, some)
				n = n.Add(one).Merge(n, some)
			}
			mean := rest.Mul(sum).Div(n)
			for i := range row {
				storeWide(&row[i], k, at.Mul(loadWide(&row[i], k)).Add(mean))
			}
		}
	}
}

// ascendWide is Ascend where p is known; u is the numbers' bits.
func ascendWide(g *Graph, u []uint64, pi, grad, p, w []Lane) {
	for k := 0; k < Width; k += stepWide {
		for v := len(g.First) - 2; v >= 0; v-- {
			a, b := g.First[v], g.First[v+1]
			row, heads, reward := pi[a:b], g.Head[a:b], u[a:b]
			heads, reward = heads[:len(row)], reward[:len(row)]
			var sum vecWide
			for i := range row {
				sum = sum.Add(loadWide(&row[i], k).Mul(broadcastWide(reward[i]).Add(loadWide(&w[heads[i]], k))))
			}
			storeWide(&w[v], k, sum)
		}
		for v := range len(g.First) - 1 {
			a, b := g.First[v], g.First[v+1]
			row, heads, reward, to := pi[a:b], g.Head[a:b], u[a:b], grad[a:b]
			heads, reward, to = heads[:len(row)], reward[:len(row)], to[:len(row)]
			on, own := loadWide(&p[v], k), loadWide(&w[v], k)
			for i := range row {
				gain := broadcastWide(reward[i]).Add(loadWide(&w[heads[i]], k)).Sub(own)
				storeWide(&to[i], k, on.Mul(loadWide(&row[i], k)).Mul(gain))
			}
		}
	}
}
