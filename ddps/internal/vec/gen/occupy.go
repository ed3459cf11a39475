package gen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ddps-go/ddps/ddps/internal/vec/abi"
)

// occupation is the kernel that occupy writes, and where it is in the arrays that it goes through.
type occupation struct {
	*kernel
	code, p, rates reg.GPVirtual
	m, reach       reg.GPVirtual
}

// occupy writes vec.Occupy, which goes through the code of Groups.
func occupy(k *kernel) {
	o := occupation{k, k.get("Groups"), k.get("P"), k.get("Rates"), k.get("M"), k.get("Reach")}
	tops, groups := k.get("Tops"), k.GP64()
	layer, end := k.label("layer"), k.label("end")
	k.Label(layer)
	o.read(groups)
	k.TESTQ(groups, groups)
	k.JL(operand.LabelRef(end))
	top := k.load(mem(tops))
	k.ADDQ(operand.I32(abi.Classes*laneSize), tops)
	k.loop(groups, func() {
		o.states(top)
		o.segments()
	})
	k.JMP(operand.LabelRef(layer))
	k.Label(end)
}

// read sets x to the next number of the code.
func (o occupation) read(x reg.GPVirtual) {
	o.MOVLQSX(mem(o.code), x)
	o.ADDQ(operand.I8(intSize), o.code)
}

// states writes the rates of a group's states, their probability over their message times top; 0 where that is 0.
func (o occupation) states(top reg.VecVirtual) {
	n, s, zero := o.GP64(), o.GP64(), o.zero()
	o.read(n)
	o.loop(n, func() {
		o.read(s)
		o.SHLQ(operand.U8(3), s)
		from := o.load(index(o.reach, s, 8))
		o.SHLQ(operand.U8(log2(abi.Classes)), s)
		own := o.mul(top, index(o.m, s, 8))
		o.store(o.choose(o.compare(gt, own, zero), o.div(from, own), zero), mem(o.rates))
		o.ADDQ(operand.I8(laneSize), o.rates)
	})
	o.MOVQ(o.arg("Rates"), o.rates)
}

// segments goes through a group's segments: edges over one edge of the base, to one state.
func (o occupation) segments() {
	segments, n, e, r, at := o.GP64(), o.GP64(), o.GP64(), o.GP64(), o.GP64()
	o.read(segments)
	o.loop(segments, func() {
		o.read(e)
		o.SHLQ(operand.U8(log2(laneSize)), e)
		o.MOVQ(o.arg("B"), at)
		by := o.load(index(at, e, 1))
		o.ADDQ(o.arg("Out"), e)
		under := o.load(mem(e))
		o.read(r)
		o.SHLQ(operand.U8(log2(abi.Classes*laneSize)), r)
		next := o.load(index(o.m, r, 1))
		o.SHRQ(operand.U8(log2(abi.Classes)), r)
		o.ADDQ(o.reach, r)
		to := o.load(mem(r))
		o.read(n)
		o.loop(n, func() {
			o.read(at)
			o.SHLQ(operand.U8(3), at)
			x := o.mul(o.mul(o.scale(by, mem(o.p)), next), index(o.rates, at, 8))
			o.VADDPD(x, to, to)
			o.VADDPD(x, under, under)
			o.ADDQ(operand.I8(numberSize), o.p)
		})
		o.store(to, mem(r))
		o.store(under, mem(e))
	})
}
