//go:build goexperiment.simd && amd64

package octet

// weightsWide sets the weights of the sweeps from π and the reach probabilities; small ones become 0.
func (p *Pairs) weightsWide(pi []Lane) {
	least, none, zero, one := broadcastWide(bitsOfWeight), broadcastWide(bitsOfUnreached), vecWide{}, broadcastWide(bitsOfOne)
	leave := p.leave[:len(pi)]
	for k := 0; k < Width; k += stepWide {
		for e := range pi {
			q := loadWide(&pi[e], k)
			storeSingleWide(&leave[e], k, zero.Merge(q, q.Less(least)).ConvertToFloat32())
		}
		last := p.Layer[len(p.Layer)-2]
		for w := range last {
			r := loadWide(&p.reach[w], k)
			inv := one.Div(r).Merge(zero, r.Greater(none))
			lo, hi := p.Enter[w], p.Enter[w+1]
			edges, tails, enter := p.Edge[lo:hi], p.Tail[lo:hi], p.enter[lo:hi]
			tails, enter = tails[:len(edges)], enter[:len(edges)]
			for i, e := range edges {
				q := loadWide(&pi[e], k).Mul(loadWide(&p.reach[tails[i]], k)).Mul(inv)
				storeSingleWide(&enter[i], k, zero.Merge(q, q.Less(least)).ConvertToFloat32())
			}
		}
	}
}

// totalsWide sets T_v = dot_v + Σ_{v→w} π_v(w) T_w and adds T_w to out.
func (p *Pairs) totalsWide(out []Single, pi []Lane) {
	last := int(p.Layer[len(p.Layer)-2])
	for k := 0; k < Width; k += stepWide {
		for v := last - 1; v >= 0; v-- {
			lo, hi := p.First[v], p.First[v+1]
			heads, row, to := p.Head[lo:hi], pi[lo:hi], out[lo:hi]
			row, to = row[:len(heads)], to[:len(heads)]
			t := loadSingleWide(&p.dot[v], k).ConvertToFloat64()
			for i, w := range heads {
				next := loadWide(&p.t[w], k)
				t = t.Add(loadWide(&row[i], k).Mul(next))
				storeSingleWide(&to[i], k, loadSingleWide(&to[i], k).ConvertToFloat64().Add(next).ConvertToFloat32())
			}
			storeWide(&p.t[v], k, t)
		}
	}
}
