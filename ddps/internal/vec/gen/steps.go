package gen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rates loads the lanes of two rates for rows of n choices.
func (k *kernel) rates(move, keep string, n reg.GPVirtual) (x, y reg.VecVirtual) {
	return k.load(mem(k.at(move, n, laneSize))), k.load(mem(k.at(keep, n, laneSize)))
}

// austin writes vec.Austin.
func austin(k *kernel) {
	next := k.whole(1)
	as := k.load(mem(k.get("As")))
	k.eachRow(func(_, v, a, n reg.GPVirtual) {
		pi, out := k.at("Pi", a, laneSize), k.at("Out", a, laneSize)
		choice := k.load(mem(k.at("X", v, laneSize)))
		move, keep := k.rates("LikeMove", "LikeKeep", n)
		add := k.load(mem(k.at("ToMove", n, laneSize)))
		at, sum := k.zero(), k.zero()
		k.walk(n, []cursor{{pi, laneSize}, {out, laneSize}}, func() {
			q := k.add(k.mul(as, mem(pi)), add)
			q = k.mul(k.choose(k.same(choice, at), keep, move), q)
			k.store(q, mem(out))
			k.VADDPD(q, sum, sum)
			k.next(at, next)
		})
		k.back(out, n, laneSize)
		k.walk(n, []cursor{{out, laneSize}}, func() { k.store(k.div(k.load(mem(out)), sum), mem(out)) })
	})
}

// eq2 writes vec.Eq2.
func eq2(k *kernel) {
	next := k.whole(1)
	as := k.load(mem(k.get("As")))
	k.eachRow(func(_, v, a, n reg.GPVirtual) {
		pi, out := k.at("Pi", a, laneSize), k.at("Out", a, laneSize)
		choice := k.load(mem(k.at("X", v, laneSize)))
		move, keep := k.rates("FromMove", "FromKeep", n)
		at, sum := k.zero(), k.zero()
		k.walk(n, []cursor{{pi, laneSize}, {out, laneSize}}, func() {
			q := k.div(k.load(mem(pi)), k.choose(k.same(choice, at), keep, move))
			k.store(q, mem(out))
			k.VADDPD(q, sum, sum)
			k.next(at, next)
		})
		k.back(out, n, laneSize)
		move, keep = k.rates("LikeMove", "LikeKeep", n)
		add := k.mul(sum, mem(k.at("ToMove", n, laneSize)))
		k.clear(at)
		k.walk(n, []cursor{{out, laneSize}}, func() {
			q := k.add(k.mul(as, mem(out)), add)
			k.store(k.mul(k.choose(k.same(choice, at), keep, move), q), mem(out))
			k.next(at, next)
		})
	})
}

// occupancy writes what vec.Occupancy adds to vec.Eq2.
func occupancy(k *kernel) {
	next, one := k.whole(1), k.constant(1)
	k.eachRow(func(_, v, a, n reg.GPVirtual) {
		out := k.at("Out", a, laneSize)
		choice := k.load(mem(k.at("X", v, laneSize)))
		move, keep := k.rates("LikeMove", "LikeKeep", n)
		p := k.min(k.load(mem(k.at("M", v, laneSize))), one)
		rest, at := k.sub(one, p), k.zero()
		k.walk(n, []cursor{{out, laneSize}}, func() {
			off := k.mul(rest, k.choose(k.same(choice, at), keep, move))
			k.store(k.add(k.mul(p, mem(out)), off), mem(out))
			k.next(at, next)
		})
	})
}

// joint writes vec.Joint.
func joint(k *kernel) {
	next, minus := k.whole(1), k.whole(-1)
	one := k.constant(1)
	k.eachRow(func(_, v, a, n reg.GPVirtual) {
		out := k.at("Out", a, laneSize)
		choice, to := k.load(mem(k.at("X", v, laneSize))), k.load(mem(k.at("X0", v, laneSize)))
		move, keep := k.rates("LikeMove", "LikeKeep", n)
		off, at := k.same(to, minus), k.zero()
		every := int32(15)
		if k.wide {
			every = 255
		}
		on, end := k.label("on"), k.label("end")
		k.CMPQ(k.bits(off), operand.I32(every))
		k.JNE(operand.LabelRef(on))
		k.walk(n, []cursor{{out, laneSize}}, func() { // no sample's path visits v
			k.store(k.choose(k.same(choice, at), keep, move), mem(out))
			k.next(at, next)
		})
		k.JMP(operand.LabelRef(end))
		k.Label(on)
		was := k.same(to, choice)
		away := k.choose(was, mem(k.at("Move1", n, laneSize)), k.load(mem(k.at("Move0", n, laneSize))))
		home := k.choose(was, mem(k.at("Keep1", n, laneSize)), k.load(mem(k.at("Keep0", n, laneSize))))
		away = k.choose(off, one, away)
		k.walk(n, []cursor{{out, laneSize}}, func() {
			q := k.choose(k.same(choice, at), keep, move)
			k.store(k.mul(q, k.choose(k.same(to, at), home, away)), mem(out))
			k.next(at, next)
		})
		k.Label(end)
	})
}

// ratios writes vec.Ratios.
func ratios(k *kernel) {
	next := k.whole(1)
	k.eachVertex(false, func(v, a, n reg.GPVirtual) {
		out := k.at("Out", a, laneSize)
		from, to := k.load(mem(k.at("X", v, laneSize))), k.load(mem(k.at("X0", v, laneSize)))
		away0, home0 := k.rates("Move0", "Keep0", n)
		away1, home1 := k.rates("Move1", "Keep1", n)
		at := k.zero()
		k.walk(n, []cursor{{out, laneSize}}, func() {
			was, is := k.same(from, at), k.same(to, at)
			k.store(k.choose(is, k.choose(was, home1, home0), k.choose(was, away1, away0)), mem(out))
			k.next(at, next)
		})
	})
}
