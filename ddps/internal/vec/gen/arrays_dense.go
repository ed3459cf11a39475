package gen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// dense writes vec.Dense. Outputs are worked on in tiles, all sums of which are in registers: sixteen vectors in
// AVX-512, twelve in AVX2.
func (k singles) dense() {
	y, w, b, x, row := k.param("y"), k.param("w"), k.param("b"), k.param("x"), k.param("stride")
	k.tiles(y, w, x, row, from{b: b})
}

// denseAdd writes vec.DenseAdd: rows of y are stride numbers apart.
func (k singles) denseAdd() {
	y, w, x, stride := k.param("y"), k.param("w"), k.param("x"), k.param("stride")
	k.SHLQ(operand.U8(2), stride)
	k.tiles(y, w, x, k.param("n"), from{stride: stride})
}

// from is what the sums of a tile start from: biases b, or the rows of y, stride bytes apart.
type from struct{ b, stride reg.GPVirtual }

// tiles writes all outputs; rows of w are row numbers apart.
func (k singles) tiles(y, w, x, row reg.GPVirtual, s from) {
	outs, n := k.param("outs"), k.param("n")
	row3 := k.GP64()
	k.SHLQ(operand.U8(2), row)
	k.LEAQ(index(row, row, 2), row3)
	most := 3
	if k.wide {
		most = 8
	}
	next, rest, end := k.label("tile"), k.label("rest"), k.label("end")
	k.Label(next)
	k.CMPQ(outs, operand.I32(most))
	k.JL(operand.LabelRef(rest))
	k.tile(most, y, w, x, n, row, row3, s)
	if s.b != nil {
		k.ADDQ(operand.I32(most*blockBytes), y)
		k.ADDQ(operand.I32(most*singleBytes), s.b)
	}
	for range most / 3 {
		k.ADDQ(row3, w)
	}
	for range most % 3 {
		k.ADDQ(row, w)
	}
	k.SUBQ(operand.I32(most), outs)
	k.JMP(operand.LabelRef(next))
	k.Label(rest)
	for size := most - 1; size > 0; size-- {
		smaller := k.label("smaller")
		k.CMPQ(outs, operand.I32(size))
		k.JNE(operand.LabelRef(smaller))
		k.tile(size, y, w, x, n, row, row3, s)
		k.JMP(operand.LabelRef(end))
		k.Label(smaller)
	}
	k.Label(end)
}

// tile writes the outputs of size rows of the weights, of n numbers or row bytes each; row3 is 3·row. Where they start
// from y, it moves y on.
func (k singles) tile(size int, y, w, x, n, row, row3 reg.GPVirtual, s from) {
	vectors := blockBytes / k.bytes()
	sums := k.starts(size, vectors, y, s)
	weights := make([]operand.Mem, size)
	cursors := []cursor{{k.GP64(), blockBytes}}
	k.MOVQ(x, cursors[0].r)
	for j := range size {
		if j%3 == 0 {
			from := cursor{k.GP64(), singleBytes}
			if j == 0 {
				k.MOVQ(w, from.r)
			} else {
				k.LEAQ(index(cursors[len(cursors)-1].r, row3, 1), from.r)
			}
			cursors = append(cursors, from)
		}
		weights[j] = mem(cursors[len(cursors)-1].r)
		if j%3 > 0 {
			weights[j] = index(weights[j].Base.(reg.GPVirtual), row, uint8(j%3))
		}
	}
	k.walk(n, cursors, func() {
		var a []reg.VecVirtual
		for j := range size {
			a = append(a, k.spread(weights[j]))
		}
		for v := range vectors {
			z := k.load(mem(cursors[0].r).Offset(v * k.bytes()))
			for j := range size {
				k.VFMADD231PS(z, a[j], sums[j*vectors+v])
			}
		}
	})
	for i, sum := range sums {
		if s.b != nil {
			k.store(sum, mem(y).Offset(i*k.bytes()))
			continue
		}
		k.store(sum, mem(y).Offset(i%vectors*k.bytes()))
		if i%vectors == vectors-1 {
			k.ADDQ(s.stride, y)
		}
	}
}

// starts returns what the sums of a tile start from.
func (k singles) starts(size, vectors int, y reg.GPVirtual, s from) (sums []reg.VecVirtual) {
	row := k.GP64()
	k.MOVQ(y, row)
	for j := range size {
		for v := range vectors {
			switch {
			case s.b == nil:
				sums = append(sums, k.load(mem(row).Offset(v*k.bytes())))
			case v == 0:
				sums = append(sums, k.spread(mem(s.b).Offset(j*singleBytes)))
			default:
				sums = append(sums, k.copyOf(sums[j*vectors]))
			}
		}
		if s.b == nil {
			k.ADDQ(s.stride, row)
		}
	}
	return sums
}

// sumRows writes to, sums of them stride apart, = from + Σ_r the row of in that starts at scale·at[r], of n entries, a
// multiple of eight. It goes through all sums for a part of the entries at a time: that of in stays in the cache.
func (k singles) sumRows() {
	to, from, in := k.param("to"), k.param("from"), k.param("in")
	scale, n, rows, stride := k.param("scale"), k.param("n"), k.param("rows"), k.param("stride")
	k.SHLQ(operand.U8(2), stride)
	pass := func(k singles, size int) {
		next, end := k.label("next"), k.label("end")
		k.Label(next)
		k.CMPQ(n, operand.I32(size))
		k.JL(operand.LabelRef(end))
		a, left, y := k.param("at"), k.param("sums"), k.GP64()
		k.MOVQ(to, y)
		k.loop(left, func() {
			var sums []reg.VecVirtual
			for off := 0; off < size*singleBytes; off += k.bytes() {
				sums = append(sums, k.load(mem(from).Offset(off)))
			}
			r := k.GP64()
			k.walk(rows, []cursor{{a, intSize}}, func() {
				k.MOVLQSX(mem(a), r)
				k.IMULQ(scale, r)
				for i, s := range sums {
					k.VADDPS(index(in, r, singleBytes).Offset(i*k.bytes()), s, s)
				}
			})
			for i, s := range sums {
				k.store(s, mem(y).Offset(i*k.bytes()))
			}
			k.ADDQ(stride, y)
		})
		for _, p := range []reg.GPVirtual{to, from, in} {
			k.ADDQ(operand.I32(size*singleBytes), p)
		}
		k.SUBQ(operand.I32(size), n)
		k.JMP(operand.LabelRef(next))
		k.Label(end)
	}
	pass(k, 64)
	pass(k, 32)
	pass(k.eight(), 8)
}
