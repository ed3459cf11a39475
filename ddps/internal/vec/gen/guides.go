package gen

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ddps-go/ddps/ddps/internal/vec/abi"
)

// Operations on the bits of float64.
func (k *kernel) bitAnd(x, y reg.VecVirtual) reg.VecVirtual {
	z := k.vector()
	if k.wide {
		k.VPANDQ(y, x, z)
	} else {
		k.VPAND(y, x, z)
	}
	return z
}

func (k *kernel) bitOr(x, y reg.VecVirtual) reg.VecVirtual {
	z := k.vector()
	if k.wide {
		k.VPORQ(y, x, z)
	} else {
		k.VPOR(y, x, z)
	}
	return z
}

// polynomial returns c[0] + x·(c[1] + x·(…)).
func (k *kernel) polynomial(x reg.VecVirtual, c []float64) reg.VecVirtual {
	p := k.constant(c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		p = k.add(k.mul(p, x), k.constant(c[i]))
	}
	return p
}

// log returns vec.Log of each lane.
func (k *kernel) log(x reg.VecVirtual) reg.VecVirtual {
	zero, small := k.compare(eq, x, k.zero()), k.compare(lt, x, k.constant(abi.Normal))
	x = k.choose(small, k.mul(x, k.constant(0x1p54)), x)
	n := k.vector()
	k.VPSRLQ(operand.U8(52), x, n)
	n = k.bitOr(n, k.whole(0x433<<52))
	n = k.sub(n, k.constant(0x1p52+1022))
	n = k.sub(n, k.choose(small, k.constant(54), k.zero()))
	m := k.bitOr(k.bitAnd(x, k.whole(1<<52-1)), k.whole(0x3fe<<52))
	low := k.compare(lt, m, k.constant(math.Sqrt2/2))
	m, n = k.choose(low, k.add(m, m), m), k.choose(low, k.sub(n, k.constant(1)), n)
	f := k.sub(m, k.constant(1))
	s := k.div(f, k.add(k.constant(2), f))
	z := k.mul(s, s)
	log := abi.LogSeries()
	pz := k.mul(k.polynomial(z, log[:]), z)
	h := k.mul(k.mul(k.constant(.5), f), f)
	rest := k.add(k.mul(s, k.add(h, pz)), k.mul(n, k.constant(abi.Ln2Low)))
	y := k.sub(k.mul(n, k.constant(abi.Ln2High)), k.sub(k.sub(h, rest), f))
	return k.choose(zero, k.constant(math.Inf(-1)), y)
}

// expDown returns vec.ExpDown of each lane.
func (k *kernel) expDown(x reg.VecVirtual) reg.VecVirtual {
	none := k.compare(lt, x, k.constant(abi.Lowest))
	t := k.add(k.mul(x, k.constant(math.Log2E)), k.constant(abi.Rounder))
	n := k.sub(t, k.constant(abi.Rounder))
	r := k.sub(k.sub(x, k.mul(n, k.constant(abi.Ln2High))), k.mul(n, k.constant(abi.Ln2Low)))
	exp := abi.ExpSeries()
	p := k.polynomial(r, exp[:])
	e := k.add(k.constant(1), k.add(r, k.mul(k.mul(r, r), p)))
	scale := k.vector()
	k.VPSLLQ(operand.U8(52), t, scale)
	k.VPADDQ(k.constant(1), scale, scale)
	return k.choose(none, k.zero(), k.mul(e, scale))
}

