//go:build goexperiment.simd && amd64

package octet

// tiltWide is Tilt; w is the numbers' bits.
func tiltWide(g *Graph, pi, out, m, tops []Lane, w []uint64) (bad uint8) {
	L := g.ends(m)
	for k := 0; k < Width; k += stepWide {
		for l := L - 1; l >= 0; l-- {
			lo, hi := g.Layer[l], g.Layer[l+1]
			var top vecWide
			for v := lo; v < hi; v++ {
				a, b := g.First[v], g.First[v+1]
				sum := tiltRowWide(pi[a:b], out[a:b], m, w[a:b], g.Head[a:b], k)
				storeWide(&m[v], k, sum)
				top = top.Max(sum)
			}
			bad |= settleWide(m[lo:hi], &tops[l], top, k)
		}
	}
	return bad
}

// tiltRowWide sets one tilted row and returns its message.
func tiltRowWide(pi, out, m []Lane, w []uint64, heads []int32, k int) (sum vecWide) {
	pi, w, heads = pi[:len(out)], w[:len(out)], heads[:len(out)]
	for i := range out {
		q := loadWide(&pi[i], k).Mul(loadWide(&m[heads[i]], k)).Mul(broadcastWide(w[i]))
		storeWide(&out[i], k, q)
		sum = sum.Add(q)
	}
	zero := sum.Equal(vecWide{})
	for i := range out {
		storeWide(&out[i], k, loadWide(&pi[i], k).Merge(loadWide(&out[i], k).Div(sum), zero))
	}
	return sum
}

// climbWide is Climb; w is the numbers' bits.
func climbWide(l *Lift, pi, p, m, tops []Lane, w []uint64) (bad uint8) {
	L := l.ends(m)
	for k := 0; k < Width; k += stepWide {
		for i := L - 1; i >= 0; i-- {
			lo, hi := l.Layer[i], l.Layer[i+1]
			var top vecWide
			for s := lo; s < hi; s++ {
				a, b := l.First[s], l.First[s+1]
				sum := climbRowWide(pi, p[a:b], m, w[a:b], l.Edge[a:b], l.Head[a:b], k)
				storeWide(&m[s], k, sum)
				top = top.Max(sum)
			}
			bad |= rangeWide(&tops[i], top, k)
			inv := broadcastWide(bitsOfOne).Div(top)
			for s := lo; s < hi; s++ {
				storeWide(&m[s], k, loadWide(&m[s], k).Mul(inv))
			}
		}
	}
	return bad
}

// climbRowWide sets one tilted row of a lift and returns its message.
func climbRowWide(pi, p, m []Lane, w []uint64, below, heads []int32, k int) (sum vecWide) {
	w, below, heads = w[:len(p)], below[:len(p)], heads[:len(p)]
	for i := range p {
		q := loadWide(&pi[below[i]], k).Mul(loadWide(&m[heads[i]], k)).Mul(broadcastWide(w[i]))
		storeWide(&p[i], k, q)
		sum = sum.Add(q)
	}
	none, zero, inv := sum.Less(broadcastWide(bitsOfNormal)), vecWide{}, broadcastWide(bitsOfOne).Div(sum)
	for i := range p {
		storeWide(&p[i], k, zero.Merge(loadWide(&p[i], k).Mul(inv), none))
	}
	return zero.Merge(sum, none)
}

// descendWide is Descend.
func descendWide(g *Graph, l *Lift, p, pi, out, reach []Lane) (bad uint8) {
	clear(reach)
	clear(out)
	reach[0] = Spread(1)
	last := l.Layer[len(l.Layer)-2]
	for k := 0; k < Width; k += stepWide {
		tiny, zero := broadcastWide(bitsOfLeast), vecWide{}
		for s := range last {
			from := loadWide(&reach[s], k)
			some := from.Greater(zero)
			if some.ToBits() == 0 {
				continue
			}
			a, b := l.First[s], l.First[s+1]
			row, heads, below := p[a:b], l.Head[a:b], l.Edge[a:b]
			heads, below = heads[:len(row)], below[:len(row)]
			for i := range row {
				q := loadWide(&row[i], k)
				x := from.Mul(q)
				bad |= x.Less(tiny).And(q.Greater(zero)).And(some).ToBits() << k
				to, under := &reach[heads[i]], &out[below[i]]
				storeWide(to, k, loadWide(to, k).Add(x))
				storeWide(under, k, loadWide(under, k).Add(x))
			}
		}
		for v := range len(g.First) - 1 {
			a, b := g.First[v], g.First[v+1]
			row, prior := out[a:b], pi[a:b]
			prior = prior[:len(row)]
			var sum vecWide
			for i := range row {
				sum = sum.Add(loadWide(&row[i], k))
			}
			none := sum.Equal(zero)
			for i := range row {
				storeWide(&row[i], k, loadWide(&prior[i], k).Merge(loadWide(&row[i], k).Div(sum), none))
			}
		}
	}
	return bad
}

// meanWide is Mean.
func meanWide(l *Lift, p, m, tops, w []Lane) (bad uint8) {
	L := l.ends(m)
	for k := 0; k < Width; k += stepWide {
		for i := L - 1; i >= 0; i-- {
			lo, hi := l.Layer[i], l.Layer[i+1]
			var top vecWide
			for s := lo; s < hi; s++ {
				a, b := l.First[s], l.First[s+1]
				row, heads, below := p[a:b], l.Head[a:b], l.Edge[a:b]
				heads, below = heads[:len(row)], below[:len(row)]
				var sum vecWide
				for i := range row {
					sum = sum.Add(loadWide(&row[i], k).Mul(loadWide(&m[heads[i]], k)).Mul(loadWide(&w[below[i]], k)))
				}
				storeWide(&m[s], k, sum)
				top = top.Max(sum)
			}
			bad |= settleWide(m[lo:hi], &tops[i], top, k)
		}
	}
	return bad
}

// ratiosWide is Ratios.
func ratiosWide(g *Graph, s *Step, xs, xt []Choice, w []Lane) {
	for k := 0; k < Width; k += stepWide {
		next := broadcastIntsWide(1)
		for v := range len(g.First) - 1 {
			a, b := g.First[v], g.First[v+1]
			row, to, from := w[a:b], loadIntsWide(&xs[v], k), loadIntsWide(&xt[v], k)
			away0, away1 := loadWide(&s.Path[0].Move[b-a], k), loadWide(&s.Path[1].Move[b-a], k)
			home0, home1 := loadWide(&s.Path[0].Keep[b-a], k), loadWide(&s.Path[1].Keep[b-a], k)
			var at intsWide
			for i := range row {
				was, is := from.Equal(at), to.Equal(at)
				storeWide(&row[i], k, home1.Merge(home0, was).Merge(away1.Merge(away0, was), is))
				at = at.Add(next)
			}
		}
	}
}
