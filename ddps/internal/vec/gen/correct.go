package gen

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ddps-go/ddps/ddps/internal/vec/abi"
)

// half makes a register for as many float32 as a vector has float64.
func (k *kernel) half() reg.VecVirtual {
	if k.wide {
		return k.YMM()
	}
	return k.XMM()
}

// spreadSingle returns the float32 x in every lane.
func (k *kernel) spreadSingle(x float32) reg.VecVirtual {
	y := k.half()
	k.VBROADCASTSS(k.bitsOf(uint64(math.Float32bits(x))), y)
	return y
}

// expSingle replaces x by vec.Exp of each lane, products fused into sums.
func (k *kernel) expSingle(x reg.VecVirtual) {
	k.VMINPS(k.spreadSingle(87), x, x)
	k.VMAXPS(k.spreadSingle(-87), x, x)
	n, square, scale := k.half(), k.half(), k.half()
	k.VMULPS(k.spreadSingle(math.Log2E), x, n)
	k.VROUNDPS(operand.U8(8), n, n)
	k.VFMADD231PS(k.spreadSingle(-abi.Ln2Hi), n, x)
	k.VFMADD231PS(k.spreadSingle(-abi.Ln2Lo), n, x)
	poly := abi.ExpPoly()
	p := k.spreadSingle(poly[0])
	for _, c := range poly[1:] {
		k.VFMADD213PS(k.spreadSingle(c), x, p)
	}
	k.VMULPS(x, x, square)
	k.VADDPS(k.spreadSingle(1), x, x)
	k.VFMADD231PS(square, p, x)
	k.VCVTPS2DQ(n, scale)
	bias := k.half()
	k.VPBROADCASTD(k.bitsOf(127), bias)
	k.VPADDD(bias, scale, scale)
	k.VPSLLD(operand.U8(23), scale, scale)
	k.VMULPS(scale, x, x)
}

// correct writes vec.Correct.
func correct(k *kernel) {
	k.eachVertex(false, func(v, a, n reg.GPVirtual) {
		skip := k.label("skip")
		k.CMPQ(n, operand.I8(2))
		k.JL(operand.LabelRef(skip))
		pi, out := k.at("Pi", a, laneSize), k.GP64()
		k.MOVQ(a, out)
		k.IMULQ(k.arg("Stride"), out)
		k.ADDQ(k.arg("Single"), out)
		from := k.GP64()
		k.MOVQ(out, from)
		zero, top := k.zero(), k.constant(math.Inf(-1))
		left := k.GP64()
		k.MOVQ(n, left)
		k.loop(left, func() {
			z := k.double(mem(from))
			k.ORQ(k.bits(k.compare(ne, z, z)), k.arg("Bad"))
			greater := k.and(k.compare(gt, k.load(mem(pi)), zero), k.compare(gt, z, top))
			k.set(top, k.choose(greater, z, top))
			k.ADDQ(operand.I32(laneSize), pi)
			k.ADDQ(k.arg("Stride"), from)
		})
		k.back(pi, n, laneSize)
		most := k.half()
		if k.wide {
			k.VCVTPD2PS(top, most)
		} else {
			k.VCVTPD2PSY(top, most)
		}
		exps := k.get("Exps")
		k.MOVQ(n, left)
		sum, lost := k.zero(), k.not(k.compare(eq, zero, zero))
		k.loop(left, func() {
			x := k.half()
			k.VMOVUPS(mem(out), x)
			k.VSUBPS(most, x, x)
			k.expSingle(x)
			k.VMOVUPS(x, mem(exps))
			p, wide := k.load(mem(pi)), k.vector()
			k.VCVTPS2PD(x, wide)
			k.VADDPD(k.mul(p, wide), sum, sum)
			gone := k.and(k.compare(lt, wide, k.constant(0x1p-120)), k.compare(gt, p, zero))
			k.setMask(lost, k.or(lost, gone))
			k.ADDQ(operand.I32(laneSize), pi)
			k.ADDQ(operand.I32(singleSize), exps)
			k.ADDQ(k.arg("Stride"), out)
		})
		k.back(pi, n, laneSize)
		k.back(exps, n, singleSize)
		fine := k.and(k.compare(gt, sum, k.constant(0x1p-900)), k.compare(lt, sum, k.constant(math.MaxFloat64)))
		k.setMask(lost, k.or(lost, k.not(fine)))
		k.odd(lost, v)
		inv := k.div(k.constant(1), sum)
		k.walk(n, []cursor{{pi, laneSize}, {exps, singleSize}}, func() {
			p := k.load(mem(pi))
			q := k.mul(p, k.mul(inv, k.double(mem(exps))))
			k.store(k.choose(lost, p, q), mem(pi))
		})
		k.Label(skip)
	})
}

// setMask moves y to x.
func (k *kernel) setMask(x, y mask) {
	if k.wide {
		k.KMOVW(y, x)
	} else {
		k.VMOVAPD(y, x)
	}
}
