package gen

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ddps-go/ddps/ddps/internal/vec/abi"
)

// expNumbers are the constants of exp.
func expNumbers() []float32 {
	poly := abi.ExpPoly()
	return append([]float32{87, -87, math.Log2E, -abi.Ln2Hi, -abi.Ln2Lo, 1}, poly[:]...)
}

// exp returns e^x, as vec.Exp says, with products fused into sums.
func (k singles) exp(x reg.VecVirtual) reg.VecVirtual {
	r := k.op(k.VMAXPS, k.copyOf(k.number(-87)), k.op(k.VMINPS, k.copyOf(k.number(87)), x)) // NaN remains
	n := k.op(k.VMULPS, r, k.number(math.Log2E))
	if k.full() {
		k.VRNDSCALEPS(operand.U8(0), n, n)
	} else {
		k.VROUNDPS(operand.U8(0), n, n)
	}
	k.VFMADD231PS(k.number(-abi.Ln2Hi), n, r)
	k.VFMADD231PS(k.number(-abi.Ln2Lo), n, r)
	poly := abi.ExpPoly()
	p := k.copyOf(k.number(poly[0]))
	for _, c := range poly[1:] {
		k.VFMADD213PS(k.number(c), r, p) // p·r + c
	}
	one := k.op(k.VADDPS, r, k.number(1))
	k.VMULPS(r, r, r)
	k.VFMADD213PS(one, r, p)
	k.VCVTPS2DQ(n, n)
	k.VPSLLD(operand.U8(23), n, n)
	k.VPADDD(k.number(1), n, n) // the bits of 1 are 127 << 23
	return k.op(k.VMULPS, p, n)
}

// exps writes to = e^x.
func (k singles) exps() {
	to, x, n := k.param("to"), k.param("x"), k.param("n")
	k.keep(expNumbers()...)
	k.over(n, []reg.GPVirtual{to, x}, func(k singles, off int) {
		k.store(k.exp(k.load(mem(x).Offset(off))), mem(to).Offset(off))
	})
}

// sigmoid returns numerator/(1 + e^−x).
func (k singles) sigmoid(numerator operand.Op, x reg.VecVirtual) reg.VecVirtual {
	e := k.exp(k.op(k.VSUBPS, k.zero(), x))
	k.VADDPS(k.number(1), e, e)
	return k.op(k.VDIVPS, k.copyOf(numerator), e)
}

// silu writes to = x/(1 + e^−x).
func (k singles) silu() {
	to, x, n := k.param("to"), k.param("x"), k.param("n")
	k.keep(expNumbers()...)
	k.over(n, []reg.GPVirtual{to, x}, func(k singles, off int) {
		z := k.load(mem(x).Offset(off))
		k.store(k.sigmoid(z, z), mem(to).Offset(off))
	})
}

// siluAdd writes to += x/(1 + e^−x).
func (k singles) siluAdd() {
	to, x, n := k.param("to"), k.param("x"), k.param("n")
	k.keep(expNumbers()...)
	k.over(n, []reg.GPVirtual{to, x}, func(k singles, off int) {
		z := k.load(mem(x).Offset(off))
		k.store(k.op(k.VADDPS, k.sigmoid(z, z), mem(to).Offset(off)), mem(to).Offset(off))
	})
}

// siluBack writes to *= s·(1 + x·(1 − s)) with s = 1/(1 + e^−x).
func (k singles) siluBack() {
	to, x, n := k.param("to"), k.param("x"), k.param("n")
	k.keep(expNumbers()...)
	k.over(n, []reg.GPVirtual{to, x}, func(k singles, off int) {
		z := k.load(mem(x).Offset(off))
		s := k.sigmoid(k.number(1), z)
		k.VMULPS(k.op(k.VSUBPS, k.copyOf(k.number(1)), s), z, z)
		k.VADDPS(k.number(1), z, z)
		k.VMULPS(z, s, s)
		k.store(k.op(k.VMULPS, s, mem(to).Offset(off)), mem(to).Offset(off))
	})
}
