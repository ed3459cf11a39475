package gen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// norm writes vec.Norm for n channels: count is n, or 0 for no division by the root mean square; film may be nil.
func (k singles) norm() {
	y, x, film, n := k.param("y"), k.param("x"), k.param("film"), k.param("n")
	inv := make([]reg.VecVirtual, blockBytes/k.bytes())
	for i := range inv {
		inv[i] = k.copyOf(k.number(1))
	}
	plain, none, end := k.label("plain"), k.label("none"), k.label("end")
	bits, count := k.GP32(), k.address("count")
	k.MOVL(count, bits)
	k.TESTL(bits, bits)
	k.JZ(operand.LabelRef(plain))
	k.roots(inv, x, n, k.spread(count), k.spread(k.address("eps")))
	k.Label(plain)
	k.TESTQ(film, film)
	k.JZ(operand.LabelRef(none))
	shift := k.GP64()
	k.LEAQ(index(film, n, singleBytes), shift)
	k.walk(n, []cursor{{x, blockBytes}, {y, blockBytes}, {film, singleBytes}, {shift, singleBytes}}, func() {
		a, b := k.spread(mem(film)), k.spread(mem(shift))
		for i := range inv {
			z := k.op(k.VMULPS, inv[i], mem(x).Offset(i*k.bytes()))
			k.VMULPS(a, z, z)
			k.store(k.op(k.VADDPS, z, b), mem(y).Offset(i*k.bytes()))
		}
	})
	k.JMP(operand.LabelRef(end))
	k.Label(none)
	zero := k.zero()
	k.walk(n, []cursor{{x, blockBytes}, {y, blockBytes}}, func() {
		for i := range inv {
			z := k.op(k.VMULPS, inv[i], mem(x).Offset(i*k.bytes()))
			k.store(k.op(k.VADDPS, z, zero), mem(y).Offset(i*k.bytes()))
		}
	})
	k.Label(end)
}

// roots sets inv to 1/√(Σ x²/count + eps) in each lane.
func (k singles) roots(inv []reg.VecVirtual, x, n reg.GPVirtual, count, eps reg.VecVirtual) {
	from := k.GP64()
	k.MOVQ(x, from)
	var sums []reg.VecVirtual
	for range inv {
		sums = append(sums, k.zero())
	}
	k.walk(n, []cursor{{from, blockBytes}}, func() {
		for i, s := range sums {
			z := k.load(mem(from).Offset(i * k.bytes()))
			k.VMULPS(z, z, z)
			k.VADDPS(z, s, s)
		}
	})
	for i, s := range sums {
		k.VDIVPS(count, s, s)
		k.VADDPS(eps, s, s)
		k.VSQRTPS(s, s)
		k.VDIVPS(s, inv[i], inv[i])
	}
}

// adamW writes vec.AdamW for n entries, a multiple of eight. c holds the step's numbers, as in vec.AdamW.numbers, each
// in eight lanes. odd gets 0, or NaN in the lanes in which a weight or v is not finite.
func (k singles) adamW() {
	c, w, g, m, v := k.param("c"), k.param("w"), k.param("grad"), k.param("m"), k.param("v")
	mean, n, odd := k.param("mean"), k.param("n"), k.param("odd")
	d := k.kernel
	number := func(i int) operand.Mem { return mem(c).Offset(i * laneSize) }
	sum := k.eight().zero()
	k.SHRQ(operand.U8(3), n)
	k.walk(n, []cursor{{w, 32}, {g, 32}, {m, 32}, {v, 32}, {mean, 32}}, func() {
		step := 32
		if !k.wide {
			step = 16
		}
		for off := 0; off < 32; off += step {
			at := func(p reg.GPVirtual) operand.Mem { return mem(p).Offset(off) }
			x := d.mul(d.double(at(g)), number(4))
			mj := d.add(d.mul(d.double(at(m)), number(0)), d.mul(x, number(2)))
			vj := d.add(d.mul(d.double(at(v)), number(1)), d.mul(d.mul(x, number(3)), x))
			root := d.vector()
			k.VSQRTPD(vj, root)
			by := d.div(d.mul(mj, number(6)), d.add(root, number(7)))
			old := d.double(at(w))
			wj := d.sub(old, d.add(d.mul(old, number(5)), by))
			d.single(mj, at(m))
			d.notFinite(d.single(vj, at(v)), sum)
			d.notFinite(d.single(wj, at(w)), sum)
			d.single(d.add(d.mul(d.double(at(mean)), number(8)), d.mul(wj, number(9))), at(mean))
		}
	})
	k.eight().store(sum, mem(odd))
}

// double returns the float32 at m as float64.
func (k *kernel) double(m operand.Mem) reg.VecVirtual {
	x := k.vector()
	k.VCVTPS2PD(m, x)
	return x
}

// single stores x at m as float32, and returns that.
func (k *kernel) single(x reg.VecVirtual, m operand.Mem) reg.VecVirtual {
	if k.wide {
		y := k.YMM()
		k.VCVTPD2PS(x, y)
		k.VMOVUPS(y, m)
		return y
	}
	y := k.XMM()
	k.VCVTPD2PSY(x, y)
	k.VMOVUPS(y, m)
	return y
}

// notFinite adds x − x to sum, of eight lanes: NaN where x is not finite.
func (k *kernel) notFinite(x, sum reg.VecVirtual) {
	k.VSUBPS(x, x, x)
	if !k.wide {
		x = x.AsY().(reg.VecVirtual) // the upper lanes are 0
	}
	k.VADDPS(x, sum, sum)
}

// logs writes to = vec.Log(x), expsDown to = vec.ExpDown(x), of n float64, a multiple of eight.
func (k singles) logs()     { k.doubles(k.kernel.log) }
func (k singles) expsDown() { k.doubles(k.kernel.expDown) }

func (k singles) doubles(f func(x reg.VecVirtual) reg.VecVirtual) {
	to, x, n := k.param("to"), k.param("x"), k.param("n")
	k.SHRQ(operand.U8(3), n)
	k.walk(n, []cursor{{x, laneSize}, {to, laneSize}}, func() {
		for off := 0; off < laneSize; off += k.bytes() {
			k.kernel.store(f(k.kernel.load(mem(x).Offset(off))), mem(to).Offset(off))
		}
	})
}
