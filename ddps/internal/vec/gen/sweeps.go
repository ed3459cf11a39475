package gen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// posterior writes vec.Posterior.
func posterior(k *kernel) {
	one := k.constant(1)
	next := k.whole(1)
	k.backward(false, func(v, a, n reg.GPVirtual) reg.VecVirtual {
		pi, p, head := k.at("Pi", a, laneSize), k.at("P", a, numberSize), k.at("Head", a, intSize)
		choice, more := k.load(mem(k.at("X", v, laneSize))), k.load(mem(k.at("B", n, laneSize)))
		sum, at, m, h := k.zero(), k.zero(), k.get("M"), k.GP64()
		k.walk(n, []cursor{{pi, laneSize}, {p, numberSize}, {head, intSize}}, func() {
			k.head(head, h)
			q := k.mul(k.spread(mem(p)), index(m, h, 8))
			q = k.mul(q, k.choose(k.same(choice, at), more, one))
			k.store(q, mem(pi))
			k.VADDPD(q, sum, sum)
			k.next(at, next)
		})
		zero := k.compare(eq, sum, k.zero())
		inv := k.div(one, sum)
		k.back(pi, n, laneSize)
		k.back(p, n, numberSize)
		k.walk(n, []cursor{{pi, laneSize}, {p, numberSize}}, func() {
			q := k.mul(inv, mem(pi))
			k.store(k.choose(zero, k.spread(mem(p)), q), mem(pi))
		})
		return sum
	})
}

// head sets h to 8 times the head that r points to, so that 8·h is where its lanes start.
func (k *kernel) head(r, h reg.GPVirtual) {
	k.MOVLQSX(mem(r), h)
	k.SHLQ(operand.U8(3), h)
}

// back moves a cursor back by n entries of the size.
func (k *kernel) back(r, n reg.GPVirtual, size int) {
	by := k.GP64()
	k.MOVQ(n, by)
	k.SHLQ(operand.U8(log2(size)), by)
	k.SUBQ(by, r)
}

// reach writes vec.Reach: Vertices is that of the vertices before the last layer.
func reach(k *kernel) {
	k.eachVertex(false, func(v, a, n reg.GPVirtual) {
		from := k.load(mem(k.at("M", v, laneSize)))
		pi, head, p, h := k.at("Pi", a, laneSize), k.at("Head", a, intSize), k.get("M"), k.GP64()
		k.walk(n, []cursor{{pi, laneSize}, {head, intSize}}, func() {
			k.head(head, h)
			to := index(p, h, 8)
			k.store(k.add(k.mul(from, mem(pi)), to), to)
		})
	})
}

// draw writes vec.Draw.
func draw(k *kernel) {
	next, zero := k.whole(1), k.zero()
	k.eachRow(func(r, v, a, n reg.GPVirtual) {
		row := k.at("Pi", a, laneSize)
		left := k.load(mem(k.at("U", r, laneSize)))
		at, choice := k.zero(), k.zero()
		k.walk(n, []cursor{{row, laneSize}}, func() {
			q := k.load(mem(row))
			keep := k.or(k.compare(le, q, zero), k.compare(lt, left, zero))
			k.set(choice, k.choose(keep, choice, at))
			k.VSUBPD(q, left, left)
			k.next(at, next)
		})
		k.store(choice, mem(k.at("X", v, laneSize)))
	})
}

// set moves y to x.
func (k *kernel) set(x, y reg.VecVirtual) { k.VMOVAPD(y, x) }