// guide writes vec.Guide.
func guide(k *kernel) {
	k.eachRow(func(r, v, a, n reg.GPVirtual) {
		out := k.at("Out", a, laneSize)
		grad := k.at("Grad", a, laneSize)
		top := k.constant(math.Inf(-1))
		k.walk(n, []cursor{{out, laneSize}, {grad, laneSize}}, func() {
			z := k.load(mem(out))
			logs, ready := k.label("logs"), k.label("ready")
			k.CMPQ(k.arg("Logs"), operand.I8(0))
			k.JNE(operand.LabelRef(logs))
			k.set(z, k.log(z))
			k.Label(logs)
			k.CMPQ(k.arg("Grad"), operand.I8(0))
			k.JE(operand.LabelRef(ready))
			by := k.mul(k.spread(k.arg("Lambda")), mem(grad))
			by = k.min(k.max(by, k.constant(-abi.Limit)), k.constant(abi.Limit))
			k.VADDPD(by, z, z)
			k.Label(ready)
			k.store(z, mem(out))
			k.VMAXPD(top, z, top)
		})
		k.back(out, n, laneSize)
		fine := k.and(k.compare(lt, top, k.constant(math.MaxFloat64)), k.compare(gt, top, k.constant(-math.MaxFloat64)))
		k.odd(k.not(fine), r)
		sum := k.zero()
		k.walk(n, []cursor{{out, laneSize}}, func() {
			z := k.load(mem(out))
			p := k.expDown(k.sub(z, top))
			k.store(k.choose(fine, p, z), mem(out))
			k.VADDPD(p, sum, sum)
		})
		k.back(out, n, laneSize)
		k.walk(n, []cursor{{out, laneSize}}, func() {
			z := k.load(mem(out))
			k.store(k.choose(fine, k.div(z, sum), z), mem(out))
		})
	})
}

// odd reports the lanes of m in entry i of Odd, and in Bad.
func (k *kernel) odd(m mask, i reg.GPVirtual) {
	lanes, to := k.bits(m), k.GP64()
	k.MOVQ(i, to)
	k.ADDQ(k.arg("Odd"), to)
	k.MOVB(lanes.As8(), mem(to))
	k.ORQ(lanes, k.arg("Lost"))
}

// anneal writes vec.Anneal.
func anneal(k *kernel) {
	k.eachRow(func(_, v, a, n reg.GPVirtual) {
		pi, out := k.at("Pi", a, laneSize), k.at("Out", a, laneSize)
		sum, count := k.zero(), k.zero()
		k.walk(n, []cursor{{pi, laneSize}, {out, laneSize}}, func() {
			p := k.load(mem(pi))
			z := k.log(p)
			k.store(z, mem(out))
			some := k.compare(gt, p, k.zero())
			k.set(sum, k.choose(some, k.add(sum, z), sum))
			k.set(count, k.choose(some, k.add(count, k.constant(1)), count))
		})
		k.back(out, n, laneSize)
		at := k.load(mem(k.get("At")))
		mean := k.div(k.mul(k.load(mem(k.get("Rest"))), sum), count)
		k.walk(n, []cursor{{out, laneSize}}, func() {
			k.store(k.add(k.mul(at, mem(out)), mean), mem(out))
		})
	})
}

// values writes the first half of vec.Gradient: the values to go W.
func values(k *kernel) {
	k.eachVertex(true, func(v, a, n reg.GPVirtual) {
		pi, u, head := k.at("Pi", a, laneSize), k.at("P", a, numberSize), k.at("Head", a, intSize)
		sum, w, h := k.zero(), k.get("M"), k.GP64()
		k.walk(n, []cursor{{pi, laneSize}, {u, numberSize}, {head, intSize}}, func() {
			k.head(head, h)
			q := k.add(k.spread(mem(u)), index(w, h, 8))
			k.VADDPD(k.mul(k.load(mem(pi)), q), sum, sum)
		})
		k.store(sum, mem(k.at("M", v, laneSize)))
	})
}

// gradient writes the second half of vec.Gradient.
func gradient(k *kernel) {
	k.eachVertex(false, func(v, a, n reg.GPVirtual) {
		pi, out := k.at("Pi", a, laneSize), k.at("Out", a, laneSize)
		u, head := k.at("P", a, numberSize), k.at("Head", a, intSize)
		on, own := k.load(mem(k.at("Reach", v, laneSize))), k.load(mem(k.at("M", v, laneSize)))
		w, h := k.get("M"), k.GP64()
		k.walk(n, []cursor{{pi, laneSize}, {out, laneSize}, {u, numberSize}, {head, intSize}}, func() {
			k.head(head, h)
			gain := k.sub(k.add(k.spread(mem(u)), index(w, h, 8)), own)
			k.store(k.mul(k.mul(on, mem(pi)), gain), mem(out))
		})
	})
}
