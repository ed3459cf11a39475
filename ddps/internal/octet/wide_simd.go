//go:build goexperiment.simd && amd64

package octet

import "unsafe"

// The kernels in vectors of stepWide. The narrow files are this text with Wide written as Narrow, which a test sees to.

// posteriorWide is Posterior; p is the numbers' bits: loaded as numbers they would cost a switch between AVX and SSE.
func posteriorWide(g *Graph, pi, m []Lane, p []uint64, x []Choice, boost []Lane) (bad uint8) {
	L := g.ends(m)
	var scale Lane
	for k := 0; k < Width; k += stepWide {
		for l := L - 1; l >= 0; l-- {
			lo, hi := g.Layer[l], g.Layer[l+1]
			var top vecWide
			for v := lo; v < hi; v++ {
				a, b := g.First[v], g.First[v+1]
				sum := posteriorRowWide(pi[a:b], m, p[a:b], g.Head[a:b], &x[v], &boost[b-a], k)
				storeWide(&m[v], k, sum)
				top = top.Max(sum)
			}
			bad |= settleWide(m[lo:hi], &scale, top, k)
		}
	}
	return bad
}

// settleWide divides the messages of a layer by the greatest of them, top, and sets scale to it. Bits tell which lanes left the range.
func settleWide(m []Lane, scale *Lane, top vecWide, k int) (bad uint8) {
	for v := range m {
		storeWide(&m[v], k, loadWide(&m[v], k).Div(top))
	}
	return rangeWide(scale, top, k)
}

// rangeWide sets scale to top and tells which lanes of that left the range.
func rangeWide(scale *Lane, top vecWide, k int) (bad uint8) {
	storeWide(scale, k, top)
	fine := top.GreaterEqual(broadcastWide(bitsOfLeast)).And(top.LessEqual(broadcastWide(bitsOfMost)))
	return ^fine.ToBits() & (1<<stepWide - 1) << k
}

// posteriorRowWide sets one row of the posterior and returns its message.
func posteriorRowWide(pi, m []Lane, p []uint64, heads []int32, x *Choice, boost *Lane, k int) (sum vecWide) {
	p, heads = p[:len(pi)], heads[:len(pi)]
	one, more, choice := broadcastWide(bitsOfOne), loadWide(boost, k), loadIntsWide(x, k)
	var at intsWide
	next := broadcastIntsWide(1)
	for i := range pi {
		q := broadcastWide(p[i]).Mul(loadWide(&m[heads[i]], k))
		q = q.Mul(more.Merge(one, choice.Equal(at)))
		storeWide(&pi[i], k, q)
		sum = sum.Add(q)
		at = at.Add(next)
	}
	zero := sum.Equal(vecWide{})
	inv := one.Div(sum)
	if zero.ToBits() == 0 {
		for i := range pi {
			storeWide(&pi[i], k, loadWide(&pi[i], k).Mul(inv))
		}
		return sum
	}
	for i := range pi {
		storeWide(&pi[i], k, broadcastWide(p[i]).Merge(loadWide(&pi[i], k).Mul(inv), zero))
	}
	return sum
}

// reachWide is Reach.
func reachWide(g *Graph, pi, p []Lane) {
	clear(p)
	p[0] = Spread(1)
	last := g.Layer[len(g.Layer)-2]
	for k := 0; k < Width; k += stepWide {
		for v := range last {
			from := loadWide(&p[v], k)
			a, b := g.First[v], g.First[v+1]
			row, heads := pi[a:b], g.Head[a:b]
			heads = heads[:len(row)]
			for i := range row {
				to := &p[heads[i]]
				storeWide(to, k, loadWide(to, k).Add(from.Mul(loadWide(&row[i], k))))
			}
		}
	}
}

// drawWide is Draw.
func drawWide(g *Graph, law, u []Lane, x []Choice) {
	for k := 0; k < Width; k += stepWide {
		for r, v := range g.Rows {
			row, left := law[g.First[v]:g.First[v+1]], loadWide(&u[r], k)
			var at, choice intsWide
			next := broadcastIntsWide(1)
			for i := range row {
				q := loadWide(&row[i], k)
				choice = choice.Merge(at, q.LessEqual(vecWide{}).Or(left.Less(vecWide{})))
				left = left.Sub(q)
				at = at.Add(next)
			}
			storeIntsWide(&x[v], k, choice)
		}
	}
}

// correctWide is Correct.
func correctWide(g *Graph, pi []Lane, out []Single, stride int, exps []Single, hard Hard) (bad uint8) {
	var top Single
	for v := range len(g.First) - 1 {
		a, b := int(g.First[v]), int(g.First[v+1])
		if b-a < 2 {
			continue
		}
		row, from, room := pi[a:b], out[a*stride:], exps[:b-a]
		lost := uint8(0)
		for k := 0; k < Width; k += stepWide {
			bad |= topWide(&top, row, from, stride, k) << k
		}
		expLess(room, from, stride, &top)
		for k := 0; k < Width; k += stepWide {
			lost |= weighWide(row, room, k) << k
		}
		if lost != 0 {
			correctOdd(row, from, stride, room, lost, hard)
		}
	}
	return bad
}

// topWide sets top to the greatest output of a row where pi is not 0; none tells which lanes are not numbers.
func topWide(top *Single, pi []Lane, out []Single, stride, k int) (none uint8) {
	most, zero := broadcastWide(bitsOfLowest), vecWide{}
	at, step := unsafe.Pointer(&out[0]), uintptr(stride)*unsafe.Sizeof(out[0])
	for i := range pi {
		z := loadSingleWide((*Single)(unsafe.Add(at, uintptr(i)*step)), k).ConvertToFloat64()
		none |= z.NotEqual(z).ToBits()
		most = z.Merge(most, loadWide(&pi[i], k).Greater(zero).And(z.Greater(most)))
	}
	storeSingleWide(top, k, most.ConvertToFloat32())
	return none
}

// weighWide multiplies a row by exps and normalises it, unless that loses too much in some lane: which of them it tells,
// and the row is as it was.
func weighWide(pi []Lane, exps []Single, k int) (lost uint8) {
	exps = exps[:len(pi)]
	tiny, zero := broadcastWide(bitsOfTiny), vecWide{}
	var sum vecWide
	for i := range pi {
		x, p := loadSingleWide(&exps[i], k).ConvertToFloat64(), loadWide(&pi[i], k)
		sum = sum.Add(p.Mul(x))
		lost |= x.Less(tiny).And(p.Greater(zero)).ToBits()
	}
	fine := sum.Greater(broadcastWide(bitsOfSmall)).And(sum.Less(broadcastWide(bitsOfGreatest)))
	lost |= ^fine.ToBits() & (1<<stepWide - 1)
	inv := broadcastWide(bitsOfOne).Div(sum)
	if lost != 0 {
		return 1<<stepWide - 1
	}
	for i := range pi {
		storeWide(&pi[i], k, loadWide(&pi[i], k).Mul(inv.Mul(loadSingleWide(&exps[i], k).ConvertToFloat64())))
	}
	return 0
}
