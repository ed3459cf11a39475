package gen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// transpose writes to[c, r] = from[r, c], transposeAdd to[c, r] += from[r, c], by squares of eight by eight; rows
// and cols are multiples of eight, strides the entries from row to row.
func (k singles) transpose()    { k.turn(false) }
func (k singles) transposeAdd() { k.turn(true) }

func (k singles) turn(add bool) {
	k = k.eight()
	to, from, toRow, fromRow := k.param("to"), k.param("from"), k.param("toStride"), k.param("fromStride")
	rows, cols := k.param("rows"), k.param("cols")
	k.SHLQ(operand.U8(2), toRow)
	k.SHLQ(operand.U8(2), fromRow)
	k.SHRQ(operand.U8(3), rows)
	k.SHRQ(operand.U8(3), cols)
	r, c := k.GP64(), k.GP64()
	k.walk(rows, nil, func() {
		k.MOVQ(from, r)
		k.MOVQ(to, c)
		k.walk(cols, []cursor{{r, 8 * singleBytes}}, func() { k.square(c, r, toRow, fromRow, add) })
		k.LEAQ(index(from, fromRow, 8), from)
		k.ADDQ(operand.I32(8*singleBytes), to)
	})
}

// square transposes the square at from, and moves to on to the next.
func (k singles) square(to, from, toRow, fromRow reg.GPVirtual, add bool) {
	var x [8]reg.VecVirtual
	p := k.GP64()
	k.MOVQ(from, p)
	for i := range x {
		x[i] = k.load(mem(p))
		k.ADDQ(fromRow, p)
	}
	var y [8]reg.VecVirtual
	for i := 0; i < 8; i += 2 {
		y[i], y[i+1] = k.op(k.VUNPCKLPS, x[i], x[i+1]), k.op(k.VUNPCKHPS, x[i], x[i+1])
	}
	for i := 0; i < 8; i += 4 {
		x[i], x[i+1] = k.op(k.VUNPCKLPD, y[i], y[i+2]), k.op(k.VUNPCKHPD, y[i], y[i+2])
		x[i+2], x[i+3] = k.op(k.VUNPCKLPD, y[i+1], y[i+3]), k.op(k.VUNPCKHPD, y[i+1], y[i+3])
	}
	for i := range 8 {
		z, half := k.vector(), operand.U8(0x20+i/4*0x11)
		k.VPERM2F128(half, x[i%4+4], x[i%4], z)
		if add {
			k.VADDPS(mem(to), z, z)
		}
		k.store(z, mem(to))
		k.ADDQ(toRow, to)
	}
}
