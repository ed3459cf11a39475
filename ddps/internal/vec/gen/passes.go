package gen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ddps-go/ddps/ddps/internal/vec/abi"
)

// loop runs body n times, counting n down to 0.
func (k *kernel) loop(n reg.GPVirtual, body func()) {
	start, end := k.label("loop"), k.label("end")
	k.TESTQ(n, n)
	k.JZ(operand.LabelRef(end))
	k.Label(start)
	body()
	k.DECQ(n)
	k.JNZ(operand.LabelRef(start))
	k.Label(end)
}

// cursor is a register that a walk moves on by a number of bytes.
type cursor struct {
	r    reg.GPVirtual
	step int
}

// walk runs body n times and moves the cursors on after each; n is kept.
func (k *kernel) walk(n reg.GPVirtual, cursors []cursor, body func()) {
	left := k.GP64()
	k.MOVQ(n, left)
	k.loop(left, func() {
		body()
		for _, c := range cursors {
			k.ADDQ(operand.I32(c.step), c.r)
		}
	})
}

// row loads the first edge a of vertex v and the number n of its edges.
func (k *kernel) row(v reg.GPVirtual) (a, n reg.GPVirtual) {
	a, n = k.GP64(), k.GP64()
	first := k.get("First")
	k.MOVLQSX(index(first, v, intSize), a)
	k.MOVLQSX(index(first, v, intSize).Offset(intSize), n)
	k.SUBQ(a, n)
	return a, n
}

// eachRow runs body for the vertices of Rows, with the number of the row, its vertex, first edge and number of edges.
func (k *kernel) eachRow(body func(r, v, a, n reg.GPVirtual)) {
	r, v := k.GP64(), k.GP64()
	k.XORQ(r, r)
	next, end := k.label("row"), k.label("end")
	k.Label(next)
	k.CMPQ(r, k.arg("NumRows"))
	k.JGE(operand.LabelRef(end))
	k.MOVLQSX(index(k.get("Rows"), r, intSize), v)
	a, n := k.row(v)
	body(r, v, a, n)
	k.INCQ(r)
	k.JMP(operand.LabelRef(next))
	k.Label(end)
}

// eachVertex runs body for the Vertices in ascending order, or in descending order, with the vertex' first edge and
// number of edges.
func (k *kernel) eachVertex(descending bool, body func(v, a, n reg.GPVirtual)) {
	v := k.GP64()
	next, end := k.label("vertex"), k.label("end")
	if descending {
		k.MOVQ(k.arg("Vertices"), v)
		k.Label(next)
		k.DECQ(v)
		k.JL(operand.LabelRef(end))
	} else {
		k.MOVQ(operand.I32(-1), v)
		k.Label(next)
		k.INCQ(v)
		k.CMPQ(v, k.arg("Vertices"))
		k.JGE(operand.LabelRef(end))
	}
	a, n := k.row(v)
	body(v, a, n)
	k.JMP(operand.LabelRef(next))
	k.Label(end)
}

// backward is backwards for one class.
func (k *kernel) backward(inverse bool, message func(v, a, n reg.GPVirtual) reg.VecVirtual) {
	k.backwards(inverse, 1, func(v, a, n reg.GPVirtual) []reg.VecVirtual {
		return []reg.VecVirtual{message(v, a, n)}
	})
}

// backwards goes through the layers from the last but one to the first. message returns the messages of vertex v, whose
// edges are n from a on, one for each class, which follow to each other in M and Tops; those of a layer are then
// divided by the greatest of them (by multiplying with its inverse where inverse is set). Bad gets the lanes in which
// one left the range.
func (k *kernel) backwards(inverse bool, classes int, message func(v, a, n reg.GPVirtual) []reg.VecVirtual) {
	bad, l, v := k.GP64(), k.GP64(), k.GP64()
	k.XORQ(bad, bad)
	k.MOVQ(k.arg("Layers"), l)
	k.SUBQ(operand.I8(2), l)
	layer, end := k.label("layer"), k.label("end")
	k.Label(layer)
	k.TESTQ(l, l)
	k.JL(operand.LabelRef(end))
	tops := make([]reg.VecVirtual, classes)
	for i := range tops {
		tops[i] = k.zero()
	}
	k.MOVLQSX(index(k.get("Layer"), l, intSize), v)
	next, settle := k.label("vertex"), k.label("settle")
	k.Label(next)
	k.CMPL(v.As32(), index(k.get("Layer"), l, intSize).Offset(intSize))
	k.JGE(operand.LabelRef(settle))
	a, n := k.row(v)
	sums := message(v, a, n)
	to := k.at("M", v, classes*laneSize)
	for i, sum := range sums {
		k.store(sum, mem(to).Offset(i*laneSize))
		k.VMAXPD(sum, tops[i], tops[i])
	}
	k.INCQ(v)
	k.JMP(operand.LabelRef(next))
	k.Label(settle)
	k.settle(l, tops, inverse)
	to = k.at("Tops", l, classes*laneSize)
	for i, top := range tops {
		k.store(top, mem(to).Offset(i*laneSize))
		fine := k.and(k.compare(ge, top, k.constant(abi.Least)), k.compare(le, top, k.constant(abi.Most)))
		k.ORQ(k.bits(k.not(fine)), bad)
	}
	k.DECQ(l)
	k.JMP(operand.LabelRef(layer))
	k.Label(end)
	k.MOVQ(bad, k.arg("Bad"))
}

// settle divides the messages of layer l by the tops.
func (k *kernel) settle(l reg.GPVirtual, tops []reg.VecVirtual, inverse bool) {
	lo, n := k.GP64(), k.GP64()
	layer := k.get("Layer")
	k.MOVLQSX(index(layer, l, intSize), lo)
	k.MOVLQSX(index(layer, l, intSize).Offset(intSize), n)
	k.SUBQ(lo, n)
	at, by := k.at("M", lo, len(tops)*laneSize), tops
	if inverse {
		by = nil
		for _, top := range tops {
			by = append(by, k.div(k.constant(1), top))
		}
	}
	k.walk(n, []cursor{{at, len(tops) * laneSize}}, func() {
		for i, y := range by {
			x := k.load(mem(at).Offset(i * laneSize))
			if inverse {
				k.VMULPD(y, x, x)
			} else {
				k.VDIVPD(y, x, x)
			}
			k.store(x, mem(at).Offset(i*laneSize))
		}
	})
}
