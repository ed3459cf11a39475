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

// messages are arrays of Args: what a backward pass makes, and what its layers were divided by.
type messages struct{ m, tops string }

// backward is backwards for one array of messages, M.
func (k *kernel) backward(inverse bool, message func(v, a, n reg.GPVirtual) reg.VecVirtual) {
	k.backwards(inverse, []messages{{"M", "Tops"}}, func(v, a, n reg.GPVirtual) []reg.VecVirtual {
		return []reg.VecVirtual{message(v, a, n)}
	})
}

// backwards goes through the layers from the last but one to the first. message returns the messages of vertex v, whose
// edges are n from a on, one for each of to; those of a layer are then divided by the greatest of them (by multiplying
// with its inverse where inverse is set). Bad gets the lanes in which one left the range.
func (k *kernel) backwards(inverse bool, to []messages, message func(v, a, n reg.GPVirtual) []reg.VecVirtual) {
	bad, l, v := k.GP64(), k.GP64(), k.GP64()
	k.XORQ(bad, bad)
	k.MOVQ(k.arg("Layers"), l)
	k.SUBQ(operand.I8(2), l)
	layer, end := k.label("layer"), k.label("end")
	k.Label(layer)
	k.TESTQ(l, l)
	k.JL(operand.LabelRef(end))
	tops := make([]reg.VecVirtual, len(to))
	for i := range tops {
		tops[i] = k.zero()
	}
	k.MOVLQSX(index(k.get("Layer"), l, intSize), v)
	next, settle := k.label("vertex"), k.label("settle")
	k.Label(next)
	k.CMPL(v.As32(), index(k.get("Layer"), l, intSize).Offset(intSize))
	k.JGE(operand.LabelRef(settle))
	a, n := k.row(v)
	for i, sum := range message(v, a, n) {
		k.store(sum, mem(k.at(to[i].m, v, laneSize)))
		k.VMAXPD(sum, tops[i], tops[i])
	}
	k.INCQ(v)
	k.JMP(operand.LabelRef(next))
	k.Label(settle)
	for i, top := range tops {
		k.settle(l, to[i].m, top, inverse)
		k.store(top, mem(k.at(to[i].tops, l, laneSize)))
		fine := k.and(k.compare(ge, top, k.constant(abi.Least)), k.compare(le, top, k.constant(abi.Most)))
		k.ORQ(k.bits(k.not(fine)), bad)
	}
	k.DECQ(l)
	k.JMP(operand.LabelRef(layer))
	k.Label(end)
	k.MOVQ(bad, k.arg("Bad"))
}

// settle divides the messages m of layer l by top.
func (k *kernel) settle(l reg.GPVirtual, m string, top reg.VecVirtual, inverse bool) {
	lo, n := k.GP64(), k.GP64()
	layer := k.get("Layer")
	k.MOVLQSX(index(layer, l, intSize), lo)
	k.MOVLQSX(index(layer, l, intSize).Offset(intSize), n)
	k.SUBQ(lo, n)
	at, by := k.at(m, lo, laneSize), top
	if inverse {
		by = k.constant(1)
		k.VDIVPD(top, by, by)
	}
	k.walk(n, []cursor{{at, laneSize}}, func() {
		x := k.load(mem(at))
		if inverse {
			k.VMULPD(by, x, x)
		} else {
			k.VDIVPD(by, x, x)
		}
		k.store(x, mem(at))
	})
}

// forward goes through the states of the layers but the last in order, with what the messages of their layer were
// divided by.
func (k *kernel) forward(body func(v, a, n reg.GPVirtual, top reg.VecVirtual)) {
	l, v := k.GP64(), k.GP64()
	k.XORQ(l, l)
	k.XORQ(v, v)
	layer, end := k.label("layer"), k.label("end")
	k.Label(layer)
	last := k.get("Layers")
	k.SUBQ(operand.I8(1), last)
	k.CMPQ(l, last)
	k.JGE(operand.LabelRef(end))
	top := k.load(mem(k.at("Tops", l, laneSize)))
	k.INCQ(l)
	next := k.label("vertex")
	k.Label(next)
	k.CMPL(v.As32(), index(k.get("Layer"), l, intSize))
	k.JGE(operand.LabelRef(layer))
	a, n := k.row(v)
	body(v, a, n, top)
	k.INCQ(v)
	k.JMP(operand.LabelRef(next))
	k.Label(end)
}
