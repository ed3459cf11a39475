package gen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ddps-go/ddps/ddps/internal/vec/abi"
)

// keep writes vec.Keep.
func keep(k *kernel) {
	k.backward(false, func(v, a, n reg.GPVirtual) reg.VecVirtual {
		pi, out, w, head := k.at("Pi", a, laneSize), k.at("Out", a, laneSize), k.at("P", a, numberSize),
			k.at("Head", a, intSize)
		sum, m, h := k.zero(), k.get("M"), k.GP64()
		k.walk(n, []cursor{{pi, laneSize}, {out, laneSize}, {w, numberSize}, {head, intSize}}, func() {
			k.head(head, h)
			q := k.mul(k.load(mem(pi)), index(m, h, 8))
			q = k.mul(q, k.spread(mem(w)))
			k.store(q, mem(out))
			k.VADDPD(q, sum, sum)
		})
		k.back(pi, n, laneSize)
		k.back(out, n, laneSize)
		zero := k.compare(eq, sum, k.zero())
		k.walk(n, []cursor{{pi, laneSize}, {out, laneSize}}, func() {
			k.store(k.choose(zero, mem(pi), k.div(k.load(mem(out)), sum)), mem(out))
		})
		return sum
	})
}

// lift writes lift of package vec.
func lift(k *kernel) {
	one := k.constant(1)
	k.backward(true, func(v, a, n reg.GPVirtual) reg.VecVirtual {
		out, w := k.at("Out", a, laneSize), k.at("P", a, numberSize)
		edge, head := k.at("Edge", a, intSize), k.at("Head", a, intSize)
		sum, h, e := k.zero(), k.GP64(), k.GP64()
		k.walk(n, []cursor{{out, laneSize}, {w, numberSize}, {edge, intSize}, {head, intSize}}, func() {
			k.head(head, h)
			k.head(edge, e)
			q := k.mul(k.load(index(k.get("Pi"), e, 8)), index(k.get("M"), h, 8))
			q = k.mul(q, k.spread(mem(w)))
			k.store(q, mem(out))
			k.VADDPD(q, sum, sum)
		})
		k.back(out, n, laneSize)
		none := k.compare(lt, sum, k.constant(abi.Normal))
		inv := k.div(one, sum)
		zero := k.zero()
		k.walk(n, []cursor{{out, laneSize}}, func() {
			k.store(k.choose(none, zero, k.mul(inv, mem(out))), mem(out))
		})
		return k.choose(none, zero, sum)
	})
}

// project writes what vec.Project does on the product graph.
func project(k *kernel) {
	bad := k.GP64()
	k.XORQ(bad, bad)
	tiny, zero := k.constant(abi.Least), k.zero()
	k.eachVertex(false, func(v, a, n reg.GPVirtual) {
		skip := k.label("skip")
		from := k.load(mem(k.at("M", v, laneSize)))
		some := k.compare(gt, from, zero)
		any := k.bits(some)
		k.TESTQ(any, any)
		k.JZ(operand.LabelRef(skip))
		pi, edge, head := k.at("Pi", a, laneSize), k.at("Edge", a, intSize), k.at("Head", a, intSize)
		h, e := k.GP64(), k.GP64()
		k.walk(n, []cursor{{pi, laneSize}, {edge, intSize}, {head, intSize}}, func() {
			k.head(head, h)
			k.head(edge, e)
			q := k.load(mem(pi))
			x := k.mul(from, q)
			lost := k.and(k.and(k.compare(lt, x, tiny), k.compare(gt, q, zero)), some)
			k.ORQ(k.bits(lost), bad)
			to, under := index(k.get("M"), h, 8), index(k.get("Out"), e, 8)
			k.store(k.add(x, to), to)
			k.store(k.add(x, under), under)
		})
		k.Label(skip)
	})
	k.MOVQ(bad, k.arg("Bad"))
}

// normalise writes vec.Normalise.
func normalise(k *kernel) {
	k.eachVertex(false, func(v, a, n reg.GPVirtual) {
		out, pi := k.at("Out", a, laneSize), k.at("Pi", a, laneSize)
		sum := k.zero()
		k.walk(n, []cursor{{out, laneSize}}, func() { k.VADDPD(mem(out), sum, sum) })
		k.back(out, n, laneSize)
		none := k.compare(eq, sum, k.zero())
		k.walk(n, []cursor{{out, laneSize}, {pi, laneSize}}, func() {
			k.store(k.choose(none, mem(pi), k.div(k.load(mem(out)), sum)), mem(out))
		})
	})
}

// mean writes vec.Mean.
func mean(k *kernel) {
	k.backward(false, func(v, a, n reg.GPVirtual) reg.VecVirtual {
		pi, edge, head := k.at("Pi", a, laneSize), k.at("Edge", a, intSize), k.at("Head", a, intSize)
		sum, m, b, h, e := k.zero(), k.get("M"), k.get("B"), k.GP64(), k.GP64()
		k.walk(n, []cursor{{pi, laneSize}, {edge, intSize}, {head, intSize}}, func() {
			k.head(head, h)
			k.head(edge, e)
			q := k.mul(k.load(mem(pi)), index(m, h, 8))
			k.VADDPD(k.mul(q, index(b, e, 8)), sum, sum)
		})
		return sum
	})
}

// weigh writes vec.Weigh.
func weigh(k *kernel) {
	k.backwards(false, abi.Classes, func(v, a, n reg.GPVirtual) (sums []reg.VecVirtual) {
		p, edge, head := k.at("P", a, abi.Classes*numberSize), k.at("Edge", a, intSize), k.at("Head", a, intSize)
		b, m, h, e := k.get("B"), k.get("M"), k.GP64(), k.GP64()
		for range abi.Classes {
			sums = append(sums, k.zero())
		}
		k.walk(n, []cursor{{p, abi.Classes * numberSize}, {edge, intSize}, {head, intSize}}, func() {
			k.MOVLQSX(mem(head), h)
			k.SHLQ(operand.U8(log2(abi.Classes*laneSize)), h)
			k.head(edge, e)
			by := k.load(index(b, e, 8))
			for c, sum := range sums {
				q := k.scale(by, mem(p).Offset(c*numberSize))
				k.VADDPD(k.mul(q, index(m, h, 1).Offset(c*laneSize)), sum, sum)
			}
		})
		return sums
	})
}

// scale returns x times the float64 at m.
func (k *kernel) scale(x reg.VecVirtual, m operand.Mem) reg.VecVirtual {
	if !k.wide {
		return k.mul(x, k.spread(m))
	}
	z := k.vector()
	k.VMULPD_BCST(m, x, z)
	return z
}
