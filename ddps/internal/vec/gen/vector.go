package gen

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vector makes a register for a vector of float64 or int64.
func (k *kernel) vector() reg.VecVirtual {
	if k.wide {
		return k.ZMM()
	}
	return k.YMM()
}

// load returns the vector at m.
func (k *kernel) load(m operand.Mem) reg.VecVirtual {
	x := k.vector()
	k.VMOVUPD(m, x)
	return x
}

func (k *kernel) store(x reg.VecVirtual, m operand.Mem) { k.VMOVUPD(x, m) }

// spread returns the float64 at m in every lane.
func (k *kernel) spread(m operand.Mem) reg.VecVirtual {
	x := k.vector()
	k.VBROADCASTSD(m, x)
	return x
}

// constant returns x in every lane.
func (k *kernel) constant(x float64) reg.VecVirtual { return k.spread(k.bitsOf(math.Float64bits(x))) }

// whole returns the integer i in every lane.
func (k *kernel) whole(i int64) reg.VecVirtual { return k.spread(k.bitsOf(uint64(i))) }

// bitsOf returns where a constant of these bits lies.
func (k *kernel) bitsOf(x uint64) operand.Mem {
	if m, ok := k.consts[x]; ok {
		return m
	}
	m := k.ConstData(fmt.Sprintf("c%016x", x), operand.U64(x))
	k.consts[x] = m
	return m
}

// zero returns 0 in every lane.
func (k *kernel) zero() reg.VecVirtual {
	x := k.vector()
	k.clear(x)
	return x
}

// clear sets x to 0 in every lane.
func (k *kernel) clear(x reg.VecVirtual) {
	if k.wide {
		k.VPXORQ(x, x, x)
	} else {
		k.VXORPD(x, x, x)
	}
}

// The arithmetic of vectors; each returns a register of its own. y may be memory.
func (k *kernel) add(x reg.VecVirtual, y operand.Op) reg.VecVirtual {
	z := k.vector()
	k.VADDPD(y, x, z)
	return z
}

func (k *kernel) sub(x reg.VecVirtual, y operand.Op) reg.VecVirtual {
	z := k.vector()
	k.VSUBPD(y, x, z)
	return z
}

func (k *kernel) mul(x reg.VecVirtual, y operand.Op) reg.VecVirtual {
	z := k.vector()
	k.VMULPD(y, x, z)
	return z
}

func (k *kernel) div(x reg.VecVirtual, y operand.Op) reg.VecVirtual {
	z := k.vector()
	k.VDIVPD(y, x, z)
	return z
}

func (k *kernel) min(x reg.VecVirtual, y operand.Op) reg.VecVirtual {
	z := k.vector()
	k.VMINPD(y, x, z)
	return z
}

func (k *kernel) max(x reg.VecVirtual, y operand.Op) reg.VecVirtual {
	z := k.vector()
	k.VMAXPD(y, x, z)
	return z
}

// Comparisons, false where a number is NaN but for ne.
const eq, lt, le, ne, ge, gt = operand.U8(0), operand.U8(1), operand.U8(2), operand.U8(4), operand.U8(13),
	operand.U8(14)

// mask is the result of a comparison: a mask register in AVX-512, a vector of bits in AVX2.
type mask reg.Register

// compare returns the lanes in which x op y.
func (k *kernel) compare(op operand.U8, x reg.VecVirtual, y operand.Op) mask {
	if k.wide {
		m := k.K()
		k.VCMPPD(op, y, x, m)
		return m
	}
	m := k.YMM()
	k.VCMPPD(op, y, x, m)
	return m
}

// same returns the lanes in which the integers x and y are the same.
func (k *kernel) same(x reg.VecVirtual, y operand.Op) mask {
	if k.wide {
		m := k.K()
		k.VPCMPEQQ(y, x, m)
		return m
	}
	m := k.YMM()
	k.VPCMPEQQ(y, x, m)
	return m
}

func (k *kernel) and(x, y mask) mask {
	if k.wide {
		m := k.K()
		k.KANDW(x, y, m)
		return m
	}
	m := k.YMM()
	k.VANDPD(x, y, m)
	return m
}

func (k *kernel) or(x, y mask) mask {
	if k.wide {
		m := k.K()
		k.KORW(x, y, m)
		return m
	}
	m := k.YMM()
	k.VORPD(x, y, m)
	return m
}

func (k *kernel) not(x mask) mask {
	if k.wide {
		m := k.K()
		k.KNOTB(x, m)
		return m
	}
	m := k.YMM()
	k.VPCMPEQQ(m, m, m)
	k.VXORPD(x, m, m)
	return m
}

// bits returns the lanes of x, bit by bit.
func (k *kernel) bits(x mask) reg.GPVirtual {
	r := k.GP64()
	if k.wide {
		k.KMOVB(x, r.As32())
	} else {
		k.VMOVMSKPD(x, r.As32())
	}
	return r
}

// choose returns yes in the lanes of m, no in the others; yes may be memory.
func (k *kernel) choose(m mask, yes operand.Op, no reg.VecVirtual) reg.VecVirtual {
	z := k.vector()
	if k.wide {
		k.VBLENDMPD(yes, no, m, z)
	} else {
		k.VBLENDVPD(m, yes, no, z)
	}
	return z
}

// next adds 1 to the integers x.
func (k *kernel) next(x, one reg.VecVirtual) { k.VPADDQ(one, x, x) }
