package gen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// stack is arrays of the same length, one after the other, that over moves on together.
type stack struct{ from, stride, last reg.GPVirtual }

// stack returns that of the argument: arrays of n numbers, of which a fourth is reached by last.
func (k singles) stack(name string, n reg.GPVirtual, four bool) stack {
	s := stack{from: k.param(name), stride: k.GP64()}
	k.MOVQ(n, s.stride)
	k.SHLQ(operand.U8(2), s.stride)
	if four {
		s.last = k.GP64()
		k.LEAQ(index(s.from, s.stride, 2), s.last)
		k.ADDQ(s.stride, s.last)
	}
	return s
}

// pointers returns what over moves on.
func (s stack) pointers(more ...reg.GPVirtual) []reg.GPVirtual {
	if more = append(more, s.from); s.last != nil {
		more = append(more, s.last)
	}
	return more
}

// at returns array i, 0…3, at an offset.
func (s stack) at(i, off int) operand.Mem {
	switch i {
	case 0:
		return mem(s.from).Offset(off)
	case 3:
		return mem(s.last).Offset(off)
	}
	return index(s.from, s.stride, uint8(i)).Offset(off)
}

// gates writes vec.Gates.
func (k singles) gates() {
	n := k.param("n")
	g, a, h, to := k.stack("gates", n, false), k.stack("a", n, false), k.param("h"), k.param("to")
	k.keep(expNumbers()...)
	k.over(n, append(g.pointers(h, to), a.from), func(k singles, off int) {
		r := k.sigmoid(k.number(1), k.op(k.VADDPS, k.load(g.at(1, off)), a.at(0, off)))
		k.store(r, g.at(1, off))
		x := k.load(g.at(0, off))
		k.VFMADD231PS(a.at(2, off), r, x)
		k.VADDPS(x, x, x)
		c := k.sigmoid(k.number(1), x)
		k.VADDPS(c, c, c)
		c = k.op(k.VSUBPS, c, k.number(1)) // tanh x = 2/(1 + e^−2x) − 1
		k.store(c, g.at(0, off))
		z := k.sigmoid(k.number(1), k.op(k.VADDPS, k.load(g.at(2, off)), a.at(1, off)))
		k.store(z, g.at(2, off))
		d := k.op(k.VSUBPS, k.load(mem(h).Offset(off)), c)
		k.VFMADD231PS(d, z, c)
		k.store(c, mem(to).Offset(off))
	})
}

// gatesBack writes vec.GatesBack.
func (k singles) gatesBack() {
	n := k.param("n")
	d, a, h := k.param("d"), k.param("a"), k.param("h")
	g, to := k.stack("gates", n, false), k.stack("to", n, true)
	k.over(n, append(g.pointers(d, a, h), to.pointers()...), func(k singles, off int) {
		c, r, z, dh := k.load(g.at(0, off)), k.load(g.at(1, off)), k.load(g.at(2, off)), k.load(mem(d).Offset(off))
		left := k.op(k.VMULPS, dh, z) // dh·z
		k.store(left, mem(d).Offset(off))
		dc := k.op(k.VSUBPS, dh, left)
		c2 := k.op(k.VSUBPS, k.copyOf(k.number(1)), k.op(k.VMULPS, c, c))
		k.VMULPS(c2, dc, dc) // dh·(1 − z)·(1 − c²)
		k.store(dc, to.at(0, off))
		k.store(k.op(k.VMULPS, dc, r), to.at(3, off))
		dr := k.op(k.VMULPS, dc, mem(a).Offset(off))
		k.VMULPS(k.slope(r), dr, dr)
		k.store(dr, to.at(1, off))
		dz := k.op(k.VSUBPS, k.load(mem(h).Offset(off)), c)
		k.VMULPS(dh, dz, dz)
		k.VMULPS(k.slope(z), dz, dz)
		k.store(dz, to.at(2, off))
	})
}

// slope returns s·(1 − s).
func (k singles) slope(s reg.VecVirtual) reg.VecVirtual {
	return k.op(k.VSUBPS, s, k.op(k.VMULPS, s, s))
}
